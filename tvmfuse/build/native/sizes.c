/* Where a run keeps the sizes that it finds out, checks of them, and shapes of them.
 *
 * TVM's builtins of the same task take longer: 120 to 190 ns to keep sizes, 84 to make a shape, 55
 * to read a tensor's sizes. These take memory once, and no more of it than they need.
 */
#include <stddef.h>

/* The head of tvm-ffi's objects. */
typedef struct {
  uint64_t references;
  int32_t type_index;
  uint32_t zero;
  void (*delete)(void *self, int flags);
} Object;
_Static_assert(sizeof(Object) == OBJECT_BYTES, "tvm-ffi's object");
static const uint64_t ONE_STRONG_ONE_WEAK = UINT64_C(1) << 32 | 1;
enum { OF_WEAK = 2 }; /* nobody looks at the object any more: its memory is free */

typedef struct {
  Object object;
  Tensor tensor;
  int64_t shape, stride;
  char sizes[]; /* aligned from somewhere on */
} Heap;

typedef struct {
  Object object;
  const int64_t *data;
  size_t size;
  int64_t sizes[];
} Shape;

static void forget(void *self, int flags) {
  if (flags & OF_WEAK) free(self);
}

/* Hands over an object of so many bytes in all, whose type is the result's; NULL without memory. */
static void *made(size_t bytes, Any *result) {
  Object *object = malloc(bytes);
  if (!object) {
    if (__TVMFFIErrorSetRaisedFromCStr) __TVMFFIErrorSetRaisedFromCStr("MemoryError", "out of memory");
    return NULL;
  }
  *object = (Object){ONE_STRONG_ONE_WEAK, result->type_index, 0, forget};
  result->pointer = (char *)object;
  return object;
}

/* Takes a number; returns a tensor of so many sizes, which nothing has found out yet. */
EXPORTED int __tvm_ffi_tvmfuse_size_heap(void *self, const Any *args, int32_t count, Any *result) {
  int64_t sizes = args[0].integer;
  *result = (Any){.type_index = TENSOR};
  Heap *heap = made(sizeof *heap + ALIGNMENT + sizes * sizeof(int64_t), result);
  if (!heap) return -1;
  heap->shape = sizes;
  heap->stride = 1;
  char *aligned = heap->sizes + (-(uintptr_t)heap->sizes & (ALIGNMENT - 1));
  heap->tensor = (Tensor){.data = aligned,
                          .device_type = CPU,
                          .ndim = 1,
                          .dtype = INT64,
                          .shape = &heap->shape,
                          .strides = &heap->stride};
  return 0;
}

/* Takes such a tensor, a rank and for each axis two numbers: 0 and its size, or 1 and the place where
 * its size stands; returns the shape. */
EXPORTED int __tvm_ffi_tvmfuse_shape(void *self, const Any *args, int32_t count, Any *result) {
  const int64_t *found = (const int64_t *)tensor_of(&args[0])->data;
  size_t rank = args[1].integer;
  *result = (Any){.type_index = SHAPE};
  Shape *shape = made(sizeof *shape + rank * sizeof *shape->sizes, result);
  if (!shape) return -1;
  shape->data = shape->sizes;
  shape->size = rank;
  for (size_t axis = 0; axis < rank; axis++) {
    int64_t number = args[2 + 2 * axis + 1].integer;
    shape->sizes[axis] = args[2 + 2 * axis].integer ? found[number] : number;
  }
  return 0;
}

/* TVM's rules for a size: it has to be the number beside the rule, goes to the place of that
 * number, or has to be what stands there. */
enum { IS_NUMBER = 0, STORES = 1, IS_STORED = 3 };

static int fits(const Tensor *tensor, const Tensor *heap, int64_t rank, const Any *rules) {
  if (!tensor || tensor->ndim != rank) return 0;
  int64_t *sizes = heap ? (int64_t *)heap->data : NULL;
  for (int64_t axis = 0; axis < rank; axis++) {
    int64_t size = tensor->shape[axis], rule = rules[2 * axis].integer;
    int64_t number = rules[2 * axis + 1].integer;
    if (rule == STORES) sizes[number] = size;
    if (rule == IS_NUMBER && size != number) return 0;
    if (rule == IS_STORED && size != sizes[number]) return 0;
  }
  return 1;
}

/* Takes TVM's builtin that checks sizes and keeps them, and what that takes: a tensor, the tensor of
 * sizes or nothing, the rank, rules, and words. It is called only where the tensor does not fit, to
 * say why, and for shapes. */
EXPORTED int __tvm_ffi_tvmfuse_fits(void *self, const Any *args, int32_t count, Any *result) {
  *result = (Any){0};
  if (fits(tensor_of(&args[1]), tensor_of(&args[2]), args[3].integer, &args[4])) return 0;
  char *function = args[0].pointer;
  return (*(Function *)(function + OBJECT_BYTES))(function, args + 1, count - 1, result);
}
