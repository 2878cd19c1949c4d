/* Runs what is bound. */
#include "bind.h"

#include <stdlib.h>
#include <string.h>

tvmfuse_status tvmfuse_run_bound(tvmfuse_bound *bound) {
  if (!bound) return tvmf_fail(TVMFUSE_INVALID_ARGUMENT, "expected a bound run, found NULL");
  tvmfuse_model *model = bound->model;
  tvmfuse_status failed = tvmf_use_threads(model->threads);
  if (failed) return failed;
  for (int32_t i = 0; i < bound->before_count; i++)
    memcpy(bound->before[i].to, bound->before[i].from, bound->before[i].bytes);
  Any result;
  tvmf_listen();
  Function run = model->library.mains[bound->way].run;
  bool stopped = run(NULL, bound->args, bound->tensor_count + 1, &result);
  failed = tvmf_heard(stopped ? TVMFUSE_RUN_FAILED : TVMFUSE_OK);
  if (stopped) return failed;
  for (int32_t i = 0; i < bound->after_count; i++)
    memcpy(bound->after[i].to, bound->after[i].from, bound->after[i].bytes);
  return TVMFUSE_OK;
}

tvmfuse_status tvmfuse_run(tvmfuse_model *model, const tvmfuse_tensor *inputs, int32_t input_count,
                           tvmfuse_tensor *outputs, int32_t output_count) {
  if (!model) return tvmf_fail(TVMFUSE_INVALID_ARGUMENT, "expected a model, found NULL");
  Finder finder = {NULL, NULL};
  tvmfuse_bound *bound;
  tvmfuse_status failed =
      tvmf_bind(model, (Given){inputs, input_count}, &finder, outputs, output_count, &bound);
  if (failed) return failed;
  failed = tvmfuse_run_bound(bound);
  if (!failed) failed = tvmf_place_late(bound, &finder, outputs);
  if (failed) tvmf_free_outputs(bound, outputs);
  tvmfuse_unbind(bound);
  return failed;
}

tvmfuse_status tvmfuse_run_into(tvmfuse_model *model, const tvmfuse_tensor *inputs,
                                int32_t input_count, tvmfuse_find_memory find, void *context) {
  if (!model || !find)
    return tvmf_fail(TVMFUSE_INVALID_ARGUMENT,
                     "expected a model and a function that finds memory, found NULL");
  int32_t count = model->manifest.outputs.count;
  tvmfuse_tensor *outputs = calloc((size_t)count + 1, sizeof *outputs); /* 1: never of no bytes */
  if (!outputs) return tvmf_no_memory();
  Finder finder = {find, context};
  tvmfuse_bound *bound;
  tvmfuse_status failed =
      tvmf_bind(model, (Given){inputs, input_count}, &finder, outputs, count, &bound);
  if (!failed) {
    failed = tvmfuse_run_bound(bound);
    if (!failed) failed = tvmf_place_late(bound, &finder, outputs);
    tvmf_free_outputs(bound, outputs);
    tvmfuse_unbind(bound);
  }
  free(outputs);
  return failed;
}
