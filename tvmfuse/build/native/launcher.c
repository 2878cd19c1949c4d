/* Runs the parallel loops of kernels on worker threads that all callers share.
 *
 * TVM's code hands each parallel loop to `TVMBackendParallelLaunch`: a function that computes piece
 * `task` of `num_task`, and what it reads. TVM's own launcher gives each thread one piece, keeps a
 * pool for each thread that ever called it, and waits actively. Here
 *
 *   - a loop is cut into several pieces for each thread. A thread takes those of its own share one
 *     after the other, and then what is left of the others': one that is late holds up a piece;
 *   - the caller computes, too, and waits for pieces that a worker began, never for a worker;
 *   - one pool of workers serves all threads that call, several at once;
 *   - a worker waits actively for the next loop where the cores are quiet, and sleeps where others
 *     want them, which it measures: see `Watch`;
 *   - a loop that used to be short is its caller's alone: see `Past`.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
  PIECES = 16,      /* of a loop, for each thread, */
  MOST_PIECES = 64, /* where that is no more than this: into so many a kernel cuts its loops */
  FEW_PIECES = 8,   /* of a loop that used to be short */
  SHARES = 64,      /* into which a loop's pieces are divided at most */
  LOOKS = 16,       /* at the next loop, between two looks at the clock */
  PASTS = 1024,     /* loops that are remembered */
  CACHE_LINE = 64,
};

static const int64_t US = 1000, MS = 1000000;

/* TVM's TVMParallelGroupEnv and FTVMParallelLambda. */
typedef struct {
  void *sync_handle;
  int32_t num_task;
} Group;
typedef int (*Kernel)(int task, Group *group, void *data);
typedef int (*Launch)(Kernel kernel, void *data, int num_task);

/* Consecutive pieces, which one thread takes first. */
typedef struct {
  _Alignas(CACHE_LINE) atomic_int next;
  int end;
} Share;

/* One parallel loop that is being computed; it lies on its caller's stack. */
typedef struct Job {
  Kernel kernel;
  void *data;
  Group group;
  struct Job *older;
  atomic_int workers; /* that may look at it */
  atomic_int failed;
  _Atomic int64_t busy; /* nanoseconds, of all that compute */
  int shares;
  Share share[SHARES];
} Job;

/* How long a loop took lately, on one thread. */
typedef struct {
  _Atomic(Kernel) kernel;
  _Atomic int64_t took;
} Past;

typedef struct {
  int threads;  /* the calling one included */
  int may_spin;
  pthread_mutex_t lock;
  pthread_cond_t posted, left;
  Job *jobs;             /* newest first */
  _Atomic uint32_t news; /* how many jobs were posted */
  int started, asleep;
  atomic_int waiting;    /* callers that sleep until a worker leaves their job */
  _Atomic int64_t quiet_from; /* on the clock: until then, nobody waits actively */
  _Atomic int64_t hold;       /* for how long, when the cores turn out to be shared */
  int64_t *times, room;       /* where the times of pieces are noted, and how many fit: see `record` */
  int pieces;                 /* into which a loop is cut meanwhile */
  Past pasts[PASTS];
} Pool;

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * (int64_t)1000000000 + t.tv_nsec;
}

static void relax(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  __asm__ volatile("yield");
#endif
}

/* --- Whether the cores are quiet ---------------------------------------------------------------
 *
 * A worker that waits actively beside others who want its core uses up the time that the scheduler
 * grants it, and is put aside just when work arrives. The scheduler counts the time that a thread
 * could have run and did not; where it does not say, the cores are taken for quiet.
 */
static const int64_t SPIN = 1000 * US;   /* a wait of this length is over when it is quiet */
static const int64_t GLANCE = 50 * US;   /* the same for a caller that waits for a worker */
static const int64_t SAMPLE = 20 * MS;   /* between two looks at the scheduler's count */
static const int64_t HOLD_LEAST = 20 * MS, HOLD_MOST = 1000 * MS;
enum { SHARED = 4 };                     /* a quarter of it put aside: others want the core */

typedef struct {
  int file;        /* /proc/thread-self/schedstat, or -1 */
  int64_t at;      /* when it was read */
  int64_t aside;   /* nanoseconds that it stated then */
} Watch;

