/* What shows that a file was damaged: XXH64 without a seed, written from its specification
 * (doc/xxhash_spec.md of https://github.com/Cyan4973/xxHash). It shows no malice: who changes a file
 * can make the checksum fit.
 */
#include "internal.h"

#include <string.h>

enum { STRIPE = 32 };
static const uint64_t prime1 = 0x9e3779b185ebca87, prime2 = 0xc2b2ae3d27d4eb4f,
                      prime3 = 0x165667b19e3779f9, prime4 = 0x85ebca77c2b2ae63,
                      prime5 = 0x27d4eb2f165667c5;

static uint64_t rotated(uint64_t x, int by) { return x << by | x >> (64 - by); }

static uint64_t read_lane(const uint8_t *from) {
  uint64_t lane;
  memcpy(&lane, from, sizeof lane);
  return lane;
}

static uint64_t add_lane(uint64_t sum, uint64_t lane) {
  return rotated(sum + lane * prime2, 31) * prime1;
}

static uint64_t merge(uint64_t sum, uint64_t other) {
  return (sum ^ add_lane(0, other)) * prime1 + prime4;
}

/* Adds all whole stripes; four sums, so that no multiplication waits for the one before. */
static uint64_t add_stripes(const uint8_t *data, size_t stripes) {
  uint64_t a = prime1 + prime2, b = prime2, c = 0, d = 0 - prime1;
  for (; stripes; stripes--, data += STRIPE) {
    a = add_lane(a, read_lane(data));
    b = add_lane(b, read_lane(data + 8));
    c = add_lane(c, read_lane(data + 16));
    d = add_lane(d, read_lane(data + 24));
  }
  uint64_t sum = rotated(a, 1) + rotated(b, 7) + rotated(c, 12) + rotated(d, 18);
  return merge(merge(merge(merge(sum, a), b), c), d);
}

uint64_t tvmf_checksum(const void *bytes, size_t size) {
  const uint8_t *data = bytes, *end = data + size;
  uint64_t sum = size + (size < STRIPE ? prime5 : add_stripes(data, size / STRIPE));
  data += size / STRIPE * STRIPE;
  for (; end - data >= 8; data += 8)
    sum = rotated(sum ^ add_lane(0, read_lane(data)), 27) * prime1 + prime4;
  if (end - data >= 4) {
    uint32_t half;
    memcpy(&half, data, sizeof half);
    sum = rotated(sum ^ half * prime1, 23) * prime2 + prime3;
    data += 4;
  }
  for (; data < end; data++) sum = rotated(sum ^ *data * prime5, 11) * prime1;
  sum = (sum ^ sum >> 33) * prime2;
  sum = (sum ^ sum >> 29) * prime3;
  return sum ^ sum >> 32;
}
