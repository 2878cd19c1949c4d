/* What has to hold of inputs' sizes, and of numbers that are indices. */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char no_memory[] = "(no memory for the words)";

/* Returns the size of a symbolic dimension; NULL where no input has it. */
static const Symbol *find(const Json *json, Node name, const Symbols *symbols) {
  for (int32_t i = 0; i < symbols->count; i++)
    if (tvmf_json_is(json, name, symbols->symbols[i].name)) return &symbols->symbols[i];
  return NULL;
}

static int64_t floor_divided(int64_t a, int64_t b) {
  return a / b - (a % b && (a < 0) != (b < 0));
}

/* Computes a sign of two sizes; returns whether 64 bits hold it. */
static bool combine(const Json *json, Node sign, int64_t a, int64_t b, int64_t *value) {
  if (tvmf_json_is(json, sign, "+")) return !__builtin_add_overflow(a, b, value);
  if (tvmf_json_is(json, sign, "-")) return !__builtin_sub_overflow(a, b, value);
  if (tvmf_json_is(json, sign, "*")) return !__builtin_mul_overflow(a, b, value);
  if (tvmf_json_is(json, sign, "min"))
    *value = a < b ? a : b;
  else if (tvmf_json_is(json, sign, "max"))
    *value = a > b ? a : b;
  else if (b == -1 && a == INT64_MIN)
    return false;
  else if (tvmf_json_is(json, sign, "//"))
    *value = b ? floor_divided(a, b) : 0;
  else if (tvmf_json_is(json, sign, "%"))
    *value = b ? a - b * floor_divided(a, b) : 0;
  else
    return false;
  return true;
}

/* Computes a size: a number, a name, or a list of a sign and two sizes. The text bounds the depth. */
static bool compute(const Json *json, Node size, const Symbols *symbols, int64_t *value) {
  if (!size) return false;
  if (size->kind == '"') {
    const Symbol *found = find(json, size, symbols);
    if (found) *value = found->size;
    return found;
  }
  if (size->kind != '[') return tvmf_json_integer(json, size, value);
  Node sign = tvmf_json_first(json, size);
  Node left = sign ? tvmf_json_next(json, size, sign) : NULL;
  Node right = left ? tvmf_json_next(json, size, left) : NULL;
  int64_t a, b;
  return right && compute(json, left, symbols, &a) && compute(json, right, symbols, &b) &&
         combine(json, sign, a, b, value);
}

/* Returns an object's value, whatever it is; NULL where there is none. */
static Node member(const Json *json, Node object, const char *key) {
  static const char kinds[] = "\"[0";
  Node found = NULL;
  for (const char *kind = kinds; *kind && !found; kind++)
    found = tvmf_json_member(json, object, key, *kind);
  return found;
}

static tvmfuse_status cannot_be(const char *input) {
  return tvmf_fail(TVMFUSE_DAMAGED, "input %s: the file states a condition that cannot be computed",
                   input);
}

/* Fails with the words that the file has for a condition. */
static tvmfuse_status broken(const Json *json, Node condition, const char *input, const char *what) {
  char *words = tvmf_json_string(json, tvmf_json_member(json, condition, "words", '"'));
  tvmfuse_status failed = tvmf_fail(TVMFUSE_INVALID_ARGUMENT, "input %s: %s %s", input, what,
                                    words ? words : no_memory);
  free(words);
  return failed;
}

static tvmfuse_status check_equations(const Json *json, const Spec *spec, const Symbols *symbols) {
  Node list = spec->equations;
  for (Node e = tvmf_json_first(json, list); e; e = tvmf_json_next(json, list, e)) {
    int64_t left, right;
    if (!compute(json, member(json, e, "left"), symbols, &left) ||
        !compute(json, member(json, e, "right"), symbols, &right))
      return cannot_be(spec->said.name);
    if (left != right)
      return broken(json, e, spec->said.name, "the model takes only sizes with");
  }
  return TVMFUSE_OK;
}

static Node element(const Json *json, Node list, int32_t place) {
  Node e = list ? tvmf_json_first(json, list) : NULL;
  while (e && place--) e = tvmf_json_next(json, list, e);
  return e;
}

