/* Where outputs may lie: apart from all else, or just where the input lies that they continue. */
#include "bind.h"

static uint64_t bytes_of(const tvmfuse_tensor *tensor) {
  uint64_t bytes = 0;
  tvmf_bytes_of(tensor->dtype, tensor->rank, tensor->sizes, &bytes);
  return bytes;
}

static bool overlap(const tvmfuse_tensor *one, const tvmfuse_tensor *other) {
  uintptr_t begin = (uintptr_t)one->data, other_begin = (uintptr_t)other->data;
  uint64_t bytes = bytes_of(one), other_bytes = bytes_of(other);
  return bytes && other_bytes && begin < other_begin + other_bytes && other_begin < begin + bytes;
}

/* Returns what the model says of an input, or of an overridable one, which follow them. */
const tvmfuse_spec *tvmf_input_spec(const Manifest *manifest, int32_t place) {
  int32_t behind = place - manifest->inputs.count;
  return behind < 0 ? &manifest->inputs.specs[place] : &manifest->overridable.specs[behind];
}

/* Refuses an output in memory of an input or of an output before it, unless it lies just where the
 * input does whose memory it may take; what has no memory yet is not refused. */
tvmfuse_status tvmf_check_apart(const Manifest *manifest, Given inputs,
                                const tvmfuse_tensor *outputs, int32_t place) {
  const tvmfuse_tensor *own = &outputs[place];
  const tvmfuse_spec *specs = manifest->outputs.specs;
  int32_t shared = manifest->shared[place];
  if (!own->data) return TVMFUSE_OK;
  for (int32_t i = 0; i < inputs.count; i++) {
    const tvmfuse_tensor *input = &inputs.tensors[i];
    if (!overlap(own, input) || (i == shared && own->data == input->data)) continue;
    return tvmf_fail(TVMFUSE_INVALID_ARGUMENT, "output %s overlaps input %s%s", specs[place].name,
                     tvmf_input_spec(manifest, i)->name,
                     i == shared ? ", whose memory it may take, and begins elsewhere" : "");
  }
  for (int32_t i = 0; i < place; i++)
    if (outputs[i].data && overlap(own, &outputs[i]))
      return tvmf_fail(TVMFUSE_INVALID_ARGUMENT, "output %s overlaps output %s", specs[place].name,
                       specs[i].name);
  return TVMFUSE_OK;
}

/* Finds out whether outputs lie in the memory of inputs: all that may, or none of them. Those
 * without elements lie nowhere. */
tvmfuse_status tvmf_find_way(const tvmfuse_model *model, Given inputs,
                             const tvmfuse_tensor *outputs, Way *way) {
  const Manifest *manifest = &model->manifest;
  int32_t count[WAYS] = {0}, last[WAYS];
  for (int32_t i = 0; i < manifest->outputs.count; i++) {
    int32_t shared = manifest->shared[i];
    if (shared < 0 || !bytes_of(&inputs.tensors[shared])) continue;
    Way found = outputs[i].data == inputs.tensors[shared].data ? IN_PLACE : APART;
    count[found]++;
    last[found] = i;
  }
  *way = count[IN_PLACE] ? IN_PLACE : APART;
  if (*way == APART) return TVMFUSE_OK;
  const tvmfuse_spec *takes = manifest->inputs.specs, *gives = manifest->outputs.specs;
  if (count[APART])
    return tvmf_fail(TVMFUSE_INVALID_ARGUMENT,
                     "output %s takes the memory of input %s, and output %s does not take that of "
                     "input %s: give all outputs that may the memory of their inputs, or none",
                     gives[last[IN_PLACE]].name, takes[manifest->shared[last[IN_PLACE]]].name,
                     gives[last[APART]].name, takes[manifest->shared[last[APART]]].name);
  const Main *main = &model->library.mains[IN_PLACE];
  if (main->run && main->sizes) return TVMFUSE_OK;
  return tvmf_fail(TVMFUSE_DAMAGED,
                   "output %s may take the memory of an input, as the file states, and its code "
                   "has nothing for that: compile the model again",
                   gives[last[IN_PLACE]].name);
}