static int64_t put_aside(int file) {
  char text[64];
  ssize_t length = pread(file, text, sizeof text - 1, 0);
  if (length <= 0) return 0;
  text[length] = 0;
  char *second;
  strtoll(text, &second, 10);
  return strtoll(second, NULL, 10);
}

static void watch(Watch *watch) {
  watch->file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  watch->at = now();
  watch->aside = put_aside(watch->file);
}

static int quiet(Pool *pool, int64_t t) { return pool->may_spin && t >= atomic_load(&pool->quiet_from); }

static void sample(Pool *pool, Watch *watch, int64_t t) {
  int64_t passed = t - watch->at;
  if (passed < SAMPLE || !quiet(pool, t)) return;
  int64_t aside = put_aside(watch->file), hold = atomic_load(&pool->hold);
  int shared = (aside - watch->aside) * SHARED > passed;
  if (shared) {
    atomic_store(&pool->quiet_from, t + hold);
    hold *= 2;
  } else {
    hold /= 2;
  }
  atomic_store(&pool->hold, hold < HOLD_LEAST ? HOLD_LEAST : hold > HOLD_MOST ? HOLD_MOST : hold);
  watch->at = t;
  watch->aside = aside;
}

/* --- Computing ------------------------------------------------------------------------------ */

static int is_open(Job *job) {
  for (int s = 0; s < job->shares; s++)
    if (atomic_load_explicit(&job->share[s].next, memory_order_relaxed) < job->share[s].end) return 1;
  return 0;
}

static void compute(Job *job, int first) {
  int64_t begin = now();
  for (int s = 0; s < job->shares; s++) {
    Share *share = &job->share[(first + s) % job->shares];
    while (atomic_load_explicit(&share->next, memory_order_relaxed) < share->end) {
      int task = atomic_fetch_add(&share->next, 1);
      if (task < share->end && job->kernel(task, &job->group, job->data))
        atomic_store(&job->failed, 1);
    }
  }
  atomic_fetch_add(&job->busy, now() - begin);
}

/* Waits actively while it is quiet; returns whether there is news. */
static int spin(Pool *pool, uint32_t seen, Watch *watch) {
  int64_t begin = now();
  for (int64_t t = begin; quiet(pool, t) && t - begin < SPIN; t = now()) {
    sample(pool, watch, t);
    for (int look = 0; look < LOOKS; look++) {
      if (atomic_load(&pool->news) != seen) return 1;
      relax();
    }
  }
  return 0;
}

typedef struct {
  Pool *pool;
  int number;
} Worker;

static void *work(void *given) {
  Worker worker = *(Worker *)given;
  free(given);
  Pool *pool = worker.pool;
  Watch seen_aside;
  watch(&seen_aside);
  for (;;) {
    pthread_mutex_lock(&pool->lock);
    uint32_t seen = atomic_load(&pool->news);
    Job *job = pool->jobs;
    while (job && !is_open(job)) job = job->older;
    if (job) atomic_fetch_add(&job->workers, 1);
    pthread_mutex_unlock(&pool->lock);
    if (job) {
      compute(job, worker.number);
      if (atomic_fetch_sub(&job->workers, 1) == 1 && atomic_load(&pool->waiting)) {
        pthread_mutex_lock(&pool->lock);
        pthread_cond_broadcast(&pool->left);
        pthread_mutex_unlock(&pool->lock);
      }
    } else if (!spin(pool, seen, &seen_aside)) {
      pthread_mutex_lock(&pool->lock);
      pool->asleep++;
      while (atomic_load(&pool->news) == seen) pthread_cond_wait(&pool->posted, &pool->lock);
      pool->asleep--;
      pthread_mutex_unlock(&pool->lock);
    }
  }
  return NULL;
}

/* Starts the workers; those that the system refuses are done without. */
static void start(Pool *pool) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (; pool->started < pool->threads - 1; pool->started++) {
    pthread_t thread;
    Worker *worker = malloc(sizeof *worker);
    if (!worker) break;
    *worker = (Worker){pool, pool->started + 1};
    if (pthread_create(&thread, NULL, work, worker)) {
      free(worker);
      break;
    }
    pthread_setname_np(thread, "tvmfuse");
    pthread_detach(thread);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pool->threads = pool->started + 1;
}

