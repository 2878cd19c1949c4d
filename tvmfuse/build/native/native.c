/* What each compiled model brings along beside its kernels.
 *
 * Compiled to LLVM's IR for each processor (`.ci/native`), and that, by TVM, into each model's
 * library. The library that a process opens first serves all of its models.
 */
#define _GNU_SOURCE
#include <stdint.h>

/* tvm-ffi's C interface: values. Functions of its calling convention take and give values; their
 * names begin with `__tvm_ffi_`. */
typedef struct {
  int32_t type_index;
  uint32_t zero;
  union {
    int64_t integer;
    char *pointer;
  };
} Any;
enum { INT = 1 };
typedef int (*Function)(void *self, const Any *args, int32_t count, Any *result);

#define EXPORTED __attribute__((visibility("default")))

#include "errors.c"
#include "launcher.c"
#include "quick_calls.c"
#include "watched_memory.c"
#include "packed.c"
