/* Runs what is bound. */
#include "bind.h"

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
  bool stopped = model->library.run(NULL, bound->args, bound->arg_count, &result);
  failed = tvmf_heard(stopped ? TVMFUSE_RUN_FAILED : TVMFUSE_OK);
  if (stopped) return failed;
  for (int32_t i = 0; i < bound->after_count; i++)
    memcpy(bound->after[i].to, bound->after[i].from, bound->after[i].bytes);
  return TVMFUSE_OK;
}

tvmfuse_status tvmfuse_run(tvmfuse_model *model, const tvmfuse_tensor *inputs, int32_t input_count,
                           tvmfuse_tensor *outputs, int32_t output_count) {
  tvmfuse_bound *bound;
  tvmfuse_status failed =
      tvmf_bind(model, inputs, input_count, outputs, output_count, true, &bound);
  if (failed) return failed;
  failed = tvmfuse_run_bound(bound);
  if (!failed) failed = tvmf_place_late(bound, outputs);
  if (failed) tvmf_free_outputs(bound, outputs);
  tvmfuse_unbind(bound);
  return failed;
}