static void post(Pool *pool, Job *job) {
  pthread_mutex_lock(&pool->lock);
  if (pool->started < pool->threads - 1) start(pool);
  job->older = pool->jobs;
  pool->jobs = job;
  atomic_fetch_add(&pool->news, 1);
  int asleep = pool->asleep;
  pthread_mutex_unlock(&pool->lock);
  if (asleep) pthread_cond_broadcast(&pool->posted);
}

/* Lets no further worker look at the job, and waits for those that do. */
static void withdraw(Pool *pool, Job *job) {
  pthread_mutex_lock(&pool->lock);
  Job **place = &pool->jobs;
  while (*place != job) place = &(*place)->older;
  *place = job->older;
  pthread_mutex_unlock(&pool->lock);
  if (!atomic_load(&job->workers)) return;
  int64_t begin = now();
  for (int64_t t = begin; quiet(pool, begin) && t - begin < GLANCE; t = now()) {
    for (int look = 0; look < LOOKS; look++) {
      if (!atomic_load(&job->workers)) return;
      relax();
    }
  }
  pthread_mutex_lock(&pool->lock);
  atomic_fetch_add(&pool->waiting, 1);
  while (atomic_load(&job->workers)) pthread_cond_wait(&pool->left, &pool->lock);
  atomic_fetch_sub(&pool->waiting, 1);
  pthread_mutex_unlock(&pool->lock);
}

/* --- Whether a loop is worth a worker's while ---------------------------------------------------
 *
 * How long a loop of symbolic sizes is shows only as it runs. One that was short, and has not been
 * long for some calls, is begun by its caller alone; what is left when it takes long after all is
 * computed by all.
 */
static const int64_t SHORT = 4 * US;         /* where workers wait for it actively */
static const int64_t SHORT_BESIDE = 32 * US; /* where they sleep */

static Past *past_of(Pool *pool, Kernel kernel) {
  uint64_t mixed = (uintptr_t)kernel * UINT64_C(0x9e3779b97f4a7c15); /* 2^64 by the golden ratio */
  return &pool->pasts[(mixed >> 32) % PASTS];
}

static int was_shorter(Past *past, Kernel kernel, int64_t most) {
  return atomic_load_explicit(&past->kernel, memory_order_relaxed) == kernel &&
         atomic_load_explicit(&past->took, memory_order_relaxed) < most;
}

/* Remembers the longest run, and of earlier ones ever less: a kernel may serve several sizes. */
static void remember(Past *past, Kernel kernel, int64_t took) {
  int64_t before = 0;
  if (atomic_load_explicit(&past->kernel, memory_order_relaxed) == kernel)
    before = atomic_load_explicit(&past->took, memory_order_relaxed);
  else
    atomic_store_explicit(&past->kernel, kernel, memory_order_relaxed);
  if (took < before) took = (took + before) / 2;
  atomic_store_explicit(&past->took, took, memory_order_relaxed);
}

/* Returns into how many pieces a loop is cut. More than the kernel has would be empty ones, and all
 * of them the last threads'. */
static int pieces_for(int threads) {
  int most = threads < MOST_PIECES ? MOST_PIECES : threads;
  return PIECES * threads < most ? PIECES * threads : most;
}

/* Computes pieces, from the first on, until that takes too long; returns how many. */
static int alone(Job *job, int64_t begin, int64_t most) {
  int done = 0;
  for (int64_t took = 0; done < job->group.num_task && took < most;) {
    if (job->kernel(done, &job->group, job->data)) atomic_store(&job->failed, 1);
    done++;
    if (!(done & (done - 1))) atomic_store(&job->busy, took = now() - begin);
  }
  return done;
}

/* Computes a loop on its caller alone, and notes how many pieces it has, when it began, and when each
 * of them ended. Where that does not fit, nothing more is noted. */
