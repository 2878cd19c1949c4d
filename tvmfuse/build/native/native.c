/* What each compiled model brings along beside its kernels.
 *
 * Compiled to LLVM's IR for each processor (`.ci/native`), and that, by TVM, into each model's
 * library. The library that a process opens first serves all of its models.
 */
#define _GNU_SOURCE
#include <stdint.h>

/* tvm-ffi's C interface: values, and the head of its objects. Functions of TVM's take and give
 * values; their names begin with `__tvm_ffi_`. */
typedef struct {
  int32_t type_index;
  uint32_t zero;
  union {
    int64_t integer;
    char *pointer;
  };
} Any;
enum { INT = 1, BOOL = 2, POINTER = 4, DL_TENSOR = 7, SHAPE = 69, TENSOR = 70, ARRAY = 71 };
enum { OBJECT_BYTES = 24 };
typedef int (*Function)(void *self, const Any *args, int32_t count, Any *result);

#define EXPORTED __attribute__((visibility("default")))

/* Calls a function object. */
static int call(char *function, const Any *args, int32_t count, Any *result) {
  return (*(Function *)(function + OBJECT_BYTES))(function, args, count, result);
}

/* TVM's functions that count who holds an object; set with the launcher. */
static int (*retain)(void *), (*release)(void *);

#include "errors.c"
#include "launcher.c"
#include "arguments.c"
#include "quick_calls.c"
#include "watched_memory.c"
#include "pages.c"
#include "sizes.c"
#include "choices.c"
#include "packed.c"
