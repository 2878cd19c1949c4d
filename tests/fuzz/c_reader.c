/* Fuzzes what the C library reads of a compiled file; `c_reader.py` builds and runs it.
 *
 * An input is a whole file. Its index is what is mutated, and it gets checksums that fit, or nearly
 * all inputs would be refused by those alone. Machine code is never loaded: two functions below
 * stand in the place of those in `library.c`.
 */
#include "../../tvmfuse/c/internal.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(holds) \
  if (!(holds)) fprintf(stderr, "does not hold: %s\n", #holds), abort()

tvmfuse_status tvmf_open_library(const uint8_t *data, size_t size, const char *name,
                                 Library *library) {
  (void)name, (void)library;
  uint8_t sum = 0;
  for (size_t i = 0; i < size; i++) sum |= data[i];
  CHECK(sum);
  return TVMFUSE_OK;
}

void tvmf_close_library(Library *library) { (void)library; }

/* --- What has to hold of any file ------------------------------------------------------------ */

static bool is_utf8(const char *text) { return mbstowcs(NULL, text, 0) != (size_t)-1; }

static void check_spec(const tvmfuse_spec *said) {
  CHECK(is_utf8(said->name) && is_utf8(said->type));
  for (int32_t axis = 0; axis < said->rank; axis++) {
    CHECK(said->sizes[axis] >= -1 && (said->sizes[axis] < 0) == !!said->names[axis]);
    CHECK(!said->names[axis] || is_utf8(said->names[axis]));
  }
}

static void check_weights(const tvmfuse_model *model, const uint8_t *file, size_t size) {
  CHECK(model->manifest.overridable.count <= model->manifest.weight_count);
  for (int32_t i = 0; i < model->manifest.weight_count; i++) {
    const Tensor *weight = &model->manifest.weights[i];
    const uint8_t *data = weight->data;
    uint64_t bytes;
    CHECK(tvmf_is_aligned(data));
    CHECK(tvmf_bytes_of(weight->dtype, weight->rank, weight->sizes, &bytes));
    CHECK(data >= file && data <= file + size && bytes <= (uint64_t)(file + size - data));
    CHECK(bytes == model->record.places[i + 1].size);
  }
}

static void check_model(const tvmfuse_model *model, const uint8_t *file, size_t size) {
  tvmfuse_spec said;
  for (int32_t i = 0; i < tvmfuse_input_count(model); i++) {
    CHECK(!tvmfuse_input(model, i, &said));
    check_spec(&said);
  }
  for (int32_t i = 0; i < tvmfuse_output_count(model); i++) {
    CHECK(!tvmfuse_output(model, i, &said));
    check_spec(&said);
    int32_t shared = tvmfuse_shared_input(model, i);
    CHECK(shared >= -1 && shared < tvmfuse_input_count(model));
  }
  for (int32_t i = 0; i < tvmfuse_overridable_count(model); i++) {
    CHECK(!tvmfuse_overridable(model, i, &said));
    check_spec(&said);
  }
  Json manifest;
  const char *text = tvmfuse_manifest(model);
  CHECK(is_utf8(text) && is_utf8(tvmfuse_level(model)));
  CHECK(tvmf_json_read(&manifest, text, strlen(text)));
  tvmf_json_free(&manifest);
  check_weights(model, file, size);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  CHECK(setlocale(LC_CTYPE, "C.UTF-8"));
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  void *file; /* of these bytes and no more: one that is read beyond them shows */
  CHECK(!posix_memalign(&file, ALIGNMENT, size));
  if (size) memcpy(file, data, size);
  tvmfuse_model *model;
  tvmfuse_status status = tvmfuse_open_memory(file, size, NULL, &model);
  if (status) {
    CHECK(status == TVMFUSE_DAMAGED || status == TVMFUSE_INCOMPATIBLE);
    CHECK(!model && *tvmfuse_last_error());
  } else {
    check_model(model, file, size);
  }
  tvmfuse_close(model);
  free(file);
  return 0;
}

/* --- Mutations ------------------------------------------------------------------------------- */

enum { STATED_BYTES = 44, FOOTER_BYTES = 60 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);

/* What may stand in the place of a part of the index, beside its other parts. */
static const char *const values[] = {
    "0",   "-1",   "1",   "4294967296",  "9223372036854775807", "-9223372036854775808",
    "[]",  "{}",   "[[",  "\"\"",        "\"n\"",               "\"\\ud83d\\ude00\"",
    "0.5", "null", "1e9", "\"float64\"", "\"amx-tile\"",        "\"\\ud83d\"",
    "1, 1, 1, 1",  "\"\\u0000\"",
};
enum { VALUES = sizeof values / sizeof *values };

/* Puts a part of a JSON text, or a value, before a part or in its place; returns the length. */
static size_t change_part(char *text, size_t size, size_t room, unsigned *random) {
  Json json;
  if (!tvmf_json_read(&json, text, size)) return LLVMFuzzerMutate((uint8_t *)text, size, room);
  JsonNode old = json.nodes[rand_r(random) % json.count];
  JsonNode other = rand_r(random) % 2 ? json.nodes[rand_r(random) % json.count] : old;
  tvmf_json_free(&json);
  bool is_part = rand_r(random) % 2, stays = rand_r(random) % 2;
  const char *from = is_part ? text + other.begin : values[rand_r(random) % VALUES];
  int bytes = is_part ? (int)(other.end - other.begin) : (int)strlen(from);
  char *put;
  int length = asprintf(&put, "%.*s%s", bytes, from, stays ? ", " : "");
  CHECK(length >= 0);
  uint32_t end = stays ? old.begin : old.end;
  size_t changed = size + (size_t)length - (end - old.begin);
  if (changed > room) {
    changed = size;
  } else {
    memmove(text + old.begin + length, text + end, size - end);
    memcpy(text + old.begin, put, (size_t)length);
  }
  free(put);
  return changed;
}

/* Writes the sizes, and the checksums that fit: of the contents, and of the index. */
static void seal(uint8_t *file, uint64_t contents, uint64_t index) {
  uint8_t *text = file + contents, *footer = text + index;
  uint64_t of_contents = tvmf_checksum(file, contents);
  memcpy(footer + 4, &contents, sizeof contents);
  memcpy(footer + 12, &index, sizeof index);
  memcpy(footer + 20, &of_contents, sizeof of_contents);
  uint64_t of_index = tvmf_checksum(text, index + STATED_BYTES);
  memcpy(footer + STATED_BYTES, &of_index, sizeof of_index);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed) {
  uint64_t contents, index;
  uint8_t footer[FOOTER_BYTES];
  if (size < FOOTER_BYTES || room < size || rand_r(&seed) % 16 == 0)
    return LLVMFuzzerMutate(data, size, room);
  memcpy(footer, data + size - FOOTER_BYTES, FOOTER_BYTES);
  memcpy(&contents, footer + 4, sizeof contents);
  memcpy(&index, footer + 12, sizeof index);
  if (contents > size - FOOTER_BYTES || index != size - FOOTER_BYTES - contents)
    return LLVMFuzzerMutate(data, size, room);
  uint8_t *text = data + contents;
  size_t most = room - FOOTER_BYTES - contents;
  index = rand_r(&seed) % 4 ? change_part((char *)text, index, most, &seed)
                            : LLVMFuzzerMutate(text, index, most);
  memcpy(text + index, footer, FOOTER_BYTES);
  seal(data, contents, index);
  return contents + index + FOOTER_BYTES;
}
