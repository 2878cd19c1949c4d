/* Tensors of megabytes, in pages of megabytes.
 *
 * Linux has pages of 4 KB unless it is asked for larger ones. A kernel that goes along lines which
 * lie far apart then looks up as many pages as it has lines, again for each step along them.
 */
#include <sys/mman.h>

enum { LARGE_PAGE = 1 << 21, LARGE = 2 * LARGE_PAGE }; /* one fits in, wherever memory begins */

/* Asks for large pages, as far as some bytes fill them. Where there are none, small ones do. */
static void ask_for_large_pages(char *begin, int64_t size) {
  uintptr_t mask = LARGE_PAGE - 1, first = ((uintptr_t)begin + mask) & ~mask;
  uintptr_t end = ((uintptr_t)begin + size) & ~mask;
  if (size >= LARGE && first < end) madvise((void *)first, end - first, MADV_HUGEPAGE);
}

static int64_t bytes_of(const Tensor *tensor) {
  int64_t size = ((tensor->dtype >> 8 & 255) + 7) / 8;
  for (int axis = 0; axis < tensor->ndim; axis++) size *= tensor->shape[axis];
  return size;
}

/* Takes TVM's builtin that makes a tensor in some memory, how many bytes that has, 0 for as many as
 * the tensor, and what the builtin takes: the memory, the tensor's place in it, a shape, a dtype. It
 * is the first tensor there: nothing has been written yet when the memory is new. */
EXPORTED int __tvm_ffi_tvmfuse_tensor(void *self, const Any *args, int32_t count, Any *result) {
  int failed = call(args[0].pointer, args + 2, count - 2, result);
  const Tensor *tensor = failed ? NULL : tensor_of(result);
  if (tensor && tensor->data) {
    int64_t size = args[1].integer ? args[1].integer : bytes_of(tensor);
    ask_for_large_pages(tensor->data + tensor->byte_offset - args[3].integer, size);
  }
  return failed;
}
