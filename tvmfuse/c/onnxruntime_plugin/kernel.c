/* What runs one EPContext node: its tensors are the compiled model's, without copies where they are
 * aligned. */
#include "plugin.h"

#include <stdlib.h>
#include <string.h>

static const size_t NOWHERE = SIZE_MAX; /* the place of a result that nothing in the graph reads */

typedef struct {
  OrtNodeComputeInfo info; /* first: what onnxruntime has of it */
  Context context;
  size_t *inputs, *outputs; /* for each of the model's, its place among those of the kernel */
} Kernel;

/* --- Places --------------------------------------------------------------------------------- */

typedef struct {
  OrtStatus *(*count)(const OrtNode *node, size_t *count);
  OrtStatus *(*get)(const OrtNode *node, const OrtValueInfo **values, size_t count);
  const char *word;
} Side;

/* Finds where a node's values are among those of the node that takes its place: onnxruntime leaves
 * out what occurs twice, and what nothing reads. Both are arrays of the counts' lengths. */
static OrtStatus *match(const Side *side, const OrtValueInfo **values, size_t count,
                        const OrtValueInfo **others, size_t other_count, size_t *places) {
  for (size_t i = 0; i < count; i++) {
    const char *name, *other = NULL;
    if (!values[i])
      return plugin_fail(ORT_INVALID_GRAPH, "%s %zu of an EPContext node of tvmfuse is left out",
                         side->word, i);
    TRY(ort->GetValueInfoName(values[i], &name));
    places[i] = NOWHERE;
    for (size_t k = 0; k < other_count && places[i] == NOWHERE; k++) {
      TRY(ort->GetValueInfoName(others[k], &other));
      if (!strcmp(name, other)) places[i] = k;
    }
  }
  return NULL;
}

static OrtStatus *find_places(const Side *side, const OrtNode *node, const OrtNode *fused,
                              int32_t expected, size_t **places) {
  size_t count, other_count;
  TRY(side->count(node, &count));
  TRY(side->count(fused, &other_count));
  if (count != (size_t)expected)
    return plugin_fail(ORT_INVALID_GRAPH, "an EPContext node has %zu %ss, and its compiled model %d",
                       count, side->word, expected);
  *places = calloc(count + 1, sizeof **places);
  const OrtValueInfo **values = calloc(count + other_count + 1, sizeof *values);
  OrtStatus *failed = *places && values ? NULL : plugin_no_memory();
  if (!failed) failed = side->get(node, values, count);
  if (!failed) failed = side->get(fused, values + count, other_count);
  if (!failed) failed = match(side, values, count, values + count, other_count, *places);
  free(values);
  return failed;
}

/* --- Running -------------------------------------------------------------------------------- */

static OrtStatus *read_dtype(ONNXTensorElementDataType type, const char *name,
                             tvmfuse_dtype *dtype) {
  static const tvmfuse_dtype known[] = {
      [ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT] = TVMFUSE_FLOAT32,
      [ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE] = TVMFUSE_FLOAT64,
      [ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16] = TVMFUSE_FLOAT16,
      [ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16] = TVMFUSE_BFLOAT16,
      [ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8] = TVMFUSE_INT8,
      [ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16] = {0, 16, 1},
      [ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32] = TVMFUSE_INT32,
      [ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64] = TVMFUSE_INT64,
      [ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8] = TVMFUSE_UINT8,
      [ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16] = {1, 16, 1},
      [ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32] = {1, 32, 1},
      [ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64] = {1, 64, 1},
      [ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL] = TVMFUSE_BOOL};
  if ((size_t)type < sizeof known / sizeof *known) *dtype = known[type];
  if (dtype->bits) return NULL;
  return plugin_fail(ORT_INVALID_ARGUMENT,
                     "input %s: elements of onnxruntime's type %d, which tvmfuse takes from no caller",
                     name, type);
}

