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

/* What compiled code said that this thread called. */
static _Thread_local tvmfuse_status heard;

/* Begins to listen to what compiled code says, before it is called. */
void tvmf_listen(void) { heard = TVMFUSE_OK; }

static const struct {
  const char *name;
  tvmfuse_status status;
} kinds[] = {{"InputError", TVMFUSE_INVALID_ARGUMENT},
             {"IndexOutOfRangeError", TVMFUSE_INVALID_ARGUMENT},
             {"MemoryError", TVMFUSE_OUT_OF_MEMORY},
             {"DamagedArtifactError", TVMFUSE_DAMAGED}};

/* Notes what compiled code says; the kind is the name of an exception in Python. */
void tvmf_say(const char *kind, const char *message) {
  snprintf(text, sizeof text, "%s", message);
  heard = TVMFUSE_RUN_FAILED;
  for (size_t i = 0; kind && i < sizeof kinds / sizeof *kinds; i++)
    if (!strcmp(kind, kinds[i].name)) heard = kinds[i].status;
}

/* Ends listening, after a call that failed or not; returns the status of what was said, if it was,
 * and else fails with another one. */
tvmfuse_status tvmf_heard(tvmfuse_status otherwise) {
  if (heard || !otherwise) return heard;
  return tvmf_fail(otherwise, "the model stopped, and did not say why");
}

const char *tvmfuse_last_error(void) { return text; }

uint32_t tvmfuse_api_version(void) { return TVMFUSE_API_VERSION; }
