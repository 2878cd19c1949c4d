/* Describes a compiled model, runs it, and says what came out.
 *
 *     run MODEL.so [INPUT[:SIZES]...]
 *
 * INPUT is a file of an input's raw bytes, in the model's order; inputs without one are zeros.
 * SIZES are the input's, as in x.bin:2,3; without them, a size that the caller decides is 1. Each
 * output is written to a file, output0.bin and so on.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tvmfuse.h>

static int fail(const char *what) {
  fprintf(stderr, "%s: %s\n", what, tvmfuse_last_error());
  return 1;
}

static size_t bytes_of(const tvmfuse_tensor *tensor) {
  size_t bytes = tensor->dtype.bits / 8;
  for (int32_t axis = 0; axis < tensor->rank; axis++) bytes *= (size_t)tensor->sizes[axis];
  return bytes;
}

static void describe(const char *what, const tvmfuse_spec *spec) {
  printf("%s %s: %s[", what, spec->name, spec->type);
  for (int32_t axis = 0; axis < spec->rank; axis++) {
    if (axis) printf(", ");
    if (spec->sizes[axis] < 0)
      printf("%s", spec->names[axis]);
    else
      printf("%" PRId64, spec->sizes[axis]);
  }
  puts("]");
}

/* Reads sizes such as "2,3", or takes the model's where there is no text; returns their memory. */
static int64_t *read_sizes(const tvmfuse_spec *spec, char *text, int32_t *rank) {
  size_t room = text ? strlen(text) : (size_t)spec->rank;
  int64_t *sizes = malloc((room + 1) * sizeof *sizes);
  *rank = text ? 0 : spec->rank;
  for (int32_t axis = 0; sizes && axis < *rank; axis++)
    sizes[axis] = spec->sizes[axis] < 0 ? 1 : spec->sizes[axis];
  for (char *word = text ? strtok(text, ",") : NULL; sizes && word; word = strtok(NULL, ","))
    sizes[(*rank)++] = strtoll(word, NULL, 10);
  return sizes;
}

/* Makes an input of zeros, or of a file's bytes; returns whether that went well. */
static int fill(const tvmfuse_spec *spec, char *file, tvmfuse_tensor *input) {
  char *text = file ? strrchr(file, ':') : NULL;
  if (text) *text++ = 0;
  input->dtype = spec->dtype;
  int64_t *sizes = read_sizes(spec, text, &input->rank);
  if (!sizes) return 0;
  input->sizes = sizes;
  size_t bytes = bytes_of(input);
  input->data = calloc(bytes + 1, 1);
  if (!input->data || !file) return input->data != NULL;
  FILE *opened = fopen(file, "rb");
  if (!opened) return perror(file), 0;
  size_t found = fread(input->data, 1, bytes, opened);
  fclose(opened);
  if (found != bytes) fprintf(stderr, "%s: expected %zu bytes, found %zu\n", file, bytes, found);
  return found == bytes;
}

static int save(const tvmfuse_tensor *output, int32_t place) {
  char name[32];
  snprintf(name, sizeof name, "output%d.bin", place);
  FILE *file = fopen(name, "wb");
  size_t bytes = bytes_of(output);
  int good = file && fwrite(output->data, 1, bytes, file) == bytes;
  if (file && fclose(file)) good = 0;
  printf("%s: %zu bytes\n", name, bytes);
  return good;
}

static double milliseconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

int main(int argc, char **argv) {
  if (argc < 2) return fprintf(stderr, "run MODEL.so [INPUT[:SIZES]...]\n"), 2;
  double begin = milliseconds();
  tvmfuse_model *model;
  if (tvmfuse_open(argv[1], NULL, &model)) return fail("open");
  printf("opened in %.1f ms\n", milliseconds() - begin);
  printf("level: %s\n", tvmfuse_level(model));

  int32_t input_count = tvmfuse_input_count(model), output_count = tvmfuse_output_count(model);
  if (argc - 2 > input_count) {
    fprintf(stderr, "inputs: the model has %d, found %d\n", input_count, argc - 2);
    return 2;
  }
  tvmfuse_tensor *inputs = calloc((size_t)input_count + 1, sizeof *inputs);
  tvmfuse_tensor *outputs = calloc((size_t)output_count + 1, sizeof *outputs);
  if (!inputs || !outputs) return fputs("out of memory\n", stderr), 1;
  tvmfuse_spec spec;
  for (int32_t i = 0; i < input_count; i++) {
    if (tvmfuse_input(model, i, &spec)) return fail("input");
    describe("input", &spec);
    if (!fill(&spec, i + 2 < argc ? argv[i + 2] : NULL, &inputs[i])) return 1;
  }

  begin = milliseconds();
  if (tvmfuse_run(model, inputs, input_count, outputs, output_count)) return fail("run");
  printf("ran in %.3f ms\n", milliseconds() - begin);

  for (int32_t i = 0; i < output_count; i++) {
    if (tvmfuse_output(model, i, &spec)) return fail("output");
    describe("output", &spec);
    if (!save(&outputs[i], i)) return perror("cannot write"), 1;
    tvmfuse_free(outputs[i].data);
  }
  for (int32_t i = 0; i < input_count; i++) {
    free(inputs[i].data);
    free((int64_t *)inputs[i].sizes);
  }
  free(inputs);
  free(outputs);
  tvmfuse_close(model);
  return 0;
}
