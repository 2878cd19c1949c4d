/* Prints the SHA-256 of the first 0, 1, ... 300 of the bytes 0, 1, ..., by either code. */
#include "../../tvmfuse/c/sha256.c"

#include <stdio.h>

int main(void) {
  uint8_t bytes[300], digest[DIGEST_BYTES];
  for (int i = 0; i < 300; i++) bytes[i] = (uint8_t)i;
  for (int size = 0; size <= 300; size++) {
    Sha256 sha;
    tvmf_sha256_begin(&sha);
    tvmf_sha256_add(&sha, bytes, (size_t)size / 3);
    tvmf_sha256_add(&sha, bytes + size / 3, (size_t)(size - size / 3));
    tvmf_sha256_end(&sha, digest);
    for (int i = 0; i < DIGEST_BYTES; i++) printf("%02x", digest[i]);
    puts("");
  }
  uint32_t plain[8] = {1, 2, 3, 4, 5, 6, 7, 8}, quick[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  add_blocks_plainly(plain, bytes, 4);
  if (has_instructions()) add_blocks_quickly(quick, bytes, 4);
  return has_instructions() && memcmp(plain, quick, sizeof plain);
}