static OrtStatus *read_input(const Kernel *kernel, OrtKernelContext *run, int32_t place,
                             tvmfuse_tensor *input) {
  const OrtValue *value;
  ONNXTensorElementDataType type;
  size_t rank;
  const void *data;
  tvmfuse_spec spec;
  TRY(plugin_failed(tvmfuse_input(kernel->context.model, place, &spec)));
  TRY(ort->KernelContext_GetInput(run, kernel->inputs[place], &value));
  TRY(ort->GetTensorElementTypeAndShapeDataReference(value, &type, &input->sizes, &rank));
  TRY(read_dtype(type, spec.name, &input->dtype));
  TRY(ort->GetTensorData(value, &data));
  input->data = (void *)data; /* the library only reads it */
  input->rank = (int32_t)rank;
  return NULL;
}

/* Where a run finds memory for its outputs, and what onnxruntime said if it gave none. */
typedef struct {
  const Kernel *kernel;
  OrtKernelContext *run;
  OrtStatus *failed;
} Outputs;

static int find_memory(void *context, int32_t place, tvmfuse_tensor *output) {
  Outputs *outputs = context;
  size_t index = outputs->kernel->outputs[place];
  if (index == NOWHERE) return 0;
  OrtValue *value;
  outputs->failed = ort->KernelContext_GetOutput(outputs->run, index, output->sizes,
                                                 (size_t)output->rank, &value);
  if (!outputs->failed && value)
    outputs->failed = ort->GetTensorMutableData(value, &output->data);
  return outputs->failed != NULL;
}

static OrtStatus *compute(OrtNodeComputeInfo *info, void *state, OrtKernelContext *run) {
  (void)state;
  const Kernel *kernel = (const Kernel *)info;
  int32_t count = tvmfuse_input_count(kernel->context.model);
  tvmfuse_tensor *inputs = calloc((size_t)count + 1, sizeof *inputs);
  if (!inputs) return plugin_no_memory();
  OrtStatus *failed = NULL;
  for (int32_t i = 0; i < count && !failed; i++) failed = read_input(kernel, run, i, &inputs[i]);
  if (!failed) {
    Outputs outputs = {kernel, run, NULL};
    tvmfuse_status status =
        tvmfuse_run_into(kernel->context.model, inputs, count, find_memory, &outputs);
    failed = outputs.failed ? outputs.failed : plugin_failed(status);
  }
  free(inputs);
  return failed;
}

/* onnxruntime takes a state of NULL for none. */
static OrtStatus *create_state(OrtNodeComputeInfo *info, OrtNodeComputeContext *node, void **state) {
  (void)node;
  *state = info;
  return NULL;
}

static void release_state(OrtNodeComputeInfo *info, void *state) { (void)info, (void)state; }

/* --- Making --------------------------------------------------------------------------------- */

static OrtStatus *prepare(const Provider *provider, const OrtGraph *graph, const OrtNode *fused,
                          Kernel *kernel) {
  const Side inputs = {ort->Node_GetNumInputs, ort->Node_GetInputs, "input"};
  const Side outputs = {ort->Node_GetNumOutputs, ort->Node_GetOutputs, "output"};
  const OrtNode *node;
  TRY(ort->Graph_GetNodes(graph, &node, 1));
  TRY(plugin_open(provider, graph, node, &kernel->context));
  const tvmfuse_model *model = kernel->context.model;
  TRY(find_places(&inputs, node, fused, tvmfuse_input_count(model), &kernel->inputs));
  return find_places(&outputs, node, fused, tvmfuse_output_count(model), &kernel->outputs);
}

/* Makes what runs the only node of a graph, in whose place `fused` is run. */
OrtStatus *plugin_kernel(const Provider *provider, const OrtGraph *graph, const OrtNode *fused,
                         OrtNodeComputeInfo **kernel) {
  Kernel *made = calloc(1, sizeof *made);
  if (!made) return plugin_no_memory();
  made->info = (OrtNodeComputeInfo){.ort_version_supported = API_VERSION,
                                    .CreateState = create_state,
                                    .Compute = compute,
                                    .ReleaseState = release_state};
  OrtStatus *failed = prepare(provider, graph, fused, made);
  if (failed)
    plugin_free_kernel(&made->info);
  else
    *kernel = &made->info;
  return failed;
}

/* Frees a kernel; NULL is allowed. */
void plugin_free_kernel(OrtNodeComputeInfo *info) {
  if (!info) return;
  Kernel *kernel = (Kernel *)info;
  plugin_close(&kernel->context);
  free(kernel->inputs);
  free(kernel->outputs);
  free(kernel);
}
