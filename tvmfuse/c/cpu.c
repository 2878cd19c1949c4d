/* Which build of a model this machine's CPU runs, and for how many threads it has cores. */
#include "internal.h"

#include "cpu_flags.h"

#include <elf.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FEATURES = sizeof features / sizeof *features, MOST_CPUS = CPU_SETSIZE };

/* Returns all of a file that states no size, to be freed; NULL where it cannot be read. */
static char *whole(const char *path) {
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return NULL;
  size_t length = 0, room = 1 << 14;
  char *text = malloc(room + 1);
  for (ssize_t more = 1; text && more > 0; length += more > 0 ? (size_t)more : 0) {
    if (length == room) {
      char *larger = realloc(text, (room *= 2) + 1);
      if (!larger) free(text);
      if (!(text = larger)) break;
    }
    more = read(descriptor, text + length, room - length);
  }
  close(descriptor);
  if (text) text[length] = 0;
  return text;
}

/* Which features all CPUs have, in the order of the table, if Linux says it; found once. */
static bool has[FEATURES], is_known;
static pthread_once_t once = PTHREAD_ONCE_INIT;

#if defined(__aarch64__)
#define PROCESSOR "aarch64"
#define OTHER_PROCESSOR "x86_64"
enum { OTHER_MACHINE = EM_X86_64 };

static void find_features(void) {
  unsigned long words[] = {getauxval(AT_HWCAP), getauxval(AT_HWCAP2)};
  is_known = true;
  for (int i = 0; i < FEATURES; i++) has[i] = words[features[i].word] >> features[i].bit & 1;
}
#else
#define PROCESSOR "x86_64"
#define OTHER_PROCESSOR "aarch64"
enum { OTHER_MACHINE = EM_AARCH64 };

/* Returns whether a line of words has one. */
static bool has_word(const char *words, const char *word) {
  size_t length = strlen(word);
  for (const char *found = words; (found = strstr(found, word)); found += length) {
    bool begins = found == words || found[-1] == ' ' || found[-1] == '\t' || found[-1] == ':';
    if (begins && (!found[length] || found[length] == ' ')) return true;
  }
  return false;
}

static void find_features(void) {
  static const char begin[] = "flags";
  char *text = whole("/proc/cpuinfo"), *rest = NULL, *last = NULL;
  if (!text) return;
  is_known = true;
  bool first = true;
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    if (strncmp(line, begin, strlen(begin)) || (last && !strcmp(line, last))) continue;
    for (int i = 0; i < FEATURES; i++)
      has[i] = (first || has[i]) && has_word(line, features[i].linux_name);
    first = false;
    last = line;
  }
  free(text);
}
#endif

static bool is_there(const Json *json, Node feature) {
  for (int i = 0; i < FEATURES; i++)
    if (has[i] && tvmf_json_is(json, feature, features[i].name)) return true;
  return false;
}

static tvmfuse_status lacks(const Json *json, Node feature, const char *name) {
  int length = (int)(feature->end - feature->begin);
  const char *text = json->text + feature->begin;
  if (is_known)
    return tvmf_fail(TVMFUSE_INCOMPATIBLE,
                     "%s needs a CPU with %.*s, which this machine's lacks: compile the model on "
                     "this machine, or for an older CPU",
                     name, length, text);
  return tvmf_fail(TVMFUSE_CANNOT_READ,
                   "%s needs a CPU with %.*s, and /proc/cpuinfo, which says what this machine's has, "
                   "cannot be read: mount all of /proc, in systemd without ProcSubset=pid",
                   name, length, text);
}

/* Asks Linux for the registers of the CPU's matrix unit, for all threads of this process: without
 * that, the first instruction on them ends it. Source: Documentation/arch/x86/xstate.rst. */
static bool may_use_tiles(void) {
#if defined(__x86_64__)
  enum { REQUEST = 0x1023, TILE_DATA = 18 }; /* ARCH_REQ_XCOMP_PERM, XFEATURE_XTILE_DATA */
  return !syscall(SYS_arch_prctl, REQUEST, TILE_DATA);
#else
  return false;
#endif
}

/* Checks that the code, with which a file begins, is not for the other processor that there are
 * models for. */
static tvmfuse_status check_processor(const Record *record, const char *name) {
  Elf64_Ehdr head = {0};
  if (record->file.size >= sizeof head) memcpy(&head, record->file.data, sizeof head);
  if (head.e_machine != OTHER_MACHINE) return TVMFUSE_OK;
  return tvmf_fail(TVMFUSE_INCOMPATIBLE,
                   "%s was compiled for " OTHER_PROCESSOR ", and this machine is " PROCESSOR
                   ": compile the model for it",
                   name);
}

