/* Binds tensors to a model: checks them, works out all sizes, and finds memory. */
#include "bind.h"

#include <stdlib.h>
#include <string.h>

static _Alignas(ALIGNMENT) char nothing[ALIGNMENT]; /* where tensors without elements lie */

static int32_t total_rank(const Specs *specs) {
  int32_t total = 0;
  for (int32_t i = 0; i < specs->count; i++) total += specs->specs[i].rank;
  return total;
}

/* Takes the next of some memory, at a multiple of 64 bytes; without memory, it only counts. */
static void *take(char *memory, size_t *at, size_t count, size_t bytes) {
  size_t begin = *at;
  *at += (count * bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  return memory ? memory + begin : NULL;
}

/* Lays out a bound run in memory; returns how many bytes it takes. */
static size_t lay_out(tvmfuse_model *model, char *memory, tvmfuse_bound *bound) {
  const Manifest *manifest = &model->manifest;
  size_t inputs = (size_t)manifest->inputs.count, outputs = (size_t)manifest->outputs.count;
  size_t args = inputs + (size_t)manifest->weight_count + outputs + 1;
  size_t given = inputs + (size_t)manifest->overridable.count;
  size_t input_rank = (size_t)total_rank(&manifest->inputs);
  size_t other_rank = (size_t)total_rank(&manifest->overridable);
  size_t output_rank = (size_t)total_rank(&manifest->outputs);
  size_t at = 0;
  take(memory, &at, 1, sizeof *bound);
  bound->args = take(memory, &at, args + 1, sizeof *bound->args); /* nobody is told of kernels */
  bound->tensors = take(memory, &at, args, sizeof *bound->tensors);
  bound->before = take(memory, &at, given, sizeof *bound->before);
  bound->after = take(memory, &at, outputs, sizeof *bound->after);
  bound->allocated = take(memory, &at, outputs, sizeof *bound->allocated);
  bound->late = take(memory, &at, outputs, sizeof *bound->late);
  bound->input_sizes = take(memory, &at, input_rank + other_rank, sizeof *bound->input_sizes);
  for (int way = 0; way < WAYS; way++)
    bound->told[way] = take(memory, &at, BEFORE_SIZES + output_rank, sizeof **bound->told);
  bound->tensor_count = (int32_t)args;
  return at;
}

static tvmfuse_bound *new_bound(tvmfuse_model *model) {
  tvmfuse_bound layout = {0};
  size_t bytes = lay_out(model, NULL, &layout);
  tvmfuse_bound *bound = tvmf_allocate(bytes);
  if (!bound) return NULL;
  memset(bound, 0, bytes);
  lay_out(model, (char *)bound, bound);
  atomic_fetch_add(&model->holders, 1);
  bound->model = model;
  return bound;
}

/* --- Inputs --------------------------------------------------------------------------------- */

static tvmfuse_status check_tensor(const tvmfuse_spec *said, const tvmfuse_tensor *tensor,
                                   const char *what) {
  if (memcmp(&said->dtype, &tensor->dtype, sizeof said->dtype))
    return tvmf_fail(TVMFUSE_INVALID_ARGUMENT,
                     "%s %s: expected %s (code %d, %d bits, %d lanes), found code %d, %d bits, %d "
                     "lanes",
                     what, said->name, said->type, said->dtype.code, said->dtype.bits,
                     said->dtype.lanes, tensor->dtype.code, tensor->dtype.bits,
                     tensor->dtype.lanes);
  if (said->rank != tensor->rank)
    return tvmf_fail(TVMFUSE_INVALID_ARGUMENT, "%s %s: expected %d dimensions, found %d", what,
                     said->name, said->rank, tensor->rank);
  if (said->rank && !tensor->sizes)
    return tvmf_fail(TVMFUSE_INVALID_ARGUMENT, "%s %s: its sizes are NULL", what, said->name);
  return TVMFUSE_OK;
}

static tvmfuse_status too_large(const char *what, const char *name) {
  return tvmf_fail(TVMFUSE_INVALID_ARGUMENT, "%s %s: more bytes than 63 bits can count", what, name);
}

/* Describes an input to the model; where it is not aligned, its copy. */
static tvmfuse_status place_input(tvmfuse_bound *bound, const tvmfuse_spec *said,
                                  const tvmfuse_tensor *input, Tensor *tensor) {
  uint64_t bytes;
  if (!tvmf_bytes_of(said->dtype, said->rank, tensor->sizes, &bytes))
    return too_large("input", said->name);
  if (bytes && !input->data)
    return tvmf_fail(TVMFUSE_INVALID_ARGUMENT, "input %s: its data is NULL", said->name);
  tensor->data = bytes ? input->data : nothing;
  if (tvmf_is_aligned(tensor->data)) return TVMFUSE_OK;
  if (!(tensor->data = tvmf_allocate(bytes))) return tvmf_no_memory();
  bound->before[bound->before_count++] = (Copy){tensor->data, input->data, bytes, tensor->data};
  return TVMFUSE_OK;
}

/* Describes what is given; an overridable input stands where its default did. */
static tvmfuse_status bind_inputs(tvmfuse_bound *bound, Given inputs) {
  const Manifest *manifest = &bound->model->manifest;
  int32_t required = manifest->inputs.count;
  int64_t *sizes = bound->input_sizes;
  for (int32_t i = 0; i < inputs.count; i++) {
    const tvmfuse_spec *said = tvmf_input_spec(manifest, i);
    tvmfuse_status failed = check_tensor(said, &inputs.tensors[i], "input");
    if (failed) return failed;
    for (int32_t axis = 0; axis < said->rank; axis++) sizes[axis] = inputs.tensors[i].sizes[axis];
    bound->tensors[i] =
        (Tensor){.device_type = CPU, .rank = said->rank, .dtype = said->dtype, .sizes = sizes};
    sizes += said->rank;
  }
  Specs others = {manifest->overridable.specs, inputs.count - required};
  tvmfuse_status failed = tvmf_check_sizes(&manifest->inputs, bound->tensors);
  if (!failed) failed = tvmf_check_sizes(&others, bound->tensors + required);
  for (int32_t i = 0; i < inputs.count && !failed; i++)
    failed = place_input(bound, tvmf_input_spec(manifest, i), &inputs.tensors[i],
                         &bound->tensors[i]);
  return failed;
}

/* The defaults of overridable inputs come before the other weights. */
static void bind_weights(tvmfuse_bound *bound) {
  const Manifest *manifest = &bound->model->manifest;
  Tensor *next = bound->tensors + manifest->inputs.count;
  int32_t defaults = manifest->overridable.count, others = manifest->weight_count - defaults;
  for (int32_t i = 0; i < defaults; i++) *next++ = manifest->weights[others + i];
  for (int32_t i = 0; i < others; i++) *next++ = manifest->weights[i];
}

/* --- Outputs -------------------------------------------------------------------------------- */

static void point_args(tvmfuse_bound *bound) {
  for (int32_t i = 0; i < bound->tensor_count; i++)
    bound->args[i] = (Any){.type = TENSOR_POINTER, .pointer = &bound->tensors[i]};
}

/* Asks the model for the memory between and all outputs' sizes; it checks those of the inputs. */
static tvmfuse_status find_sizes(tvmfuse_bound *bound, Way way) {
  const tvmfuse_model *model = bound->model;
  int64_t length = BEFORE_SIZES + total_rank(&model->manifest.outputs);
  int32_t inputs = model->manifest.inputs.count;
  Tensor told = {.data = bound->told[way], .device_type = CPU, .rank = 1, .dtype = TVMFUSE_INT64,
                 .sizes = &length};
  Any result, kept = bound->args[inputs]; /* whose place the numbers take meanwhile */
  bound->args[inputs] = (Any){.type = TENSOR_POINTER, .pointer = &told};
  tvmf_listen();
  bool refused = model->library.mains[way].sizes(NULL, bound->args, inputs + 1, &result);
  tvmfuse_status failed = tvmf_heard(refused ? TVMFUSE_INVALID_ARGUMENT : TVMFUSE_OK);
  bound->args[inputs] = kept;
  if (refused) return failed;
  if (bound->told[way][2] != model->manifest.outputs.count)
    return tvmf_fail(TVMFUSE_DAMAGED, "the file states %d outputs, and its code has %lld",
                     model->manifest.outputs.count, (long long)bound->told[way][2]);
  if (bound->told[way][0] >= 0) return TVMFUSE_OK;
  return tvmf_fail(TVMFUSE_RUN_FAILED, "the model asks for a negative number of bytes");
}

static tvmfuse_status check_computed(const tvmfuse_spec *said, const int64_t *sizes,
                                     uint64_t *bytes) {
  for (int32_t axis = 0; axis < said->rank; axis++)
    if (sizes[axis] < 0 || (said->sizes[axis] >= 0 && sizes[axis] != said->sizes[axis]))
      return tvmf_fail(TVMFUSE_RUN_FAILED, "output %s: the model computes %lld for dimension %d",
                       said->name, (long long)sizes[axis], axis);
  if (!tvmf_bytes_of(said->dtype, said->rank, sizes, bytes)) return too_large("output", said->name);
  return TVMFUSE_OK;
}

/* Allocates a result with its sizes behind it. */
static tvmfuse_status allocate_output(const Tensor *tensor, uint64_t bytes, tvmfuse_tensor *output) {
  uint64_t before = (bytes + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1);
  size_t sizes_bytes = (size_t)tensor->rank * sizeof *tensor->sizes;
  char *data = tvmf_allocate(before + sizes_bytes);
  if (!data) return tvmf_no_memory();
  memcpy(data + before, tensor->sizes, sizes_bytes);
  *output = (tvmfuse_tensor){data, tensor->dtype, tensor->rank, (const int64_t *)(data + before)};
  return TVMFUSE_OK;
}

static tvmfuse_status check_given(const tvmfuse_spec *said, const tvmfuse_tensor *output,
                                  const int64_t *sizes) {
  tvmfuse_status failed = check_tensor(said, output, "output");
  for (int32_t axis = 0; axis < said->rank && !failed; axis++)
    if (output->sizes[axis] != sizes[axis])
      failed = tvmf_fail(TVMFUSE_INVALID_ARGUMENT,
                         "output %s: dimension %d is %lld, and the result's is %lld", said->name,
                         axis, (long long)output->sizes[axis], (long long)sizes[axis]);
  return failed;
}

/* Whether data decide a size of an output that the model leaves open. */
static bool is_late(const tvmfuse_spec *said, const int64_t *sizes) {
  for (int32_t axis = 0; axis < said->rank; axis++)
    if (sizes[axis] == -1 && said->sizes[axis] < 0) return true;
  return false;
}

static Tensor *output_tensor(const tvmfuse_bound *bound, int32_t place) {
  const Manifest *manifest = &bound->model->manifest;
  return &bound->tensors[manifest->inputs.count + manifest->weight_count + place];
}

static tvmfuse_status find_memory(const Finder *finder, int32_t place, const Tensor *tensor,
                                  const char *name, tvmfuse_tensor *output) {
  if (!finder || !finder->find) return TVMFUSE_OK;
  *output = (tvmfuse_tensor){NULL, tensor->dtype, tensor->rank, tensor->sizes};
  if (!finder->find(finder->context, place, output)) return TVMFUSE_OK;
  return tvmf_fail(TVMFUSE_RUN_FAILED, "output %s: the caller finds no memory for it", name);
}

/* Checks the sizes of an output, which are known now, and finds its memory. */
static tvmfuse_status place_output(tvmfuse_bound *bound, int32_t place, const Finder *finder,
                                   tvmfuse_tensor *output, uint64_t *bytes) {
  const tvmfuse_spec *said = &bound->model->manifest.outputs.specs[place];
  const Tensor *tensor = output_tensor(bound, place);
  tvmfuse_status failed = check_computed(said, tensor->sizes, bytes);
  if (!failed) failed = find_memory(finder, place, tensor, said->name, output);
  if (failed) return failed;
  if (output->data) return check_given(said, output, tensor->sizes);
  failed = allocate_output(tensor, *bytes, output);
  bound->allocated[place] = !failed;
  return failed;
}

static tvmfuse_status bind_output(tvmfuse_bound *bound, int32_t place, const int64_t *sizes,
                                  const Finder *finder, tvmfuse_tensor *output) {
  const tvmfuse_spec *said = &bound->model->manifest.outputs.specs[place];
  Tensor *tensor = output_tensor(bound, place);
  *tensor = (Tensor){.device_type = CPU, .rank = said->rank, .dtype = said->dtype, .sizes = sizes};
  bound->late[place] = is_late(said, sizes);
  if (bound->late[place] && !finder)
    return tvmf_fail(TVMFUSE_INVALID_ARGUMENT,
                     "output %s: its sizes are known only after a run: use tvmfuse_run", said->name);
  if (bound->late[place]) return output->data ? check_tensor(said, output, "output") : TVMFUSE_OK;
  uint64_t bytes;
  return place_output(bound, place, finder, output, &bytes);
}

/* Says where the model writes an output: to a copy where the caller's memory is not aligned, which
 * in place is that of the input. */
static tvmfuse_status point_output(tvmfuse_bound *bound, int32_t place,
                                   const tvmfuse_tensor *output) {
  Tensor *tensor = output_tensor(bound, place);
  int32_t shared = bound->model->manifest.shared[place];
  uint64_t bytes = 0;
  if (bound->late[place]) return TVMFUSE_OK;
  tvmf_bytes_of(tensor->dtype, tensor->rank, tensor->sizes, &bytes);
  tensor->data = bytes ? output->data : nothing;
  if (tvmf_is_aligned(tensor->data)) return TVMFUSE_OK;
  bool is_own = bound->way == APART || shared < 0;
  tensor->data = is_own ? tvmf_allocate(bytes) : bound->tensors[shared].data;
  if (!tensor->data) return tvmf_no_memory();
  bound->after[bound->after_count++] =
      (Copy){output->data, tensor->data, bytes, is_own ? tensor->data : NULL};
  return TVMFUSE_OK;
}

/* Asks the model for what a run in place takes, if it is one: its results have the same sizes. */
static tvmfuse_status find_place_sizes(tvmfuse_bound *bound) {
  if (bound->way == APART) return TVMFUSE_OK;
  tvmfuse_status failed = find_sizes(bound, IN_PLACE);
  size_t numbers = 1 + (size_t)total_rank(&bound->model->manifest.outputs); /* with their count */
  const int64_t *apart = bound->told[APART] + 2, *in_place = bound->told[IN_PLACE] + 2;
  if (failed || !memcmp(apart, in_place, numbers * sizeof *apart)) return failed;
  return tvmf_fail(TVMFUSE_DAMAGED, "in place, the file's code computes results of other sizes");
}

static tvmfuse_status bind_outputs(tvmfuse_bound *bound, Given inputs, const Finder *finder,
                                   tvmfuse_tensor *outputs) {
  const Manifest *manifest = &bound->model->manifest;
  const Specs *specs = &manifest->outputs;
  tvmfuse_status failed = find_sizes(bound, APART);
  const int64_t *sizes = bound->told[APART] + BEFORE_SIZES;
  for (int32_t i = 0; i < specs->count && !failed; i++) {
    failed = bind_output(bound, i, sizes, finder, &outputs[i]);
    if (!failed) failed = tvmf_check_apart(manifest, inputs, outputs, i);
    sizes += specs->specs[i].rank;
  }
  if (!failed) failed = tvmf_find_way(bound->model, inputs, outputs, &bound->way);
  for (int32_t i = 0; i < specs->count && !failed; i++)
    failed = point_output(bound, i, &outputs[i]);
  return failed ? failed : find_place_sizes(bound);
}

static tvmfuse_status bind_between(tvmfuse_bound *bound) {
  static const tvmfuse_dtype byte = TVMFUSE_UINT8;
  const int64_t *told = bound->told[bound->way];
  bound->between =
      tvmf_take_spare(bound->model, bound->way, (uint64_t)told[0], (uint64_t)told[1]);
  if (!bound->between) return tvmf_no_memory();
  bound->tensors[bound->tensor_count - 1] = (Tensor){.data = bound->between + 1, .device_type = CPU,
                                                  .rank = 1, .dtype = byte,
                                                  .sizes = told};
  return TVMFUSE_OK;
}

/* --- Outputs whose sizes a run has told ------------------------------------------------------ */

static tvmfuse_status place_late(tvmfuse_bound *bound, int32_t place, const Finder *finder,
                                 tvmfuse_tensor *output) {
  const Tensor *tensor = output_tensor(bound, place);
  uint64_t bytes;
  tvmfuse_status failed = place_output(bound, place, finder, output, &bytes);
  if (!failed && bytes) memcpy(output->data, tensor->data, bytes);
  return failed;
}

tvmfuse_status tvmf_place_late(tvmfuse_bound *bound, const Finder *finder,
                               tvmfuse_tensor *outputs) {
  tvmfuse_status failed = TVMFUSE_OK;
  for (int32_t i = 0; i < bound->model->manifest.outputs.count && !failed; i++)
    if (bound->late[i]) failed = place_late(bound, i, finder, &outputs[i]);
  return failed;
}

/* --- The functions of the header ------------------------------------------------------------ */

static tvmfuse_status check_arguments(const tvmfuse_model *model, Given inputs,
                                      const tvmfuse_tensor *outputs, int32_t output_count) {
  if (!model) return tvmf_fail(TVMFUSE_INVALID_ARGUMENT, "expected a model, found NULL");
  int32_t takes = model->manifest.inputs.count, gives = model->manifest.outputs.count;
  int32_t most = takes + model->manifest.overridable.count;
  if (takes == most && inputs.count != takes)
    return tvmf_fail(TVMFUSE_INVALID_ARGUMENT, "the model takes %d inputs, found %d", takes,
                     inputs.count);
  if (inputs.count < takes || inputs.count > most)
    return tvmf_fail(TVMFUSE_INVALID_ARGUMENT, "the model takes %d to %d inputs, found %d", takes,
                     most, inputs.count);
  if (output_count != gives)
    return tvmf_fail(TVMFUSE_INVALID_ARGUMENT, "the model has %d outputs, found places for %d",
                     gives, output_count);
  if ((inputs.count && !inputs.tensors) || (gives && !outputs))
    return tvmf_fail(TVMFUSE_INVALID_ARGUMENT, "expected arrays of inputs and outputs, found NULL");
  return TVMFUSE_OK;
}

/* Frees what the library allocated for the caller. */
void tvmf_free_outputs(const tvmfuse_bound *bound, tvmfuse_tensor *outputs) {
  for (int32_t i = 0; i < bound->model->manifest.outputs.count; i++) {
    if (!bound->allocated[i]) continue;
    free(outputs[i].data);
    outputs[i] = (tvmfuse_tensor){0};
  }
}

tvmfuse_status tvmf_bind(tvmfuse_model *model, Given inputs, const Finder *finder,
                         tvmfuse_tensor *outputs, int32_t output_count, tvmfuse_bound **bound) {
  tvmfuse_status failed = check_arguments(model, inputs, outputs, output_count);
  if (failed) return failed;
  tvmfuse_bound *made = new_bound(model);
  if (!made) return tvmf_no_memory();
  point_args(made);
  bind_weights(made);
  failed = bind_inputs(made, inputs);
  if (!failed) failed = bind_outputs(made, inputs, finder, outputs);
  if (!failed) failed = bind_between(made);
  if (!failed) {
    *bound = made;
    return TVMFUSE_OK;
  }
  tvmf_free_outputs(made, outputs);
  tvmfuse_unbind(made);
  return failed;
}

tvmfuse_status tvmfuse_bind(tvmfuse_model *model, const tvmfuse_tensor *inputs, int32_t input_count,
                            tvmfuse_tensor *outputs, int32_t output_count, tvmfuse_bound **bound) {
  if (!bound) return tvmf_fail(TVMFUSE_INVALID_ARGUMENT, "bind: expected a place for what is bound");
  *bound = NULL;
  return tvmf_bind(model, (Given){inputs, input_count}, NULL, outputs, output_count, bound);
}

void tvmfuse_unbind(tvmfuse_bound *bound) {
  if (!bound) return;
  for (int32_t i = 0; i < bound->before_count; i++) free(bound->before[i].own);
  for (int32_t i = 0; i < bound->after_count; i++) free(bound->after[i].own);
  tvmf_give_spare(bound->model, bound->way, bound->between);
  tvmf_let_go(bound->model);
  free(bound);
}
