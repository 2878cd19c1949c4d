/* What a compiled file says of its model: inputs, outputs and weights. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_DIMENSIONS = 64 };

/* The words for elements, and what lies in memory: those that no kernel computes with are bytes. */
static const struct {
  const char *type;
  tvmfuse_dtype dtype;
} dtypes[] = {
    {"float32", {2, 32, 1}},       {"float64", {2, 64, 1}},       {"float16", {2, 16, 1}},
    {"bfloat16", {4, 16, 1}},      {"int8", {0, 8, 1}},           {"int16", {0, 16, 1}},
    {"int32", {0, 32, 1}},         {"int64", {0, 64, 1}},         {"uint8", {1, 8, 1}},
    {"uint16", {1, 16, 1}},        {"uint32", {1, 32, 1}},        {"uint64", {1, 64, 1}},
    {"bool", {6, 8, 1}},           {"int4", {0, 8, 1}},           {"int2", {0, 8, 1}},
    {"uint4", {1, 8, 1}},          {"uint2", {1, 8, 1}},          {"float8_e4m3fn", {1, 8, 1}},
    {"float8_e4m3fnuz", {1, 8, 1}}, {"float8_e5m2", {1, 8, 1}},   {"float8_e5m2fnuz", {1, 8, 1}},
    {"float6_e2m3fn", {1, 8, 1}},  {"float6_e3m2fn", {1, 8, 1}},  {"float4_e2m1fn", {1, 8, 1}},
    {"float8_e8m0fnu", {1, 8, 1}},
};

static bool find_dtype(const Json *json, Node type, tvmfuse_dtype *dtype) {
  for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
    if (tvmf_json_is(json, type, dtypes[i].type)) {
      *dtype = dtypes[i].dtype;
      return true;
    }
  return false;
}

/* Computes how many bytes a tensor takes; returns whether its sizes can be. */
bool tvmf_bytes_of(tvmfuse_dtype dtype, int32_t rank, const int64_t *sizes, uint64_t *bytes) {
  uint64_t spanned = dtype.bits / 8; /* also by a tensor without elements */
  bool is_empty = false;
  for (int32_t axis = 0; axis < rank; axis++) {
    if (sizes[axis] < 0) return false;
    if (!sizes[axis])
      is_empty = true;
    else if (__builtin_mul_overflow(spanned, (uint64_t)sizes[axis], &spanned))
      return false;
  }
  *bytes = is_empty ? 0 : spanned;
  return spanned <= INT64_MAX;
}

static tvmfuse_status malformed(const char *name, const char *what) {
  return tvmf_fail(TVMFUSE_DAMAGED, "%s says of itself what tvmfuse does not write: %s", name, what);
}

/* Reads a shape into arrays of its length; without `names`, all sizes have to be fixed. */
static bool read_sizes(const Json *json, Node shape, int64_t *sizes, char **names) {
  int axis = 0;
  for (Node e = tvmf_json_first(json, shape); e; e = tvmf_json_next(json, shape, e), axis++) {
    if (names && e->kind == '"') {
      sizes[axis] = -1;
      if (!(names[axis] = tvmf_json_string(json, e))) return false;
    } else if (!tvmf_json_integer(json, e, &sizes[axis]) || sizes[axis] < 0) {
      return false;
    }
  }
  return true;
}

static tvmfuse_status read_spec(const Json *json, Node node, const char *name, tvmfuse_spec *said) {
  Node shape = tvmf_json_member(json, node, "shape", '[');
  Node type = tvmf_json_member(json, node, "dtype", '"');
  Node called = tvmf_json_member(json, node, "name", '"');
  int32_t rank = shape ? tvmf_json_length(json, shape) : MOST_DIMENSIONS + 1;
  if (!called || !type || !find_dtype(json, type, &said->dtype) || rank > MOST_DIMENSIONS)
    return malformed(name, "an input or output without name, type or shape");
  int64_t *sizes = calloc((size_t)rank + 1, sizeof *sizes);
  char **names = calloc((size_t)rank + 1, sizeof *names);
  said->sizes = sizes;
  said->names = (const char *const *)names;
  said->name = tvmf_json_string(json, called);
  said->type = tvmf_json_string(json, type);
  if (!sizes || !names || !said->name || !said->type) return tvmf_no_memory();
  said->rank = rank;
  if (!read_sizes(json, shape, sizes, names)) return malformed(name, "a size that cannot be");
  return TVMFUSE_OK;
}

