/* SHA-256 (FIPS 180-4), by the CPU's instructions where it has them. */
#include "internal.h"

#include <string.h>

enum { BLOCK = 64 };

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotated(uint32_t x, int by) { return x >> by | x << (32 - by); }

static uint32_t big_endian(const uint8_t *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void add_block(uint32_t state[8], const uint8_t *data) {
  uint32_t w[64], s[8];
  for (int t = 0; t < 16; t++) w[t] = big_endian(data + 4 * t);
  for (int t = 16; t < 64; t++) {
    uint32_t early = w[t - 15], late = w[t - 2];
    w[t] = w[t - 16] + (rotated(early, 7) ^ rotated(early, 18) ^ early >> 3) + w[t - 7] +
           (rotated(late, 17) ^ rotated(late, 19) ^ late >> 10);
  }
  memcpy(s, state, sizeof s);
  for (int t = 0; t < 64; t++) {
    uint32_t a = s[0], e = s[4];
    uint32_t chosen = (e & s[5]) ^ (~e & s[6]), major = (a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]);
    uint32_t one = s[7] + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + chosen +
                   constants[t] + w[t];
    uint32_t two = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + major;
    memmove(s + 1, s, 7 * sizeof *s);
    s[4] += one;
    s[0] = one + two;
  }
  for (int i = 0; i < 8; i++) state[i] += s[i];
}

static void add_blocks_plainly(uint32_t state[8], const uint8_t *data, size_t blocks) {
  for (; blocks; blocks--, data += BLOCK) add_block(state, data);
}

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

static bool has_instructions(void) {
  enum { SSSE3 = 1 << 9, SSE41 = 1 << 19, SHA = 1 << 29 };
  unsigned a, b, c, d, older = SSSE3 | SSE41;
  if (!__get_cpuid(1, &a, &b, &c, &d) || (c & older) != older) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & SHA);
}

/* The instructions hold the state as (f e b a) and (h g d c), lowest first, and do two rounds. */
__attribute__((target("sha,sse4.1,ssse3"))) static void add_blocks_quickly(uint32_t state[8],
                                                                           const uint8_t *data,
                                                                           size_t blocks) {
  const __m128i big = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  uint32_t *s = state;
  __m128i feba = _mm_setr_epi32((int)s[5], (int)s[4], (int)s[1], (int)s[0]);
  __m128i hgdc = _mm_setr_epi32((int)s[7], (int)s[6], (int)s[3], (int)s[2]);
  for (; blocks; blocks--, data += BLOCK) {
    const __m128i before_feba = feba, before_hgdc = hgdc;
    __m128i w[4];
    for (int i = 0; i < 4; i++)
      w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(data + 16 * i)), big);
#pragma GCC unroll 16
    for (int four = 0; four < 16; four++) {
      __m128i now = w[four % 4], last = w[(four + 3) % 4];
      __m128i sum = _mm_add_epi32(now, _mm_loadu_si128((const __m128i *)(constants + 4 * four)));
      hgdc = _mm_sha256rnds2_epu32(hgdc, feba, sum);
      feba = _mm_sha256rnds2_epu32(feba, hgdc, _mm_shuffle_epi32(sum, 0x0e));
      __m128i next = _mm_sha256msg1_epu32(now, w[(four + 1) % 4]);
      next = _mm_add_epi32(next, _mm_alignr_epi8(last, w[(four + 2) % 4], 4));
      w[four % 4] = _mm_sha256msg2_epu32(next, last);
    }
    feba = _mm_add_epi32(feba, before_feba);
    hgdc = _mm_add_epi32(hgdc, before_hgdc);
  }
  uint32_t words[8];
  _mm_storeu_si128((__m128i *)words, feba);
  _mm_storeu_si128((__m128i *)(words + 4), hgdc);
  static const int places[8] = {5, 4, 1, 0, 7, 6, 3, 2};
  for (int i = 0; i < 8; i++) state[places[i]] = words[i];
}
#else
static bool has_instructions(void) { return false; }
#define add_blocks_quickly add_blocks_plainly
#endif

static void add_blocks(Sha256 *sha, const uint8_t *data, size_t blocks) {
  if (has_instructions())
    add_blocks_quickly(sha->state, data, blocks);
  else
    add_blocks_plainly(sha->state, data, blocks);
}

void tvmf_sha256_begin(Sha256 *sha) {
  *sha = (Sha256){{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                   0x1f83d9ab, 0x5be0cd19},
                  0,
                  {0}};
}

void tvmf_sha256_add(Sha256 *sha, const void *data, size_t size) {
  const uint8_t *bytes = data;
  size_t held = sha->length % BLOCK;
  sha->length += size;
  if (held) {
    size_t more = size < BLOCK - held ? size : BLOCK - held;
    memcpy(sha->block + held, bytes, more);
    if (held + more < BLOCK) return;
    add_blocks(sha, sha->block, 1);
    bytes += more;
    size -= more;
  }
  if (size >= BLOCK) add_blocks(sha, bytes, size / BLOCK);
  if (size % BLOCK) memcpy(sha->block, bytes + size / BLOCK * BLOCK, size % BLOCK);
}

void tvmf_sha256_end(Sha256 *sha, uint8_t digest[DIGEST_BYTES]) {
  uint8_t last[2 * BLOCK] = {0x80};
  uint64_t bits = 8 * sha->length;
  size_t held = sha->length % BLOCK, padding = (held < 56 ? 56 : 120) - held;
  for (int i = 0; i < 8; i++) last[padding + i] = (uint8_t)(bits >> (56 - 8 * i));
  tvmf_sha256_add(sha, last, padding + 8);
  for (int i = 0; i < DIGEST_BYTES; i++)
    digest[i] = (uint8_t)(sha->state[i / 4] >> (24 - 8 * (i % 4)));
}
