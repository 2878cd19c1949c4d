/* A function of Python's that takes a list of torch's tensors, and returns a list of tensors that
 * compiled code has written: all that a call takes beside kernels, in one step of the interpreter.
 *
 * Whoever makes it has looked at everything that does not change; a call sees to what may. What is
 * not as it should be in the slightest is left to others: then it returns None, and nothing was
 * done. It holds Python's lock from begin to end, so no two calls are under way at once and no fork
 * cuts one in two, and it computes on the calling thread alone: it is for what takes microseconds.
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

/* DLPack's kDLCPU; kernels read with aligned vector loads. */
enum { CPU = 1, ALIGNMENT = 64 };

/* What Python and torch offer. All but `describe`, `data_of` and `allocate` is Python's stable
 * interface, with its own names. */
static struct {
  int (*describe)(void *tensor, Tensor *described); /* DLPack's DLPackDLTensorFromPyObjectNoSync */
  char *(*data_of)(void *tensor);                   /* where a tensor's elements lie */
  void *allocate;                                   /* called to allocate a tensor */
  void *none;
  void *(*item)(void *list, intptr_t place); /* PyList_GetItem */
  void *(*list)(intptr_t size);              /* PyList_New */
  int (*set_item)(void *list, intptr_t place, void *item);
  void *(*call)(void *function, void *arguments); /* PyObject_CallObject */
  void *(*address)(void *number);                 /* PyLong_AsVoidPtr */
  void (*hold)(void *), (*drop)(void *);          /* Py_IncRef, Py_DecRef */
  void (*forget_error)(void);                     /* PyErr_Clear */
} python;

/* An input: where it lies in the list of arguments, what it has to be, and how kernels see it. */
typedef struct {
  int64_t place;
  Tensor expected;
  Tensor *header;
} Input;

/* A weight that kernels read where it lies: where it has to be. */
typedef struct {
  int64_t place;
  void *tensor;     /* mostly */
  int64_t only_that; /* whether another one of the same memory is not as good */
  char *data;
} Weight;

/* A result: what `allocate` takes, and how kernels see it. */
typedef struct {
  void *allocated;
  Tensor *header;
} Result;

/* What one function does. */
typedef struct {
  Function function;
  Any *operands;  /* of it */
  int64_t operand_count;
  Pool *pool; /* of one thread */
  int64_t input_count, weight_count, result_count, output_count;
  Input *inputs;
  Weight *weights;
  Result *results;
  int64_t *outputs; /* places among the results, then the arguments; of None -1 */
} Quick;

static int is_as_expected(const Tensor *tensor, const Tensor *expected) {
  if (tensor->device_type != CPU || tensor->dtype != expected->dtype || tensor->ndim != expected->ndim) return 0;
  for (int axis = 0; axis < tensor->ndim; axis++) {
    int64_t size = expected->shape[axis];
    if (tensor->shape[axis] != size) return 0;
    if (size != 1 && (!tensor->strides || tensor->strides[axis] != expected->strides[axis])) return 0;
  }
  return 1;
}

static int is_readable(const char *data) { return data && (uintptr_t)data % ALIGNMENT == 0; }

/* Returns where the elements of an argument lie; NULL if that is no tensor. */
static char *described(void *arguments, int64_t place, Tensor *tensor) {
  void *given = python.item(arguments, place);
  if (given && !python.describe(given, tensor)) return tensor->data + tensor->byte_offset;
  python.forget_error();
  return NULL;
}

static int weights_lie_there(const Quick *quick, void *arguments) {
  for (int64_t i = 0; i < quick->weight_count; i++) {
    const Weight *weight = &quick->weights[i];
    void *given = python.item(arguments, weight->place);
    Tensor tensor;
    if (given && given == weight->tensor) {
      if (python.data_of(given) != weight->data) return 0;
    } else if (weight->only_that || described(arguments, weight->place, &tensor) != weight->data) {
      return 0;
    }
  }
  return 1;
}

/* Allocates results, so many as there is memory for; returns how many. */
static int64_t allocate(const Quick *quick, void **made) {
  for (int64_t i = 0; i < quick->result_count; i++)
    if (!(made[i] = python.call(python.allocate, quick->results[i].allocated))) return i;
  return quick->result_count;
}

/* Runs the function; from here on no code of Python's runs, which another thread might take up.
 * Returns whether that succeeded. */
static int run(const Quick *quick, char **data, void **made) {
  for (int64_t i = 0; i < quick->result_count; i++) {
    char *place = python.data_of(made[i]);
    if (!is_readable(place)) return 0;
    quick->results[i].header->data = place;
  }
  for (int64_t i = 0; i < quick->input_count; i++) quick->inputs[i].header->data = data[i];
  void *before = pthread_getspecific(chosen);
  Any returned = {0};
  use(quick->pool);
  int failed = quick->function(NULL, quick->operands, quick->operand_count, &returned);
  use(before);
  return !failed;
}

/* Returns the list of outputs; NULL with an error of Python's. */
static void *outputs(const Quick *quick, void *arguments, void **made) {
  void *list = python.list(quick->output_count);
  for (int64_t i = 0; list && i < quick->output_count; i++) {
    int64_t place = quick->outputs[i], argument = place - quick->result_count;
    void *found = place < 0 ? python.none : argument < 0 ? made[place] : python.item(arguments, argument);
    python.hold(found);
    if (!found || python.set_item(list, i, found)) {
      python.drop(list);
      return NULL;
    }
  }
  return list;
}

/* Takes the address of a `Quick` and a list of arguments. */
static void *quick_call(void *self, void *arguments) {
  const Quick *quick = python.address(self);
  char *data[quick->input_count + 1];
  void *made[quick->result_count + 1], *list = python.none;
  Tensor tensor;
  for (int64_t i = 0; i < quick->input_count; i++) {
    const Input *input = &quick->inputs[i];
    data[i] = described(arguments, input->place, &tensor);
    if (!is_readable(data[i]) || !is_as_expected(&tensor, &input->expected)) goto none;
  }
  if (!weights_lie_there(quick, arguments)) goto none;
  int64_t count = allocate(quick, made);
  if (count < quick->result_count)
    list = NULL;
  else if (run(quick, data, made))
    list = outputs(quick, arguments, made);
  else
    python.hold(list);
  while (count) python.drop(made[--count]);
  return list;
none:
  python.hold(list);
  return list;
}

/* Python's PyMethodDef, with METH_O. */
typedef struct {
  const char *name;
  void *(*function)(void *, void *);
  int flags;
  const char *doc;
} Method;

/* Returns the address of a method; `args` is that of what Python and torch offer. It is never freed:
 * as it ends, Python looks at those of functions after this code has gone. */
static intptr_t method_of(const char *name, void *(*function)(void *, void *), const Any *args) {
  Method *method = malloc(sizeof *method);
  if (method) *method = (Method){name, function, 8, NULL};
  __builtin_memcpy(&python, args[0].pointer, sizeof python);
  return (intptr_t)method;
}

EXPORTED int __tvm_ffi_tvmfuse_quick_call(void *self, const Any *args, int32_t count, Any *result) {
  *result = (Any){.type_index = INT, .integer = method_of("quick_call", quick_call, args)};
  return 0;
}
