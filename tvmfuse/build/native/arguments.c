/* Whether arguments are like those that were last looked at closely, in Python.
 *
 * To ask a tensor of torch's or TVM's for its dtype, shape, device and address takes Python half a
 * microsecond or more; TVM's calling convention hands over all of that at once.
 */

/* dlpack.h's DLTensor. */
typedef struct {
  char *data;
  int32_t device_type, device_id;
  int32_t ndim;
  uint32_t dtype; /* code, bits and lanes */
  int64_t *shape, *strides;
  uint64_t byte_offset;
} Tensor;

/* Kernels read with aligned vector loads. */
enum { ALIGNMENT = 64 };

static const Tensor *tensor_of(const Any *value) {
  if (value->type_index == DL_TENSOR) return (const Tensor *)value->pointer;
  if (value->type_index == TENSOR) return (const Tensor *)(value->pointer + OBJECT_BYTES);
  return NULL;
}

/* Returns what follows in the list where the tensor is as the list has it, else NULL. */
static const int64_t *like(const Tensor *tensor, const int64_t *known) {
  if (!tensor || tensor->device_type != known[0] || tensor->device_id != known[1] ||
      tensor->dtype != known[2] || tensor->ndim != known[3])
    return NULL;
  known += 4;
  int64_t stride = 1;
  for (int axis = tensor->ndim - 1; axis >= 0; axis--) {
    if (tensor->shape[axis] != known[axis]) return NULL;
    if (tensor->strides && tensor->shape[axis] != 1 && tensor->strides[axis] != stride) return NULL;
    stride *= tensor->shape[axis];
  }
  uintptr_t address = (uintptr_t)tensor->data + tensor->byte_offset;
  return address && address % ALIGNMENT == 0 ? known + tensor->ndim : NULL;
}

/* Takes the address of a list, and tensors; returns how many of them, from the first on, are as the
 * list has them: for each its device's type and number, dtype, rank and sizes; contiguous, with
 * memory that is aligned. */
EXPORTED int __tvm_ffi_tvmfuse_alike(void *self, const Any *args, int32_t count, Any *result) {
  const int64_t *known = (const int64_t *)args[0].pointer;
  int32_t place = 1;
  while (place < count && (known = like(tensor_of(&args[place]), known))) place++;
  *result = (Any){.type_index = INT, .integer = place - 1};
  return 0;
}
