/* Errors, as onnxruntime takes them. */
#include "plugin.h"

#include <stdarg.h>
#include <stdio.h>

OrtStatus *plugin_fail(OrtErrorCode code, const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return ort->CreateStatus(code, text);
}

OrtStatus *plugin_no_memory(void) { return ort->CreateStatus(ORT_EP_FAIL, "out of memory"); }

/* Returns a failure of the C library's, in its words; NULL where it did not fail. */
OrtStatus *plugin_failed(tvmfuse_status failed) {
  static const OrtErrorCode codes[] = {
      [TVMFUSE_INVALID_ARGUMENT] = ORT_INVALID_ARGUMENT, [TVMFUSE_CANNOT_READ] = ORT_NO_SUCHFILE,
      [TVMFUSE_DAMAGED] = ORT_INVALID_GRAPH,             [TVMFUSE_INCOMPATIBLE] = ORT_NOT_IMPLEMENTED,
      [TVMFUSE_RUN_FAILED] = ORT_EP_FAIL,                [TVMFUSE_OUT_OF_MEMORY] = ORT_EP_FAIL};
  return failed ? ort->CreateStatus(codes[failed], tvmfuse_last_error()) : NULL;
}
