/* A session's provider: its options, and the nodes that it takes. */
#include "plugin.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* How the keys of the session's configuration begin that are this provider's options: its name in
 * small letters, as onnxruntime has it. */
static const char OPTIONS[] = "ep.tvmfuseexecutionprovider.";
static const char CONTEXT_PATH[] = "ep.context_file_path";

static const char *name(const OrtEp *ep) {
  (void)ep;
  return PROVIDER;
}

static OrtStatus *add_nodes(const OrtNode **nodes, size_t count, OrtEpGraphSupportInfo *info) {
  for (size_t i = 0; i < count; i++) {
    bool ours;
    TRY(plugin_is_ours(nodes[i], &ours));
    if (ours) TRY(ort_ep->EpGraphSupportInfo_AddNodesToFuse(info, &nodes[i], 1, NULL));
  }
  return NULL;
}

static OrtStatus *capability(OrtEp *ep, const OrtGraph *graph, OrtEpGraphSupportInfo *info) {
  (void)ep;
  size_t count;
  TRY(ort->Graph_GetNumNodes(graph, &count));
  const OrtNode **nodes = calloc(count + 1, sizeof *nodes);
  if (!nodes) return plugin_no_memory();
  OrtStatus *failed = ort->Graph_GetNodes(graph, nodes, count);
  if (!failed) failed = add_nodes(nodes, count, info);
  free(nodes);
  return failed;
}

static void release(OrtEp *ep, OrtNodeComputeInfo **kernels, size_t count) {
  (void)ep;
  for (size_t i = 0; i < count; i++) plugin_free_kernel(kernels[i]);
}

static OrtStatus *compile(OrtEp *ep, const OrtGraph **graphs, const OrtNode **fused, size_t count,
                          OrtNodeComputeInfo **kernels, OrtNode **nodes) {
  (void)nodes; /* wanted where a session is to write what it compiles */
  for (size_t i = 0; i < count; i++) {
    OrtStatus *failed = plugin_kernel((Provider *)ep, graphs[i], fused[i], &kernels[i]);
    if (!failed) continue;
    release(ep, kernels, i);
    memset(kernels, 0, count * sizeof *kernels);
    return failed;
  }
  return NULL;
}

static OrtStatus *concurrent(OrtEp *ep, bool *yes) {
  (void)ep;
  *yes = true;
  return NULL;
}

/* --- Options -------------------------------------------------------------------------------- */

static OrtStatus *read_threads(const char *value, int32_t *threads) {
  char *end;
  errno = 0;
  long number = strtol(value, &end, 10);
  if (errno || end == value || *end || number < 0 || number > INT32_MAX)
    return plugin_fail(ORT_INVALID_ARGUMENT,
                       PROVIDER "'s option threads: expected a number, 0 for one for each core, found "
                                "'%s'",
                       value);
  *threads = (int32_t)number;
  return NULL;
}

static OrtStatus *read_option(Provider *provider, const char *key, const char *value) {
  if (!strcmp(key, CONTEXT_PATH)) {
    provider->context_path = strdup(value);
    return provider->context_path ? NULL : plugin_no_memory();
  }
  if (strncmp(key, OPTIONS, strlen(OPTIONS))) return NULL;
  key += strlen(OPTIONS);
  if (!strcmp(key, "threads")) return read_threads(value, &provider->threads);
  return plugin_fail(ORT_INVALID_ARGUMENT, PROVIDER " has no option '%s': it has 'threads'", key);
}

static OrtStatus *read_options(Provider *provider, const OrtSessionOptions *options) {
  OrtKeyValuePairs *pairs;
  TRY(ort->GetSessionOptionsConfigEntries(options, &pairs));
  const char *const *keys, *const *values;
  size_t count;
  ort->GetKeyValuePairs(pairs, &keys, &values, &count);
  OrtStatus *failed = NULL;
  for (size_t i = 0; i < count && !failed; i++) failed = read_option(provider, keys[i], values[i]);
  ort->ReleaseKeyValuePairs(pairs);
  return failed;
}

OrtStatus *plugin_provider(const OrtSessionOptions *options, OrtEp **ep) {
  Provider *made = calloc(1, sizeof *made);
  if (!made) return plugin_no_memory();
  made->ep = (OrtEp){.ort_version_supported = API_VERSION,
                     .GetName = name,
                     .GetCapability = capability,
                     .Compile = compile,
                     .ReleaseNodeComputeInfos = release,
                     .IsConcurrentRunSupported = concurrent};
  OrtStatus *failed = read_options(made, options);
  if (failed)
    plugin_free_provider(&made->ep);
  else
    *ep = &made->ep;
  return failed;
}

void plugin_free_provider(OrtEp *ep) {
  free(((Provider *)ep)->context_path);
  free(ep);
}
