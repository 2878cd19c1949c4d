/* Memory at multiples of 64 bytes, which compiled code expects of a tensor. */
#include "internal.h"

#include <stdlib.h>

/* Returns memory that `free` takes, never empty; NULL where there is none. */
void *tvmf_allocate(uint64_t bytes) {
  if (bytes > SIZE_MAX / 2) return NULL;
  size_t rounded = ((size_t)bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  return aligned_alloc(ALIGNMENT, rounded ? rounded : ALIGNMENT);
}

bool tvmf_is_aligned(const void *data) { return (uintptr_t)data % ALIGNMENT == 0; }

void *tvmfuse_allocate(size_t bytes) { return tvmf_allocate(bytes); }

void tvmfuse_free(void *data) { free(data); }
