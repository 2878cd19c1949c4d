/* The text of each thread's last failure, also of those that compiled code reports. */
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char text[1024];

tvmfuse_status tvmf_fail(tvmfuse_status status, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return status;
}

tvmfuse_status tvmf_no_memory(void) { return tvmf_fail(TVMFUSE_OUT_OF_MEMORY, "out of memory"); }

void tvmf_forget_error(void) { text[0] = 0; }

bool tvmf_said_why(void) { return text[0]; }

const char *tvmfuse_last_error(void) { return text; }

uint32_t tvmfuse_api_version(void) { return TVMFUSE_API_VERSION; }

/* tvm-ffi's function by which compiled code says what is wrong; the kind is a Python exception's. */
TVMFUSE_API void TVMFFIErrorSetRaisedFromCStrParts(const char *kind, const char **parts,
                                                   int32_t count);
void TVMFFIErrorSetRaisedFromCStrParts(const char *kind, const char **parts, int32_t count) {
  (void)kind;
  size_t length = 0;
  text[0] = 0;
  for (int32_t i = 0; i < count; i++) {
    if (!parts[i]) continue;
    length += (size_t)snprintf(text + length, sizeof text - length, "%s", parts[i]);
    if (length >= sizeof text) return;
  }
}
