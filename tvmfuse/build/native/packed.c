/* What compiled code calls of TVM's runtime, for whoever loads a file without that: memory, and
 * functions by name. Each is called by a pointer that TVM, where it loads the file, sets to its own.
 */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* DLPack's DLTensor. */
typedef struct {
  void *data;
  int32_t device_type, device_id, rank;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *sizes, *strides;
  uint64_t offset;
} Operand;

/* --- Memory of kernels, at multiples of 64 bytes ---------------------------------------------- */

static void *allocate_workspace(int device, int number, uint64_t bytes, int code, int bits) {
  void *memory;
  return posix_memalign(&memory, 64, bytes ? bytes : 64) ? NULL : memory;
}

static int free_workspace(int device, int number, void *memory) {
  free(memory);
  return 0;
}

EXPORTED void *(*__TVMBackendAllocWorkspace)(int, int, uint64_t, int, int) = allocate_workspace;
EXPORTED int (*__TVMBackendFreeWorkspace)(int, int, void *) = free_workspace;

/* --- tvmfuse.index_out_of_range(index, least, size, words) ----------------------------------- */

/* Appends a number, or a text, to a text that has room. */
static char *put_number(char *end, int64_t number) {
  char digits[20];
  int count = 0;
  uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
  do digits[count++] = (char)('0' + left % 10);
  while (left /= 10);
  if (number < 0) *end++ = '-';
  while (count) *end++ = digits[--count];
  return end;
}

static char *put_text(char *end, const char *text, size_t most) {
  size_t length = strlen(text);
  if (length > most) length = most;
  memcpy(end, text, length);
  return end + length;
}

static int refuse_index(void *self, const Any *args, int32_t count, Any *result) {
  char words[512], *end = words;
  end = put_number(put_text(end, "expected numbers from ", 30), args[1].integer);
  end = put_number(put_text(end, " to ", 30), args[2].integer - 1);
  end = put_number(put_text(end, ", indices of ", 30), args[2].integer);
  end = put_text(put_text(end, " elements, of '", 30), args[3].pointer, 300);
  *put_number(put_text(end, "'; found ", 30), args[0].integer) = 0;
  set_error("IndexOutOfRangeError", words);
  return -1;
}

/* --- tvmfuse.wrong_size(found, wanted, words) ------------------------------------------------ */

static int refuse_size(void *self, const Any *args, int32_t count, Any *result) {
  char words[512], *end = words;
  end = put_text(end, "what the model computes of these inputs asks for a shape that it cannot have", 80);
  end = put_number(put_text(end, ": one size is ", 30), args[0].integer);
  end = put_number(put_text(end, ", and has to be ", 30), args[1].integer);
  *put_text(end, args[2].pointer, 300) = 0;
  set_error("InputError", words);
  return -1;
}

/* --- tvm.contrib.sort.topk(x, [values], [indices], k, axis, which, is_ascending) -------------- */

typedef struct {
  uint64_t key; /* in the order of the elements, from the first one on */
  int64_t index;
} Element;

static uint64_t bits_at(const void *data, int64_t place, int bytes) {
  uint64_t bits = 0; /* of a little-endian machine, as all that are compiled for */
  memcpy(&bits, (const char *)data + place * bytes, (size_t)bytes);
  return bits;
}

/* Returns a number that is the larger the larger an element is, and largest of a NaN. */
static uint64_t order_of(uint64_t bits, const Operand *x) {
  uint64_t sign = (uint64_t)1 << (x->bits - 1), all = sign | (sign - 1);
  bool is_float = x->code == 2 || x->code == 4;
  if (!is_float) return x->code == 0 ? bits ^ sign : bits;
  int mantissa = x->code == 4 ? 7 : x->bits == 16 ? 10 : x->bits == 32 ? 23 : 52;
  uint64_t infinity = (sign - 1) & ~(((uint64_t)1 << mantissa) - 1);
  if ((bits & ~sign) > infinity) return all;
  if (bits == sign) bits = 0; /* -0 equals 0 */
  return bits & sign ? ~bits & all : bits | sign;
}

