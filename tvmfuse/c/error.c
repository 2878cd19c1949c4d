/* The text of each thread's last failure, also of those that compiled code reports. */
#include "internal.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>

static _Thread_local char text[1024];

tvmfuse_status tvmf_fail(tvmfuse_status status, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return status;
}

tvmfuse_status tvmf_no_memory(void) { return tvmf_fail(TVMFUSE_OUT_OF_MEMORY, "out of memory"); }

/* Whether this thread is in compiled code that this library called. */
static _Thread_local bool listening;

/* Begins to listen to what compiled code says, before it is called. */
void tvmf_listen(void) {
  text[0] = 0;
  listening = true;
}

/* Ends that; returns whether it said something. */
bool tvmf_heard(void) {
  listening = false;
  return text[0];
}

const char *tvmfuse_last_error(void) { return text; }

uint32_t tvmfuse_api_version(void) { return TVMFUSE_API_VERSION; }

/* tvm-ffi's function by which compiled code says what is wrong; the kind is a Python exception's. */
TVMFUSE_API void TVMFFIErrorSetRaisedFromCStrParts(const char *kind, const char **parts,
                                                   int32_t count);
typedef void (*SetError)(const char *kind, const char **parts, int32_t count);

/* Returns tvm-ffi's own function, in a process that runs models in Python, too; else NULL. */
static SetError find_tvms(void) {
  void *library = dlopen("libtvm_ffi.so", RTLD_LAZY | RTLD_NOLOAD);
  if (!library) return NULL;
  SetError found = (SetError)dlsym(library, "TVMFFIErrorSetRaisedFromCStrParts");
  dlclose(library); /* whoever loaded it has it still */
  return found;
}

void TVMFFIErrorSetRaisedFromCStrParts(const char *kind, const char **parts, int32_t count) {
  SetError tvms = listening ? NULL : find_tvms();
  if (tvms && tvms != TVMFFIErrorSetRaisedFromCStrParts) {
    tvms(kind, parts, count);
    return;
  }
  size_t length = 0;
  text[0] = 0;
  for (int32_t i = 0; i < count; i++) {
    if (!parts[i]) continue;
    length += (size_t)snprintf(text + length, sizeof text - length, "%s", parts[i]);
    if (length >= sizeof text) return;
  }
}