static tvmfuse_status read_specs(const Json *json, Node manifest, const char *key, const char *name,
                                 Specs *specs) {
  Node list = tvmf_json_member(json, manifest, key, '[');
  if (!list) return malformed(name, "no inputs or outputs");
  specs->specs = calloc((size_t)tvmf_json_length(json, list) + 1, sizeof *specs->specs);
  if (!specs->specs) return tvmf_no_memory();
  for (Node e = tvmf_json_first(json, list); e; e = tvmf_json_next(json, list, e)) {
    tvmfuse_status failed = read_spec(json, e, name, &specs->specs[specs->count++]);
    if (failed) return failed;
  }
  return TVMFUSE_OK;
}

static tvmfuse_status read_weight(const Json *json, Node said, const Record *record, Place place,
                                  const char *name, Tensor *weight) {
  Node type = said->kind == '[' ? tvmf_json_first(json, said) : NULL;
  Node shape = type ? tvmf_json_next(json, said, type) : NULL;
  int32_t rank = shape && shape->kind == '[' ? tvmf_json_length(json, shape) : MOST_DIMENSIONS + 1;
  *weight = (Tensor){.data = (void *)(record->file.data + place.offset), .device_type = CPU};
  uint64_t bytes;
  if (rank > MOST_DIMENSIONS || !find_dtype(json, type, &weight->dtype))
    return malformed(name, "a weight without type or shape");
  int64_t *sizes = calloc((size_t)rank + 1, sizeof *sizes);
  if (!sizes) return tvmf_no_memory();
  weight->sizes = sizes;
  weight->rank = rank;
  if (!read_sizes(json, shape, sizes, NULL) ||
      !tvmf_bytes_of(weight->dtype, rank, sizes, &bytes) || bytes != place.size)
    return malformed(name, "a weight of another size than its own");
  return TVMFUSE_OK;
}

static tvmfuse_status read_weights(const Record *record, const char *name, Manifest *manifest) {
  const Json *json = &record->index;
  Node list = tvmf_json_member(json, record->build, "weights", '[');
  int32_t count = list ? tvmf_json_length(json, list) : 0;
  if (!list || count != record->place_count - 1)
    return malformed(name, "other weights than there are parts");
  manifest->weights = calloc((size_t)count + 1, sizeof *manifest->weights);
  if (!manifest->weights) return tvmf_no_memory();
  for (Node e = tvmf_json_first(json, list); e; e = tvmf_json_next(json, list, e)) {
    int32_t place = manifest->weight_count++;
    tvmfuse_status failed = read_weight(json, e, record, record->places[place + 1], name,
                                        &manifest->weights[place]);
    if (failed) return failed;
  }
  return TVMFUSE_OK;
}

/* Checks that the last weights are the defaults of overridable inputs. */
static tvmfuse_status check_defaults(const Manifest *manifest, const char *name) {
  const Specs *specs = &manifest->overridable;
  if (specs->count > manifest->weight_count) return malformed(name, "inputs without defaults");
  for (int32_t i = 0; i < specs->count; i++) {
    const tvmfuse_spec *said = &specs->specs[i];
    const Tensor *found = &manifest->weights[manifest->weight_count - specs->count + i];
    if (memcmp(&said->dtype, &found->dtype, sizeof said->dtype) || said->rank != found->rank ||
        memcmp(said->sizes, found->sizes, (size_t)said->rank * sizeof *said->sizes))
      return malformed(name, "inputs that do not fit their defaults");
  }
  return TVMFUSE_OK;
}

