/* Runs compiled models on files, many of them in one process: what `qemu.py` starts.
 *
 *     runs FOLDER...
 *
 * Each folder has model.so and `inputs`, a file of tensors one after the other; `outputs` is written
 * likewise, or `error`, a text, where the model cannot be opened or run. A tensor is its type (four
 * bytes, as DLPack has it), its rank (int32), its sizes (int64), and its elements.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvmfuse.h>

enum { MOST_RANK = 16 };

static FILE *opened(const char *folder, const char *name, const char *mode) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, mode);
  if (!file) perror(path), exit(1);
  return file;
}

static size_t bytes_of(const tvmfuse_tensor *tensor) {
  size_t bytes = tensor->dtype.bits / 8;
  for (int32_t axis = 0; axis < tensor->rank; axis++) bytes *= (size_t)tensor->sizes[axis];
  return bytes;
}

static void take(void *data, size_t bytes, FILE *file) {
  if (fread(data, 1, bytes, file) != bytes) fputs("inputs: too short\n", stderr), exit(1);
}

static tvmfuse_tensor read_tensor(FILE *file) {
  tvmfuse_tensor tensor;
  take(&tensor.dtype, sizeof tensor.dtype, file);
  take(&tensor.rank, sizeof tensor.rank, file);
  int64_t *sizes = calloc(MOST_RANK, sizeof *sizes);
  if (!sizes || tensor.rank > MOST_RANK) fputs("inputs: too large\n", stderr), exit(1);
  take(sizes, (size_t)tensor.rank * sizeof *sizes, file);
  tensor.sizes = sizes;
  tensor.data = malloc(bytes_of(&tensor) + 1);
  if (!tensor.data) fputs("out of memory\n", stderr), exit(1);
  take(tensor.data, bytes_of(&tensor), file);
  return tensor;
}

static void write_tensor(const tvmfuse_tensor *tensor, FILE *file) {
  fwrite(&tensor->dtype, sizeof tensor->dtype, 1, file);
  fwrite(&tensor->rank, sizeof tensor->rank, 1, file);
  fwrite(tensor->sizes, sizeof *tensor->sizes, (size_t)tensor->rank, file);
  fwrite(tensor->data, 1, bytes_of(tensor), file);
}

static tvmfuse_status run(const char *folder) {
  char path[4096];
  snprintf(path, sizeof path, "%s/model.so", folder);
  tvmfuse_model *model;
  tvmfuse_options options = TVMFUSE_OPTIONS;
  options.threads = 2;
  tvmfuse_status failed = tvmfuse_open(path, &options, &model);
  if (failed) return failed;
  int32_t inputs = tvmfuse_input_count(model), outputs = tvmfuse_output_count(model);
  tvmfuse_tensor *given = calloc((size_t)inputs + 1, sizeof *given);
  tvmfuse_tensor *found = calloc((size_t)outputs + 1, sizeof *found);
  if (!given || !found) fputs("out of memory\n", stderr), exit(1);
  FILE *file = opened(folder, "inputs", "rb");
  for (int32_t i = 0; i < inputs; i++) given[i] = read_tensor(file);
  fclose(file);
  failed = tvmfuse_run(model, given, inputs, found, outputs);
  if (!failed) {
    file = opened(folder, "outputs", "wb");
    for (int32_t i = 0; i < outputs; i++) write_tensor(&found[i], file), tvmfuse_free(found[i].data);
    if (fclose(file)) perror(folder), exit(1);
  }
  for (int32_t i = 0; i < inputs; i++) free(given[i].data), free((int64_t *)given[i].sizes);
  free(given);
  free(found);
  tvmfuse_close(model);
  return failed;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (!run(argv[i])) continue;
    FILE *file = opened(argv[i], "error", "wb");
    fputs(tvmfuse_last_error(), file);
    fclose(file);
  }
  return 0;
}