/* Checks what the code was compiled for; the target is JSON in a text. */
static tvmfuse_status check_target(const Json *json, Node manifest, const char *name) {
  char *text = tvmf_json_string(json, tvmf_json_member(json, manifest, "target", '"'));
  Json target;
  if (!text || !tvmf_json_read(&target, text, strlen(text))) {
    free(text);
    return tvmf_fail(TVMFUSE_DAMAGED, "%s does not say what it was compiled for", name);
  }
  bool is_cpu = tvmf_json_is(&target, tvmf_json_member(&target, target.nodes, "kind", '"'), "llvm");
  tvmf_json_free(&target);
  free(text);
  if (is_cpu) return TVMFUSE_OK;
  return tvmf_fail(TVMFUSE_INCOMPATIBLE,
                   "%s was compiled for a GPU, which C cannot run yet; load it with Python", name);
}

/* Checks whether this machine runs a build; sets the first feature that it lacks. */
static tvmfuse_status check_build(const Json *json, Node build, const char *name, Node *lacking) {
  Node manifest = tvmf_json_member(json, build, "manifest", '{');
  tvmfuse_status failed = check_target(json, manifest, name);
  if (failed) return failed;
  Node wanted = tvmf_json_member(json, manifest, "cpu_features", '[');
  if (!wanted) return tvmf_fail(TVMFUSE_DAMAGED, "%s does not say what CPU it takes", name);
  pthread_once(&once, find_features);
  bool tiles = false;
  for (Node e = tvmf_json_first(json, wanted); e; e = tvmf_json_next(json, wanted, e)) {
    if (!is_there(json, e)) {
      *lacking = e;
      return lacks(json, e, name);
    }
    tiles = tiles || tvmf_json_is(json, e, "amx-tile");
  }
  if (tiles && !may_use_tiles())
    return tvmf_fail(TVMFUSE_INCOMPATIBLE,
                     "%s may use the CPU's matrix unit (AMX), and Linux does not let this process use "
                     "its registers: compile the model with -mattr=-amx-tile",
                     name);
  return TVMFUSE_OK;
}

/* Finds the first build that this machine runs. */
tvmfuse_status tvmf_find_build(const Record *record, const char *name, Node *build) {
  const Json *json = &record->index;
  char words[512] = "";
  int count = 0;
  bool all_lack = true; /* a feature, each of them */
  tvmfuse_status failed = check_processor(record, name);
  if (failed) return failed;
  for (Node e = tvmf_json_first(json, record->builds); e;
       e = tvmf_json_next(json, record->builds, e), count++) {
    Node lacking = NULL;
    failed = check_build(json, e, name, &lacking);
    *build = e;
    if (failed != TVMFUSE_INCOMPATIBLE) return failed;
    all_lack = all_lack && lacking;
    size_t length = strlen(words);
    if (lacking)
      snprintf(words + length, sizeof words - length, "%s%.*s", count ? ", " : "",
               (int)(lacking->end - lacking->begin), json->text + lacking->begin);
  }
  if (!count) return tvmf_fail(TVMFUSE_DAMAGED, "%s holds no build of a model", name);
  if (count == 1 || !all_lack) return failed;
  return tvmf_fail(TVMFUSE_INCOMPATIBLE,
                   "%s was compiled for %d targets, and each needs a feature that this machine's CPU "
                   "lacks, in their order %s: compile the model on this machine, or for an older CPU",
                   name, count, words);
}

/* Returns how many CPUs' time the container may use (cgroup v2), rounded up; `all` for all. */
static int quota(int all) {
  char *text = whole("/sys/fs/cgroup/cpu.max");
  long long most = 0, period = 0;
  int found = text ? sscanf(text, "%lld %lld", &most, &period) : 0;
  free(text);
  if (found != 2 || most <= 0 || period <= 0) return all;
  long long cpus = (most + period - 1) / period;
  return cpus < all ? (int)cpus : all;
}

/* Returns how many of some CPUs are the first of their core, among these. */
static int cores_of(const cpu_set_t *cpus) {
  int cores = 0;
  cpu_set_t seen;
  CPU_ZERO(&seen);
  for (int cpu = 0; cpu < MOST_CPUS; cpu++) {
    if (!CPU_ISSET(cpu, cpus) || CPU_ISSET(cpu, &seen)) continue;
    char path[96];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    char *siblings = whole(path), *p = siblings; /* such as 0,64 or 0-1 */
    while (p && *p >= '0' && *p <= '9') {
      long begin = strtol(p, &p, 10), end = *p == '-' ? strtol(p + 1, &p, 10) : begin;
      for (long s = begin; s <= end && s < MOST_CPUS; s++) CPU_SET((int)s, &seen);
      if (*p == ',') p++;
    }
    free(siblings);
    cores++;
  }
  return cores;
}

/* Returns how many threads compute where so many are asked for; 0: one for each physical core. */
int tvmf_threads(int wanted) {
  cpu_set_t cpus;
  if (sched_getaffinity(0, sizeof cpus, &cpus)) return 1; /* a machine of more than MOST_CPUS */
  int all = CPU_COUNT(&cpus);
  if (wanted) return wanted < all ? wanted : all;
  int cores = quota(cores_of(&cpus));
  return cores > 0 ? cores : 1;
}
