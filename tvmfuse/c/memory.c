/* Memory at multiples of 64 bytes, which compiled code expects of a tensor. */
#include "internal.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 1 << 21, LARGE = 2 * LARGE_PAGE }; /* one fits in, wherever memory begins */

/* Asks for pages of megabytes, as far as some bytes fill them: a kernel that goes along lines which
 * lie far apart looks up as many pages as it has lines. Where there are none, small ones do. */
static void ask_for_large_pages(char *begin, size_t bytes) {
  uintptr_t mask = LARGE_PAGE - 1, first = ((uintptr_t)begin + mask) & ~mask;
  uintptr_t end = ((uintptr_t)begin + bytes) & ~mask;
  if (first < end) madvise((void *)first, end - first, MADV_HUGEPAGE);
}

/* Returns memory that `free` takes, never empty; NULL where there is none. */
void *tvmf_allocate(uint64_t bytes) {
  if (bytes > SIZE_MAX / 2) return NULL;
  size_t rounded = ((size_t)bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  void *memory = aligned_alloc(ALIGNMENT, rounded ? rounded : ALIGNMENT);
  if (memory && rounded >= LARGE) ask_for_large_pages(memory, rounded);
  return memory;
}

bool tvmf_is_aligned(const void *data) { return (uintptr_t)data % ALIGNMENT == 0; }

void *tvmfuse_allocate(size_t bytes) { return tvmf_allocate(bytes); }

void tvmfuse_free(void *data) { free(data); }
