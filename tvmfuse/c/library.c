/* A model's machine code: loaded from memory, and given what it calls. */
#include "internal.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Linux' flags of memfd_create, which older C libraries lack: closed by exec, and code may run. */
enum { CLOSED_BY_EXEC = 1, MAY_RUN = 16 };

/* Sets a pointer that compiled code calls by, where the library has it. */
static void set(const Library *library, const char *name, void *value) {
  void **slot = dlsym(library->handle, name);
  if (slot) *slot = value;
}

/* Returns an open file in memory with these bytes, or -1. */
static int file_of(const uint8_t *data, size_t size) {
  static const char name[] = "tvmfuse model";
  int descriptor = (int)syscall(SYS_memfd_create, name, CLOSED_BY_EXEC | MAY_RUN);
  if (descriptor < 0) /* before Linux 6.3, all may */
    descriptor = (int)syscall(SYS_memfd_create, name, CLOSED_BY_EXEC);
  while (descriptor >= 0 && size) {
    ssize_t written = write(descriptor, data, size);
    if (written <= 0) {
      close(descriptor);
      return -1;
    }
    data += written;
    size -= (size_t)written;
  }
  return descriptor;
}

/* Loads a library from an open file, by a path that no other loaded library has: the system takes
 * two of one name for one. The file's own number is spelled in slashes (0) and slashes with a dot. */
static void *load(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status)) return NULL;
  char path[192] = "/proc/self//fd", *end = path + strlen(path);
  for (uint64_t left = status.st_ino; left; left >>= 1) end = stpcpy(end, left & 1 ? "/." : "/");
  snprintf(end, (size_t)(path + sizeof path - end), "/%d", descriptor);
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static tvmfuse_status find_main(Library *library, const char *name) {
  static const char *const names[WAYS][2] = {
      {"__tvm_ffi_main", "__tvm_ffi_main_sizes"},
      {"__tvm_ffi_main_in_place", "__tvm_ffi_main_in_place_sizes"}};
  for (int way = 0; way < WAYS; way++)
    library->mains[way] = (Main){(Function)dlsym(library->handle, names[way][0]),
                                 (Function)dlsym(library->handle, names[way][1])};
  if (library->mains[APART].run && library->mains[APART].sizes) return TVMFUSE_OK;
  return tvmf_fail(TVMFUSE_INCOMPATIBLE,
                   "%s has no compiled main that C can call: load it with Python", name);
}

tvmfuse_status tvmf_open_library(const uint8_t *data, size_t size, const char *name,
                                 Library *library) {
  int descriptor = file_of(data, size);
  if (descriptor < 0) return tvmf_fail(TVMFUSE_CANNOT_READ, "cannot copy the code of %s: %m", name);
  library->handle = load(descriptor);
  close(descriptor);
  if (!library->handle) {
    const char *why = dlerror();
    return tvmf_fail(TVMFUSE_DAMAGED, "%s: the system cannot load it: %s", name, why ? why : "");
  }
  tvmfuse_status failed = find_main(library, name);
  void *launch = NULL;
  if (!failed) failed = tvmf_share_launcher(library, name, &launch);
  set(library, "__TVMBackendParallelLaunch", launch);
  set(library, "__TVMFFIErrorSetRaisedFromCStr", (void *)tvmf_say);
  return failed;
}

void tvmf_close_library(Library *library) {
  if (library->handle && !library->stays) dlclose(library->handle);
}