/* Sorts, where elements that are equal keep their order; returns which of both arrays holds them. */
static Element *sorted(Element *from, Element *into, int64_t count) {
  for (int64_t width = 1; width < count; width *= 2) {
    for (int64_t begin = 0; begin < count; begin += 2 * width) {
      int64_t middle = begin + width < count ? begin + width : count;
      int64_t end = middle + width < count ? middle + width : count;
      int64_t left = begin, right = middle;
      for (int64_t at = begin; at < end; at++) {
        bool is_left = left < middle && (right == end || from[left].key <= from[right].key);
        into[at] = from[is_left ? left++ : right++];
      }
    }
    Element *swapped = from;
    from = into, into = swapped;
  }
  return from;
}

static void store_index(Operand *indices, int64_t place, int64_t index) {
  if (indices->bits == 64)
    ((int64_t *)indices->data)[place] = index;
  else
    ((int32_t *)indices->data)[place] = (int32_t)index;
}

static int top_k(void *self, const Any *args, int32_t count, Any *result) {
  const Any *options = args + count - 4;
  const char *which = options[2].pointer;
  const Operand *x = (void *)args[0].pointer;
  Operand *values = strcmp(which, "indices") ? (void *)args[1].pointer : NULL;
  Operand *indices = strcmp(which, "values") ? (void *)args[values ? 2 : 1].pointer : NULL;
  int64_t k = options[0].integer, axis = options[1].integer, before = 1, after = 1;
  if (axis < 0) axis += x->rank;
  for (int32_t i = 0; i < x->rank; i++)
    if (i != axis) *(i < axis ? &before : &after) *= x->sizes[i];
  int64_t size = x->sizes[axis];
  if (k < 1) k = size;
  Element *elements = malloc(((size_t)size * 2 + 1) * sizeof *elements);
  if (!elements) {
    set_error("MemoryError", "out of memory");
    return -1;
  }
  int bytes = x->bits / 8;
  for (int64_t line = 0; line < before * after; line++) {
    int64_t first = line / after * size * after + line % after;
    int64_t into = line / after * k * after + line % after;
    for (int64_t i = 0; i < size; i++) {
      uint64_t order = order_of(bits_at(x->data, first + i * after, bytes), x);
      elements[i] = (Element){options[3].integer ? order : ~order, i};
    }
    const Element *best = sorted(elements, elements + size, size);
    for (int64_t i = 0; i < k && i < size; i++) {
      int64_t from = first + best[i].index * after, to = into + i * after;
      if (indices) store_index(indices, to, best[i].index);
      if (values) memcpy((char *)values->data + to * bytes, (char *)x->data + from * bytes, bytes);
    }
  }
  free(elements);
  return 0;
}

/* --- How compiled code finds and calls them ------------------------------------------------- */

static const struct {
  const char *name;
  Function call;
} packed[] = {{"tvmfuse.index_out_of_range", refuse_index},
            {"tvmfuse.wrong_size", refuse_size},
            {"tvm.contrib.sort.topk", top_k}};

static int find_packed(void *context, const char *name, const void **found) {
  for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
    if (!strcmp(name, packed[i].name)) return *found = &packed[i].call, 0;
  const char *parts[] = {"the model calls a function of TVM's that only TVM has: ", name};
  TVMFFIErrorSetRaisedFromCStrParts("RuntimeError", parts, 2);
  return -1;
}

/* Another thread may look for it at the same time, and finds the same. */
static int find_once(_Atomic(const void *) *slot, int (*find)(const void **found)) {
  const void *found;
  if (atomic_load(slot)) return 0;
  if (find(&found)) return -1;
  atomic_store(slot, found);
  return 0;
}

static int call_found(const void *found, const Any *args, int32_t count, Any *result) {
  return (*(const Function *)found)(NULL, args, count, result);
}

EXPORTED int (*__TVMFFIEnvModLookupFromImports)(void *, const char *, const void **) = find_packed;
EXPORTED int (*__TVMFFIHandleInitOnce)(_Atomic(const void *) *, int (*)(const void **)) = find_once;
EXPORTED int (*__TVMFFIFunctionCall)(const void *, const Any *, int32_t, Any *) = call_found;
