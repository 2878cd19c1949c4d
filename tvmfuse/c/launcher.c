/* The worker threads of this process: one launcher of parallel loops serves all models.
 *
 * Each compiled file carries it, as machine code; see tvmfuse/build/native/launcher.c. That of the
 * first file that is opened is used, and its library stays open. A child of fork() has none of its
 * parent's workers: it makes pools of its own.
 */
#include "internal.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>

/* What the function in a compiled file returns. */
typedef struct {
  void *(*install)(void *stock);
  void *(*make_pool)(int threads, int may_wait_actively);
  void (*use)(void *pool);
} Launcher;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const Launcher *launcher;
static void *launches;
static _Atomic(void *) pools[CPU_SETSIZE + 1]; /* by their number of threads */

static void before_fork(void) { pthread_mutex_lock(&lock); }

static void after_fork(void) { pthread_mutex_unlock(&lock); }

static void in_child(void) {
  for (int threads = 0; threads <= CPU_SETSIZE; threads++) atomic_store(&pools[threads], NULL);
  pthread_mutex_unlock(&lock);
}

static bool take(Library *library) {
  Function find = (Function)dlsym(library->handle, "__tvm_ffi_tvmfuse_launcher");
  Any found = {0};
  if (!find || find(NULL, NULL, 0, &found) || !found.pointer) return false;
  if (pthread_atfork(before_fork, after_fork, in_child)) return false;
  launcher = found.pointer;
  launches = launcher->install(NULL);
  library->stays = true;
  return true;
}

/* Returns what launches the loops of all models; the library's own, if it is the first one. */
tvmfuse_status tvmf_share_launcher(Library *library, const char *name, void **launch) {
  pthread_mutex_lock(&lock);
  bool there = launcher || take(library);
  *launch = launches;
  pthread_mutex_unlock(&lock);
  if (there) return TVMFUSE_OK;
  return tvmf_fail(TVMFUSE_INCOMPATIBLE,
                   "%s has no launcher of threads: compile the model again", name);
}

/* Lets the loops that this thread launches run on so many threads. */
tvmfuse_status tvmf_use_threads(int threads) {
  void *pool = atomic_load(&pools[threads]);
  if (!pool) {
    pthread_mutex_lock(&lock);
    pool = atomic_load(&pools[threads]);
    if (!pool) atomic_store(&pools[threads], pool = launcher->make_pool(threads, 1));
    pthread_mutex_unlock(&lock);
  }
  if (!pool) return tvmf_no_memory();
  launcher->use(pool);
  return TVMFUSE_OK;
}