/* Checks a symbolic dimension against its bounds, and against others of its name. */
static tvmfuse_status check_symbol(const Json *json, const Spec *spec, int32_t axis, int64_t size,
                                   Symbols *symbols) {
  const tvmfuse_spec *said = &spec->said;
  const char *name = said->names[axis];
  int64_t bound;
  if (tvmf_json_integer(json, element(json, spec->least, axis), &bound) && size < bound)
    return tvmf_fail(TVMFUSE_INVALID_ARGUMENT,
                     "input %s: dimension %d is %lld, and the model takes at least %lld for %s",
                     said->name, axis, (long long)size, (long long)bound, name);
  if (tvmf_json_integer(json, element(json, spec->most, axis), &bound) && size > bound)
    return tvmf_fail(TVMFUSE_INVALID_ARGUMENT,
                     "input %s: dimension %d is %lld, and the model takes at most %lld for %s",
                     said->name, axis, (long long)size, (long long)bound, name);
  for (int32_t i = 0; i < symbols->count; i++) {
    const Symbol *other = &symbols->symbols[i];
    if (strcmp(other->name, name)) continue;
    if (other->size == size) return TVMFUSE_OK;
    return tvmf_fail(TVMFUSE_INVALID_ARGUMENT,
                     "inputs %s and %s disagree on the dimension %s: it is %lld and %lld",
                     other->input, said->name, name, (long long)other->size, (long long)size);
  }
  symbols->symbols[symbols->count++] = (Symbol){name, size, said->name};
  return TVMFUSE_OK;
}

/* Checks the sizes of all inputs, and notes those of symbolic dimensions; there is room for all. */
tvmfuse_status tvmf_check_sizes(const Json *json, const Specs *inputs, const Tensor *tensors,
                                Symbols *symbols) {
  for (int32_t i = 0; i < inputs->count; i++) {
    const Spec *spec = &inputs->specs[i];
    for (int32_t axis = 0; axis < spec->said.rank; axis++) {
      int64_t size = tensors[i].sizes[axis], wanted = spec->said.sizes[axis];
      tvmfuse_status failed = TVMFUSE_OK;
      if (size < 0 || (wanted >= 0 && size != wanted))
        failed = tvmf_fail(TVMFUSE_INVALID_ARGUMENT,
                           "input %s: dimension %d is %lld instead of %lld", spec->said.name, axis,
                           (long long)size, (long long)wanted);
      else if (wanted < 0)
        failed = check_symbol(json, spec, axis, size, symbols);
      if (failed) return failed;
    }
    tvmfuse_status failed = check_equations(json, spec, symbols);
    if (failed) return failed;
  }
  return TVMFUSE_OK;
}

int32_t tvmf_pick_count(const Json *json, const Specs *inputs) {
  int32_t count = 0;
  for (int32_t i = 0; i < inputs->count; i++)
    count += tvmf_json_length(json, inputs->specs[i].picks);
  return count;
}

/* Computes which indices there are; there is room for as many picks as `tvmf_pick_count` says. */
tvmfuse_status tvmf_read_picks(const Json *json, const Specs *inputs, const Symbols *symbols,
                               Pick *picks) {
  for (int32_t i = 0; i < inputs->count; i++) {
    Node list = inputs->specs[i].picks;
    for (Node e = tvmf_json_first(json, list); e; e = tvmf_json_next(json, list, e), picks++) {
      int64_t size;
      if (!compute(json, member(json, e, "size"), symbols, &size) || size < 0)
        return cannot_be(inputs->specs[i].said.name);
      bool from_back = tvmf_json_member(json, e, "from_back", 't');
      *picks = (Pick){i, from_back ? -size : 0, size, e};
    }
  }
  return TVMFUSE_OK;
}

/* Returns a number of a tensor of integers; one that is too large for 63 bits as the largest. */
static int64_t number_at(const Tensor *tensor, uint64_t place) {
  enum { UNSIGNED = 1 << 8 };
  const void *data = tensor->data;
  switch (tensor->dtype.bits | (tensor->dtype.code ? UNSIGNED : 0)) {
    case 8: return ((const int8_t *)data)[place];
    case 16: return ((const int16_t *)data)[place];
    case 32: return ((const int32_t *)data)[place];
    case 64: return ((const int64_t *)data)[place];
    case 8 | UNSIGNED: return ((const uint8_t *)data)[place];
    case 16 | UNSIGNED: return ((const uint16_t *)data)[place];
    case 32 | UNSIGNED: return ((const uint32_t *)data)[place];
  }
  uint64_t number = ((const uint64_t *)data)[place];
  return number <= INT64_MAX ? (int64_t)number : INT64_MAX;
}

/* Refuses indices of elements that there are not. */
tvmfuse_status tvmf_check_pick(const Json *json, const Specs *inputs, const Pick *pick,
                               const Tensor *tensor) {
  uint64_t count = 1;
  for (int32_t axis = 0; axis < tensor->rank; axis++) count *= (uint64_t)tensor->sizes[axis];
  for (uint64_t place = 0; place < count; place++) {
    int64_t number = number_at(tensor, place);
    if (number >= pick->least && number < pick->size) continue;
    char what[128];
    snprintf(what, sizeof what, "%lld is no index from %lld to %lld:", (long long)number,
             (long long)pick->least, (long long)pick->size - 1);
    return broken(json, pick->words, inputs->specs[pick->input].said.name, what);
  }
  return TVMFUSE_OK;
}
