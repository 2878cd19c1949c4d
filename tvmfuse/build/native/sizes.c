/* How a run finds out sizes, keeps and checks them, and makes shapes and tensors of them.
 *
 * TVM's builtins of the same task take longer: 120 to 190 ns to keep sizes, 84 to make a shape, 55
 * to read a tensor's sizes. These take memory once, no more of it than they need, and what a run
 * begins with is one call. Numbers that never change come in a shape, which is one argument.
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
/* Nobody holds the object any more; nobody looks at it: its memory is free. */
enum { OF_ALL = 1, OF_WEAK = 2, OF_BOTH = 3 };

/* Counts one less who holds an object. */
static void let_go(char *pointer) {
  Object *object = (Object *)pointer;
  if (__atomic_fetch_sub(&object->references, 1, __ATOMIC_ACQ_REL) == ONE_STRONG_ONE_WEAK)
    object->delete(object, OF_BOTH);
}

typedef struct {
  Object object;
  Tensor tensor;
  int64_t shape, stride;
  char sizes[]; /* from where they are aligned */
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
    set_error("MemoryError", "out of memory");
    return NULL;
  }
  *object = (Object){ONE_STRONG_ONE_WEAK, result->type_index, 0, forget};
  result->pointer = (char *)object;
  return object;
}

static char *aligned(char *memory) { return memory + (-(uintptr_t)memory & (ALIGNMENT - 1)); }

/* Hands over a tensor of so many sizes, which nothing has found out yet; NULL without memory. */
static Heap *heap_of(int64_t count, Any *result) {
  *result = (Any){.type_index = TENSOR};
  Heap *heap = made(sizeof *heap + ALIGNMENT + count * sizeof(int64_t), result);
  if (!heap) return NULL;
  heap->shape = count;
  heap->stride = 1;
  heap->tensor = (Tensor){.data = aligned(heap->sizes),
                          .device_type = CPU,
                          .ndim = 1,
                          .dtype = INT64,
                          .shape = &heap->shape,
                          .strides = &heap->stride};
  return heap;
}

/* TVM's rules for a size: it has to be the number beside the rule, goes to the place of that
 * number, or has to be what stands there. */
enum { IS_NUMBER = 0, STORES = 1, IS_STORED = 3 };

static int fits(const Tensor *tensor, const Shape *rules, int64_t *sizes) {
  if (!tensor || tensor->ndim != (int64_t)rules->size / 2) return 0;
  for (int64_t axis = 0; axis < tensor->ndim; axis++) {
    int64_t size = tensor->shape[axis], rule = rules->data[2 * axis], number = rules->data[2 * axis + 1];
    if (rule == STORES) sizes[number] = size;
    if (rule == IS_NUMBER && size != number) return 0;
    if (rule == IS_STORED && size != sizes[number]) return 0;
  }
  return 1;
}

/* Calls TVM's builtin of this task, for shapes, and to say why a tensor does not fit. It takes what
 * is checked, a tensor of sizes, the rank, rules, and words. */
static int match(char *builtin, const Any *checked, int64_t *sizes, int64_t count) {
  const Shape *rules = (const Shape *)checked[2].pointer;
  int32_t numbers = rules->size;
  Any args[numbers + 4], kept, nothing = {0};
  Heap *heap = heap_of(count, &kept);
  if (!heap) return -1;
  for (int64_t i = 0; i < count; i++) ((int64_t *)heap->tensor.data)[i] = sizes[i];
  args[0] = checked[0];
  args[1] = kept;
  args[2] = (Any){.type_index = INT, .integer = numbers / 2};
  for (int32_t i = 0; i < numbers; i++) args[3 + i] = (Any){.type_index = INT, .integer = rules->data[i]};
  args[3 + numbers] = checked[1];
  int failed = call(builtin, args, numbers + 4, &nothing);
  for (int64_t i = 0; i < count; i++) sizes[i] = ((int64_t *)heap->tensor.data)[i];
  let_go(kept.pointer);
  return failed;
}

/* Takes TVM's builtin, what finds out further sizes from those that are kept, or nothing, and for
 * each tensor itself, words and rules. */
