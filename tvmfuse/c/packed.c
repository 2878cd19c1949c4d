/* Functions of TVM's that compiled code calls by name: those that C has, too. */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- tvmfuse.index_out_of_range(index, least, size, words) ----------------------------------- */

static int refuse_index(void *self, const Any *args, int32_t count, Any *result) {
  (void)self, (void)count, (void)result;
  char words[512];
  snprintf(words, sizeof words,
           "expected numbers from %lld to %lld, indices of %lld elements, of '%s'; found %lld",
           (long long)args[1].integer, (long long)args[2].integer - 1, (long long)args[2].integer,
           (const char *)args[3].pointer, (long long)args[0].integer);
  const char *part = words;
  tvmf_say("IndexOutOfRangeError", &part, 1);
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
static uint64_t order_of(uint64_t bits, tvmfuse_dtype dtype) {
  uint64_t sign = (uint64_t)1 << (dtype.bits - 1), all = sign | (sign - 1);
  bool is_float = dtype.code == 2 || dtype.code == 4;
  if (!is_float) return dtype.code == 0 ? bits ^ sign : bits;
  int mantissa = dtype.code == 4 ? 7 : dtype.bits == 16 ? 10 : dtype.bits == 32 ? 23 : 52;
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

static void store_index(Tensor *indices, int64_t place, int64_t index) {
  if (indices->dtype.bits == 64)
    ((int64_t *)indices->data)[place] = index;
  else
    ((int32_t *)indices->data)[place] = (int32_t)index;
}

static int top_k(void *self, const Any *args, int32_t count, Any *result) {
  (void)self, (void)result;
  const Any *options = args + count - 4;
  const char *which = options[2].pointer;
  const Tensor *x = args[0].pointer;
  Tensor *values = !strcmp(which, "indices") ? NULL : args[1].pointer;
  Tensor *indices = !strcmp(which, "values") ? NULL : args[values ? 2 : 1].pointer;
  int64_t k = options[0].integer, axis = options[1].integer, before = 1, after = 1;
  if (axis < 0) axis += x->rank;
  for (int32_t i = 0; i < x->rank; i++)
    if (i != axis) *(i < axis ? &before : &after) *= x->sizes[i];
  int64_t size = x->sizes[axis];
  if (k < 1) k = size;
  Element *elements = malloc(((size_t)size * 2 + 1) * sizeof *elements);
  if (!elements) {
    const char *part = "out of memory";
    return tvmf_say("MemoryError", &part, 1), -1;
  }
  int bytes = x->dtype.bits / 8;
  for (int64_t line = 0; line < before * after; line++) {
    int64_t first = line / after * size * after + line % after;
    int64_t into = line / after * k * after + line % after;
    for (int64_t i = 0; i < size; i++) {
      uint64_t order = order_of(bits_at(x->data, first + i * after, bytes), x->dtype);
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

/* --- How compiled code finds and calls them -------------------------------------------------- */

static const struct {
  const char *name;
  Function call;
} functions[] = {{"tvmfuse.index_out_of_range", refuse_index}, {"tvm.contrib.sort.topk", top_k}};

/* Finds a function by name, as TVMFFIEnvModLookupFromImports does. */
int tvmf_find_packed(void *context, const char *name, const void **found) {
  (void)context;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (!strcmp(name, functions[i].name)) return *found = &functions[i].call, 0;
  const char *parts[] = {"the model calls a function of TVM's that C does not have: ", name};
  return tvmf_say("RuntimeError", parts, 2), -1;
}

/* Finds a function when it is first called, as TVMFFIHandleInitOnce does. */
int tvmf_find_once(_Atomic(void *) *slot, int (*find)(void **found)) {
  if (atomic_load(slot)) return 0;
  void *found; /* another thread may find it, too: it is the same one */
  if (find(&found)) return -1;
  atomic_store(slot, found);
  return 0;
}

/* Calls a function that was found, as TVMFFIFunctionCall does. */
int tvmf_call_packed(const void *found, const Any *args, int32_t count, Any *result) {
  return (*(const Function *)found)(NULL, args, count, result);
}
