/* What compiled code says where it fails, by a function of TVM's or one that stands in its place.
 *
 * TVM's library has a function for an error in parts; here they are put together for the other one.
 */
#include <stddef.h>

static void say_nothing(const char *kind, const char *message) {}

EXPORTED void (*__TVMFFIErrorSetRaisedFromCStr)(const char *kind, const char *message) = say_nothing;

static void set_error(const char *kind, const char *message) {
  __TVMFFIErrorSetRaisedFromCStr(kind, message);
}

void TVMFFIErrorSetRaisedFromCStrParts(const char *kind, const char **parts, int32_t count) {
  char message[4096];
  size_t length = 0;
  for (int32_t i = 0; i < count; i++)
    for (const char *next = parts[i]; next && *next && length < sizeof message - 1; next++)
      message[length++] = *next;
  message[length] = 0;
  set_error(kind, message);
}
