/* A function that calls one of several, by the sizes of the tensors that it is given: code for some
 * sizes, or that for all.
 */
enum { FUNCTION = 68 };

/* A function, and the sizes that it is for: for each a tensor's place, an axis and what it is. */
typedef struct {
  const Shape *sizes;
  char *function;
} Choice;

/* One of tvm-ffi's functions. */
typedef struct {
  Object object;
  Function call;
  void *of_cpp;
  char *other; /* where no choice fits */
  size_t count;
  Choice choices[];
} Chooser;

static int has_sizes(const Shape *sizes, const Any *args, int32_t count) {
  for (const int64_t *size = sizes->data; size < sizes->data + sizes->size; size += 3) {
    const Tensor *tensor = size[0] < count ? tensor_of(&args[size[0]]) : NULL;
    if (!tensor || tensor->ndim <= size[1] || tensor->shape[size[1]] != size[2]) return 0;
  }
  return 1;
}

static int choose(void *self, const Any *args, int32_t count, Any *result) {
  const Chooser *chooser = self;
  for (size_t i = 0; i < chooser->count; i++)
    if (has_sizes(chooser->choices[i].sizes, args, count))
      return call(chooser->choices[i].function, args, count, result);
  return call(chooser->other, args, count, result);
}

static void forget_choices(void *self, int flags) {
  Chooser *chooser = self;
  if (flags & OF_ALL) {
    release(chooser->other);
    for (size_t i = 0; i < chooser->count; i++) {
      release((void *)chooser->choices[i].sizes);
      release(chooser->choices[i].function);
    }
  }
  forget(self, flags);
}

/* Takes the function for other sizes, and for each choice, the first that fits first, sizes and a
 * function. Returns the function that chooses. */
EXPORTED int __tvm_ffi_tvmfuse_chooser(void *self, const Any *args, int32_t count, Any *result) {
  size_t choices = count / 2;
  *result = (Any){.type_index = FUNCTION};
  Chooser *chooser = made(sizeof *chooser + choices * sizeof *chooser->choices, result);
  if (!chooser) return -1;
  chooser->object.delete = forget_choices;
  chooser->call = choose;
  chooser->of_cpp = NULL;
  chooser->other = args[0].pointer;
  chooser->count = choices;
  for (size_t i = 0; i < choices; i++)
    chooser->choices[i] = (Choice){(const Shape *)args[1 + 2 * i].pointer, args[2 + 2 * i].pointer};
  for (int32_t i = 0; i < count; i++) retain(args[i].pointer);
  return 0;
}
