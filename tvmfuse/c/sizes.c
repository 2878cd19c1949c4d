/* Which sizes of inputs a model takes, as far as its compiled code leaves that to its caller. */
#include "internal.h"

#include <string.h>

/* Checks that a dimension has the size that others of its name have, in this input or before it. */
static tvmfuse_status check_named(const Specs *inputs, const Tensor *tensors, int32_t place,
                                  int32_t axis) {
  const tvmfuse_spec *said = &inputs->specs[place];
  int64_t size = tensors[place].sizes[axis];
  for (int32_t i = 0; i <= place; i++) {
    const tvmfuse_spec *other = &inputs->specs[i];
    for (int32_t k = 0; k < (i < place ? other->rank : axis); k++) {
      int64_t found = tensors[i].sizes[k];
      if (other->names[k] && !strcmp(other->names[k], said->names[axis]) && found != size)
        return tvmf_fail(TVMFUSE_INVALID_ARGUMENT,
                         "inputs %s and %s disagree on the dimension %s: it is %lld and %lld",
                         other->name, said->name, said->names[axis], (long long)found,
                         (long long)size);
    }
  }
  return TVMFUSE_OK;
}

/* Checks fixed sizes, and those that have one name; compiled code checks what else there is. */
tvmfuse_status tvmf_check_sizes(const Specs *inputs, const Tensor *tensors) {
  for (int32_t i = 0; i < inputs->count; i++) {
    const tvmfuse_spec *said = &inputs->specs[i];
    for (int32_t axis = 0; axis < said->rank; axis++) {
      int64_t size = tensors[i].sizes[axis], wanted = said->sizes[axis];
      tvmfuse_status failed = TVMFUSE_OK;
      if (size < 0)
        failed = tvmf_fail(TVMFUSE_INVALID_ARGUMENT, "input %s: dimension %d is %lld", said->name,
                           axis, (long long)size);
      else if (wanted >= 0 && size != wanted)
        failed = tvmf_fail(TVMFUSE_INVALID_ARGUMENT,
                           "input %s: dimension %d is %lld instead of %lld", said->name, axis,
                           (long long)size, (long long)wanted);
      else if (wanted < 0)
        failed = check_named(inputs, tensors, i, axis);
      if (failed) return failed;
    }
  }
  return TVMFUSE_OK;
}