static int noted(Pool *pool, Kernel kernel, void *data, int num_task) {
  Group alone = {NULL, num_task ? num_task : pool->pieces};
  int64_t *times = pool->times, length = alone.num_task + 2, room = pool->room;
  int failed = 0, fits = length <= room;
  pool->room = fits ? room - length : -1;
  pool->times += fits ? length : 0;
  if (fits) {
    *times++ = alone.num_task;
    *times++ = now();
  }
  for (int task = 0; task < alone.num_task && !failed; task++) {
    failed = kernel(task, &alone, data);
    if (fits) *times++ = now();
  }
  return failed;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t chosen;
static void make_key(void) { pthread_key_create(&chosen, NULL); }

static Launch tvm; /* for code of others, on threads that chose no pool of ours */

static int launch(Kernel kernel, void *data, int num_task) {
  Pool *pool = pthread_getspecific(chosen);
  if (!pool) return tvm(kernel, data, num_task);
  if (pool->times) return noted(pool, kernel, data, num_task);
  if (pool->threads == 1 || num_task == 1) {
    Group alone = {NULL, num_task ? num_task : 1};
    for (int task = 0; task < alone.num_task; task++) {
      int failed = kernel(task, &alone, data);
      if (failed) return failed;
    }
    return 0;
  }
  int64_t begin = now(), most = quiet(pool, begin) ? SHORT : SHORT_BESIDE;
  Past *past = past_of(pool, kernel);
  int is_short = was_shorter(past, kernel, most);
  Job job;
  job.kernel = kernel;
  job.data = data;
  job.group = (Group){NULL, num_task ? num_task : is_short ? FEW_PIECES : pieces_for(pool->threads)};
  atomic_init(&job.workers, 0);
  atomic_init(&job.failed, 0);
  atomic_init(&job.busy, 0);
  int done = is_short ? alone(&job, begin, most) : 0, left = job.group.num_task - done;
  if (left) {
    job.shares = pool->threads < SHARES ? pool->threads : SHARES;
    for (int64_t s = 0; s < job.shares; s++) {
      atomic_init(&job.share[s].next, done + (int)(s * left / job.shares));
      job.share[s].end = done + (int)((s + 1) * left / job.shares);
    }
    post(pool, &job);
    compute(&job, 0);
    withdraw(pool, &job);
  }
  remember(past, kernel, atomic_load(&job.busy));
  if (!atomic_load(&job.failed)) return 0;
  set_error("RuntimeError", "a piece of a parallel loop failed");
  return -1;
}

/* What compiled code launches loops by; set to the process's launcher by whoever opens a model. */
EXPORTED Launch __TVMBackendParallelLaunch = launch;

/* --- What Python calls --------------------------------------------------------------------- */

/* Takes TVM's launcher, if there is one, and returns what takes its place. */
static Launch install(Launch stock) {
  tvm = stock;
  return launch;
}

/* Returns a pool that computes on so many threads, the calling one included; NULL without memory. */
static void *make_pool(int threads, int may_spin) {
  Pool *pool = calloc(1, sizeof *pool);
  if (!pool) return NULL;
  pool->threads = threads;
  pool->may_spin = may_spin;
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->posted, NULL);
  pthread_cond_init(&pool->left, NULL);
  atomic_init(&pool->hold, HOLD_LEAST);
  return pool;
}

/* Lets loops that the calling thread launches run on a pool. */
static void use(void *pool) { pthread_setspecific(chosen, pool); }

static const struct {
  Launch (*install)(Launch);
  void *(*make_pool)(int, int);
  void (*use)(void *);
} launcher = {install, make_pool, use};

/* Lets a pool compute loops on their callers alone, cut into so many pieces where a kernel does not
 * say so, and note the times of these. */
static void record(void *given, int64_t *times, int64_t capacity, int pieces) {
  Pool *pool = given;
  pool->times = times;
  pool->room = capacity;
  pool->pieces = pieces;
}

/* Ends that; returns how many numbers have no note, or -1 where some notes did not fit. */
static int64_t recorded(void *given) {
  Pool *pool = given;
  pool->times = NULL;
  return pool->room;
}

static const struct {
  void (*record)(void *, int64_t *, int64_t, int);
  int64_t (*recorded)(void *);
} recorder = {record, recorded};

EXPORTED int __tvm_ffi_tvmfuse_recorder(void *self, const Any *args, int32_t count, Any *result) {
  *result = (Any){.type_index = INT, .integer = (intptr_t)&recorder};
  return 0;
}

/* Takes nothing, and returns the address of the table above. */
EXPORTED int __tvm_ffi_tvmfuse_launcher(void *self, const Any *args, int32_t count, Any *result) {
  pthread_once(&once, make_key);
  *result = (Any){.type_index = INT, .integer = (intptr_t)&launcher};
  return 0;
}
