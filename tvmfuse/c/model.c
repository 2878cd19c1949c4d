/* Opening, describing and closing a model. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

static tvmfuse_status read_options(const tvmfuse_options *given, tvmfuse_options *options) {
  *options = (tvmfuse_options)TVMFUSE_OPTIONS;
  if (!given) return TVMFUSE_OK;
  if (given->size != sizeof *options)
    return tvmf_fail(TVMFUSE_INVALID_ARGUMENT,
                     "options: their size is %zu, and this library's are %zu bytes", given->size,
                     sizeof *options);
  *options = *given;
  if (options->threads >= 0) return TVMFUSE_OK;
  return tvmf_fail(TVMFUSE_INVALID_ARGUMENT, "options: expected 0 or more threads, found %d",
                   options->threads);
}

static tvmfuse_status open_all(tvmfuse_model *model, Bytes file, const char *name,
                               const tvmfuse_options *options) {
  Record *record = &model->record;
  tvmfuse_status failed = tvmf_read_record(file, name, record);
  Node build = NULL;
  if (!failed) failed = tvmf_find_build(record, name, &build);
  if (!failed) failed = tvmf_take_build(record, build, name);
  if (!failed) failed = tvmf_read_manifest(record, name, &model->manifest);
  if (!failed && options->check_digest) failed = tvmf_check_contents(record, name);
  if (!failed)
    failed = tvmf_open_library(record->file.data + record->places[0].offset,
                               (size_t)record->places[0].size, name, &model->library);
  model->threads = tvmf_threads(options->threads);
  return failed;
}

static tvmfuse_status finish(Bytes file, const char *name, const tvmfuse_options *options,
                             tvmfuse_model **model) {
  tvmfuse_model *made = calloc(1, sizeof *made);
  if (!made) {
    Record alone = {.file = file};
    tvmf_free_record(&alone);
    return tvmf_no_memory();
  }
  atomic_init(&made->holders, 1);
  tvmfuse_status failed = open_all(made, file, name, options);
  if (failed)
    tvmf_let_go(made);
  else
    *model = made;
  return failed;
}

tvmfuse_status tvmfuse_open(const char *path, const tvmfuse_options *options,
                            tvmfuse_model **model) {
  if (model) *model = NULL;
  if (!path || !model)
    return tvmf_fail(TVMFUSE_INVALID_ARGUMENT, "open: expected a path and a place for the model");
  tvmfuse_options known;
  Bytes file;
  tvmfuse_status failed = read_options(options, &known);
  if (!failed) failed = tvmf_read_file(path, &file);
  return failed ? failed : finish(file, path, &known, model);
}

tvmfuse_status tvmfuse_open_memory(const void *data, size_t size, const tvmfuse_options *options,
                                   tvmfuse_model **model) {
  if (model) *model = NULL;
  if (!data || !model)
    return tvmf_fail(TVMFUSE_INVALID_ARGUMENT, "open: expected data and a place for the model");
  tvmfuse_options known;
  Bytes file;
  tvmfuse_status failed = read_options(options, &known);
  if (!failed) failed = tvmf_take_memory(data, size, &file);
  return failed ? failed : finish(file, "the model in memory", &known, model);
}

/* Frees memory for what lies between, and what the model allocated beside it; NULL is allowed. */
static void free_spare(Spare *spare) {
  if (!spare) return;
  Block *blocks = (Block *)(spare + 1);
  for (uint64_t i = 0; i < spare->blocks; i++) free(blocks[i].memory.pointer);
  free(spare);
}

/* Frees a model that nobody holds any more. */
void tvmf_let_go(tvmfuse_model *model) {
  if (atomic_fetch_sub(&model->holders, 1) > 1) return;
  for (int way = 0; way < WAYS; way++)
    for (int i = 0; i < SPARES; i++) free_spare(atomic_load(&model->spares[way][i]));
  tvmf_close_library(&model->library);
  tvmf_free_manifest(&model->manifest);
  tvmf_free_record(&model->record);
  free(model);
}

void tvmfuse_close(tvmfuse_model *model) {
  if (model) tvmf_let_go(model);
}

/* Returns memory for what lies between, of an earlier run of this way if there is one; NULL without
 * memory. Of the other way what is listed in it lies elsewhere. */
Spare *tvmf_take_spare(tvmfuse_model *model, Way way, uint64_t bytes, uint64_t blocks) {
  _Atomic(Spare *) *spares = model->spares[way];
  for (int i = 0; i < SPARES; i++) {
    Spare *found = atomic_load(&spares[i]) ? atomic_exchange(&spares[i], NULL) : NULL;
    if (found && found->bytes >= bytes) return found;
    free_spare(found);
  }
  Spare *made = bytes < SIZE_MAX / 2 ? tvmf_allocate(sizeof *made + bytes) : NULL;
  if (!made) return NULL;
  made->bytes = bytes;
  made->blocks = blocks;
  memset(made + 1, 0, blocks * sizeof(Block));
  return made;
}

void tvmf_give_spare(tvmfuse_model *model, Way way, Spare *spare) {
  _Atomic(Spare *) *spares = model->spares[way];
  for (int i = 0; spare && i < SPARES; i++)
    if (!atomic_load(&spares[i])) spare = atomic_exchange(&spares[i], spare);
  free_spare(spare);
}

const char *tvmfuse_manifest(const tvmfuse_model *model) {
  return model ? model->manifest.json : NULL;
}

const char *tvmfuse_level(const tvmfuse_model *model) {
  return model ? model->manifest.level : NULL;
}

int32_t tvmfuse_input_count(const tvmfuse_model *model) {
  return model ? model->manifest.inputs.count : -1;
}

int32_t tvmfuse_output_count(const tvmfuse_model *model) {
  return model ? model->manifest.outputs.count : -1;
}

int32_t tvmfuse_overridable_count(const tvmfuse_model *model) {
  return model ? model->manifest.overridable.count : -1;
}

int32_t tvmfuse_shared_input(const tvmfuse_model *model, int32_t output) {
  bool is_output = model && output >= 0 && output < model->manifest.outputs.count;
  return is_output ? model->manifest.shared[output] : -1;
}

static tvmfuse_status describe(const Specs *specs, int32_t place, const char *what,
                               tvmfuse_spec *spec) {
  if (!specs || !spec)
    return tvmf_fail(TVMFUSE_INVALID_ARGUMENT, "%s: expected a model and a place for its description",
                     what);
  if (place < 0 || place >= specs->count)
    return tvmf_fail(TVMFUSE_INVALID_ARGUMENT, "%s %d: the model has %d, counted from 0", what, place,
                     specs->count);
  *spec = specs->specs[place];
  return TVMFUSE_OK;
}

tvmfuse_status tvmfuse_input(const tvmfuse_model *model, int32_t place, tvmfuse_spec *spec) {
  return describe(model ? &model->manifest.inputs : NULL, place, "input", spec);
}

tvmfuse_status tvmfuse_output(const tvmfuse_model *model, int32_t place, tvmfuse_spec *spec) {
  return describe(model ? &model->manifest.outputs : NULL, place, "output", spec);
}

tvmfuse_status tvmfuse_overridable(const tvmfuse_model *model, int32_t place,
                                   tvmfuse_spec *spec) {
  return describe(model ? &model->manifest.overridable : NULL, place, "overridable input", spec);
}
