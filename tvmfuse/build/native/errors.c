/* What compiled code says where it fails: in parts, by a function of TVM's. Here they are put
 * together, for the function that whoever loads the model gives it. */
#include <stddef.h>

__attribute__((weak, visibility("default"))) void (*set_error)(const char *kind, const char *message)
    __asm__("__TVMFFIErrorSetRaisedFromCStr");

void TVMFFIErrorSetRaisedFromCStrParts(const char *kind, const char **parts, int32_t count) {
  char message[4096];
  size_t length = 0;
  for (int32_t i = 0; i < count; i++)
    for (const char *next = parts[i]; next && *next && length < sizeof message - 1; next++)
      message[length++] = *next;
  message[length] = 0;
  if (set_error) set_error(kind, message);
}
