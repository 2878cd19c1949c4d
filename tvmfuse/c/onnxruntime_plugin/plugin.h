/* An execution provider for onnxruntime that runs compiled files: what its files share.
 *
 * It compiles nothing: of a graph it takes the nodes of com.microsoft's operator EPContext whose
 * source is "tvmfuse", each of which has a compiled file, or names one. */
#ifndef TVMFUSE_ONNXRUNTIME_PLUGIN_H
#define TVMFUSE_ONNXRUNTIME_PLUGIN_H

#define _GNU_SOURCE
#include <onnxruntime_c_api.h>

#include "../include/tvmfuse.h"

enum { API_VERSION = 24 }; /* onnxruntime 1.24's, the first that asks whether threads may run one
                              provider at once */
#if ORT_API_VERSION < 24
#error "expected headers of onnxruntime 1.24 or later"
#endif

#define PROVIDER "TvmfuseExecutionProvider"

/* Returns from a function whose call of onnxruntime failed. */
#define TRY(call)                    \
  do {                               \
    OrtStatus *failed_ = (call);     \
    if (failed_) return failed_;     \
  } while (0)

/* --- factory.c: what onnxruntime finds in this library */
extern const OrtApi *ort;
extern const OrtEpApi *ort_ep;

/* --- status.c: errors, as onnxruntime takes them */
__attribute__((format(printf, 2, 3))) OrtStatus *plugin_fail(OrtErrorCode code, const char *format,
                                                             ...);
OrtStatus *plugin_no_memory(void);
OrtStatus *plugin_failed(tvmfuse_status failed);

/* --- provider.c: a session's provider */
typedef struct {
  OrtEp ep; /* first: what onnxruntime has of it */
  int32_t threads;
  char *context_path; /* where the session says that the model is; NULL where it does not */
} Provider;
OrtStatus *plugin_provider(const OrtSessionOptions *options, OrtEp **ep);
void plugin_free_provider(OrtEp *ep);

/* --- context.c: EPContext nodes */
typedef struct {
  tvmfuse_model *model;
  void *embedded; /* the bytes of its file, where they are in the node */
} Context;
OrtStatus *plugin_is_ours(const OrtNode *node, bool *ours);
OrtStatus *plugin_open(const Provider *provider, const OrtGraph *graph, const OrtNode *node,
                       Context *context);
void plugin_close(Context *context);

/* --- kernel.c: what runs one of them */
OrtStatus *plugin_kernel(const Provider *provider, const OrtGraph *graph, const OrtNode *fused,
                         OrtNodeComputeInfo **kernel);
void plugin_free_kernel(OrtNodeComputeInfo *kernel);

#endif
