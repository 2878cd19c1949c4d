/* What a bound run consists of. */
#ifndef TVMFUSE_BIND_H
#define TVMFUSE_BIND_H

#include "internal.h"

/* Bytes that are copied before or after a run, because they are not aligned. */
typedef struct {
  void *to;
  const void *from;
  uint64_t bytes;
} Copy;

struct tvmfuse_bound {
  tvmfuse_model *model;
  Spare *between;
  Any *args;
  Tensor *tensors; /* inputs, overridable inputs, weights, outputs, between */
  Copy *before, *after;
  bool *allocated; /* for each output, whether the library did */
  bool *late;      /* for each output, whether its sizes are known only after a run */
  int64_t *input_sizes, *output_sizes; /* the second: bytes between, blocks, outputs, their sizes */
  int32_t tensor_count, before_count, after_count;
};

enum { BEFORE_SIZES = 3 }; /* numbers that the model tells before its outputs' sizes */

/* Where a caller finds memory for outputs; where `find` is NULL, the outputs say it. */
typedef struct {
  tvmfuse_find_memory find;
  void *context;
} Finder;

/* `tvmfuse_bind`; with a finder, or NULL where all sizes have to be known before the run. */
tvmfuse_status tvmf_bind(tvmfuse_model *model, const tvmfuse_tensor *inputs, int32_t input_count,
                         const Finder *finder, tvmfuse_tensor *outputs, int32_t output_count,
                         tvmfuse_bound **bound);
/* Finds memory for outputs whose sizes a run has told, and copies them there. */
tvmfuse_status tvmf_place_late(tvmfuse_bound *bound, const Finder *finder, tvmfuse_tensor *outputs);
void tvmf_free_outputs(const tvmfuse_bound *bound, tvmfuse_tensor *outputs);

#endif