static int find_out(const Any *args, int32_t count, int64_t *sizes, int64_t size_count) {
  for (int32_t i = 2; i < count; i += 3) {
    if (fits(tensor_of(&args[i]), (const Shape *)args[i + 2].pointer, sizes)) continue;
    if (match(args[0].pointer, &args[i], sizes, size_count)) return -1;
  }
  Any place = {.type_index = POINTER, .pointer = (char *)sizes}, nothing = {0};
  return args[1].type_index ? call(args[1].pointer, &place, 1, &nothing) : 0;
}

/* Takes how many sizes there are, and what `find_out` takes; returns a tensor of them. */
EXPORTED int __tvm_ffi_tvmfuse_size_heap(void *self, const Any *args, int32_t count, Any *result) {
  Heap *heap = heap_of(args[0].integer, result);
  if (!heap) return -1;
  if (!find_out(args + 1, count - 1, (int64_t *)heap->tensor.data, args[0].integer)) return 0;
  let_go(result->pointer);
  *result = (Any){0};
  return -1;
}

/* Takes TVM's builtin, the tensor of sizes or nothing, and a tensor, words and rules. */
EXPORTED int __tvm_ffi_tvmfuse_fits(void *self, const Any *args, int32_t count, Any *result) {
  const Tensor *heap = tensor_of(&args[1]);
  int64_t *sizes = heap ? (int64_t *)heap->data : NULL;
  *result = (Any){0};
  if (fits(tensor_of(&args[2]), (const Shape *)args[4].pointer, sizes)) return 0;
  return match(args[0].pointer, &args[2], sizes, heap ? heap->shape[0] : 0);
}

/* Of an axis, two numbers: 0 and its size, or 1 and the place where its size stands. */
static void lay_out(const Shape *axes, const int64_t *sizes, int64_t *shape) {
  for (size_t axis = 0; axis < axes->size / 2; axis++) {
    int64_t number = axes->data[2 * axis + 1];
    shape[axis] = axes->data[2 * axis] ? sizes[number] : number;
  }
}

/* Takes the tensor of sizes, and axes; returns the shape. */
EXPORTED int __tvm_ffi_tvmfuse_shape(void *self, const Any *args, int32_t count, Any *result) {
  const Shape *axes = (const Shape *)args[1].pointer;
  size_t rank = axes->size / 2;
  *result = (Any){.type_index = SHAPE};
  Shape *shape = made(sizeof *shape + rank * sizeof *shape->sizes, result);
  if (!shape) return -1;
  shape->data = shape->sizes;
  shape->size = rank;
  lay_out(axes, (const int64_t *)tensor_of(&args[0])->data, shape->sizes);
  return 0;
}

/* Takes TVM's machine and its builtins that allocate memory and make a tensor in it, a device's
 * number, dtype and scope, the axes, and what makes the tensor of sizes. Returns a tensor of
 * memory that nobody else has; nor has the sizes, which are forgotten. */
EXPORTED int __tvm_ffi_tvmfuse_sized_tensor(void *self, const Any *args, int32_t count, Any *result) {
  const Shape *axes = (const Shape *)args[6].pointer;
  int64_t size_count = args[7].integer, lengths[axes->size / 2 + 1];
  char room[ALIGNMENT + size_count * sizeof(int64_t)];
  int64_t *sizes = (int64_t *)aligned(room);
  if (find_out(args + 8, count - 8, sizes, size_count)) return -1;
  lay_out(axes, sizes, lengths);
  /* On the stack, for those who give it back when they return. */
  Shape shape = {{ONE_STRONG_ONE_WEAK, SHAPE, 0, NULL}, lengths, axes->size / 2};
  Any given = {.type_index = SHAPE, .pointer = (char *)&shape}, storage = {0};
  if (call(args[1].pointer, (Any[]){args[0], given, args[3], args[4], args[5]}, 5, &storage)) return -1;
  Any begin = {.type_index = INT, .integer = 0};
  int failed = call(args[2].pointer, (Any[]){storage, begin, given, args[4]}, 4, result);
  let_go(storage.pointer);
  if (!failed) ask_for_large_pages(tensor_of(result)->data, bytes_of(tensor_of(result)));
  return failed;
}