/* Returns which of them has a name, or -1. */
static int32_t find_spec(const Json *json, const Specs *specs, Node name) {
  for (int32_t i = 0; i < specs->count; i++)
    if (tvmf_json_is(json, name, specs->specs[i].name)) return i;
  return -1;
}

static bool are_alike(const tvmfuse_spec *one, const tvmfuse_spec *other) {
  if (memcmp(&one->dtype, &other->dtype, sizeof one->dtype) || one->rank != other->rank ||
      memcmp(one->sizes, other->sizes, (size_t)one->rank * sizeof *one->sizes))
    return false;
  for (int32_t axis = 0; axis < one->rank; axis++)
    if (one->names[axis] && strcmp(one->names[axis], other->names[axis])) return false;
  return true;
}

/* Reads which outputs may take the memory of inputs: for each such output's name an input's. */
static tvmfuse_status read_shared(const Json *json, Node said, const char *name,
                                  Manifest *manifest) {
  const Specs *inputs = &manifest->inputs, *outputs = &manifest->outputs;
  manifest->shared = calloc((size_t)outputs->count + 1, sizeof *manifest->shared);
  bool *taken = calloc((size_t)inputs->count + 1, sizeof *taken);
  tvmfuse_status failed = manifest->shared && taken ? TVMFUSE_OK : tvmf_no_memory();
  for (int32_t i = 0; i < outputs->count && !failed; i++) manifest->shared[i] = -1;
  Node list = tvmf_json_member(json, said, "shared", '{');
  for (Node key = tvmf_json_first(json, list); key && !failed;
       key = tvmf_json_next(json, list, key + 1)) {
    int32_t output = find_spec(json, outputs, key), input = find_spec(json, inputs, key + 1);
    if (output < 0 || input < 0 || taken[input] || manifest->shared[output] >= 0 ||
        !are_alike(&outputs->specs[output], &inputs->specs[input])) {
      failed = malformed(name, "an output in the memory of no input that is like it");
    } else {
      manifest->shared[output] = input;
      taken[input] = true;
    }
  }
  free(taken);
  return failed;
}

/* Reads what the model is; `tvmf_free_manifest` takes it also on failure. */
tvmfuse_status tvmf_read_manifest(const Record *record, const char *name, Manifest *manifest) {
  const Json *json = &record->index;
  Node said = tvmf_json_member(json, record->build, "manifest", '{');
  if (!said) return malformed(name, "no manifest");
  if (!(manifest->json = strndup(json->text + said->begin, said->end - said->begin)))
    return tvmf_no_memory();
  Node level = tvmf_json_member(json, said, "level", '"');
  if (!level) return malformed(name, "no optimization level");
  if (!(manifest->level = tvmf_json_string(json, level))) return tvmf_no_memory();
  tvmfuse_status failed = read_specs(json, said, "inputs", name, &manifest->inputs);
  if (!failed) failed = read_specs(json, said, "outputs", name, &manifest->outputs);
  if (!failed) failed = read_specs(json, said, "overridable", name, &manifest->overridable);
  if (!failed) failed = read_shared(json, said, name, manifest);
  if (!failed) failed = read_weights(record, name, manifest);
  if (!failed) failed = check_defaults(manifest, name);
  return failed;
}

static void free_specs(Specs *specs) {
  for (int32_t i = 0; i < specs->count; i++) {
    tvmfuse_spec *said = &specs->specs[i];
    for (int32_t axis = 0; axis < said->rank; axis++) free((char *)said->names[axis]);
    free((void *)said->names);
    free((int64_t *)said->sizes);
    free((char *)said->name);
    free((char *)said->type);
  }
  free(specs->specs);
}

void tvmf_free_manifest(Manifest *manifest) {
  free_specs(&manifest->inputs);
  free_specs(&manifest->outputs);
  free_specs(&manifest->overridable);
  for (int32_t i = 0; i < manifest->weight_count; i++) free((int64_t *)manifest->weights[i].sizes);
  free(manifest->weights);
  free(manifest->shared);
  free(manifest->json);
  free(manifest->level);
}
