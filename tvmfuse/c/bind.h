/* What a bound run consists of. */
#ifndef TVMFUSE_BIND_H
#define TVMFUSE_BIND_H

#include "internal.h"

/* Bytes that are copied before or after a run, because they are not aligned. */
typedef struct {
  void *to;
  const void *from;
  uint64_t bytes;
  void *own; /* the aligned side, if it ends with this; an output in an input's has none */
} Copy;

struct tvmfuse_bound {
  tvmfuse_model *model;
  Way way;
  Spare *between;
  Any *args;
  Tensor *tensors; /* inputs, overridable inputs, weights, outputs, between */
  Copy *before, *after;
  bool *allocated; /* for each output, whether the library did */
  bool *late;      /* for each output, whether its sizes are known only after a run */
  int64_t *input_sizes;
  int64_t *told[WAYS]; /* bytes between, blocks, outputs, and their sizes: the first have those */
  int32_t tensor_count, before_count, after_count;
};

enum { BEFORE_SIZES = 3 }; /* numbers that the model tells before its outputs' sizes */

/* What a caller gives: all inputs, and as many of the overridable ones. */
typedef struct {
  const tvmfuse_tensor *tensors;
  int32_t count;
} Given;

/* Where a caller finds memory for outputs; where `find` is NULL, the outputs say it. */
typedef struct {
  tvmfuse_find_memory find;
  void *context;
} Finder;

/* `tvmfuse_bind`; with a finder, or NULL where all sizes have to be known before the run. */
tvmfuse_status tvmf_bind(tvmfuse_model *model, Given inputs, const Finder *finder,
                         tvmfuse_tensor *outputs, int32_t output_count, tvmfuse_bound **bound);
/* Finds memory for outputs whose sizes a run has told, and copies them there. */
tvmfuse_status tvmf_place_late(tvmfuse_bound *bound, const Finder *finder, tvmfuse_tensor *outputs);
void tvmf_free_outputs(const tvmfuse_bound *bound, tvmfuse_tensor *outputs);

/* --- apart.c: where outputs may lie */
const tvmfuse_spec *tvmf_input_spec(const Manifest *manifest, int32_t place);
tvmfuse_status tvmf_check_apart(const Manifest *manifest, Given inputs,
                                const tvmfuse_tensor *outputs, int32_t place);
tvmfuse_status tvmf_find_way(const tvmfuse_model *model, Given inputs,
                             const tvmfuse_tensor *outputs, Way *way);

#endif
