/* Prints the checksums of the first 0, 1, ... bytes of its input, and then of all of it but the first
 * 0, 1, ... 16; each in memory of its own, which ends where the bytes do.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../../tvmfuse/c/checksum.c"

static void print_checksum(const uint8_t *bytes, size_t size) {
  uint8_t *own = malloc(size + 1);
  if (!own) abort();
  memcpy(own + 1, bytes, size); /* at an odd address, too */
  printf("%016llx\n", (unsigned long long)tvmf_checksum(own + 1, size));
  free(own);
}

int main(void) {
  static uint8_t bytes[1 << 17];
  size_t size = fread(bytes, 1, sizeof bytes, stdin);
  for (size_t n = 0; n <= 1100 && n <= size; n++) print_checksum(bytes, n);
  for (size_t n = 0; n <= 16 && n <= size; n++) print_checksum(bytes + n, size - n);
  return 0;
}
