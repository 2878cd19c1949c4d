/* What the library's files share. Names begin with `tvmf_`, for a static library hides none. */
#ifndef TVMFUSE_INTERNAL_H
#define TVMFUSE_INTERNAL_H

#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdbool.h>

#include "include/tvmfuse.h"

enum { ALIGNMENT = 64 }; /* bytes: what compiled code expects of a tensor */

/* --- error.c: the text of this thread's last failure */
__attribute__((format(printf, 2, 3))) tvmfuse_status tvmf_fail(tvmfuse_status status,
                                                               const char *format, ...);
tvmfuse_status tvmf_no_memory(void);
void tvmf_listen(void);
void tvmf_say(const char *kind, const char *message);
tvmfuse_status tvmf_heard(tvmfuse_status otherwise);

/* --- memory.c: memory at multiples of 64 bytes */
void *tvmf_allocate(uint64_t bytes);
bool tvmf_is_aligned(const void *data);

/* --- json.c: a text as an array of nodes, each container before what is in it */
typedef struct {
  uint32_t begin, end; /* in the text */
  uint32_t after;      /* the first node that is not part of this one */
  char kind;           /* { [ " 0 t f n */
} JsonNode;
typedef struct {
  const char *text;
  JsonNode *nodes;
  uint32_t count, room;
} Json;
typedef const JsonNode *Node;
bool tvmf_json_read(Json *json, const char *text, size_t size);
void tvmf_json_free(Json *json);
Node tvmf_json_first(const Json *json, Node list);
Node tvmf_json_next(const Json *json, Node list, Node element);
int32_t tvmf_json_length(const Json *json, Node list);
Node tvmf_json_member(const Json *json, Node object, const char *key, char kind);
bool tvmf_json_integer(const Json *json, Node node, int64_t *value);
char *tvmf_json_string(const Json *json, Node node);
bool tvmf_json_is(const Json *json, Node node, const char *text);

/* --- checksum.c */
uint64_t tvmf_checksum(const void *bytes, size_t size);

/* --- record.c: a file's index, and its parts */
typedef struct {
  const uint8_t *data;
  size_t size;
  enum { OTHERS, MAPPED, COPIED } owner;
} Bytes;
typedef struct {
  uint64_t offset, size;
} Place;
typedef struct {
  Bytes file;
  uint64_t contents_size, checksum; /* of all before the index */
  Json index;
  Place *parts; /* of all builds */
  int32_t part_count;
  Node builds;   /* the most demanding first */
  Node build;    /* the one that is taken */
  Place *places; /* of its library, its weights, and code for a GPU */
  int32_t place_count;
} Record;
tvmfuse_status tvmf_read_file(const char *path, Bytes *file);
tvmfuse_status tvmf_take_memory(const void *data, size_t size, Bytes *file);
tvmfuse_status tvmf_read_record(Bytes file, const char *name, Record *record);
tvmfuse_status tvmf_take_build(Record *record, Node build, const char *name);
tvmfuse_status tvmf_check_contents(const Record *record, const char *name);
void tvmf_free_record(Record *record);

/* --- manifest.c: what the file says of the model */
typedef struct {
  tvmfuse_spec *specs;
  int32_t count;
} Specs;
typedef struct {
  void *data;
  int32_t device_type, device_id;
  int32_t rank;
  tvmfuse_dtype dtype;
  const int64_t *sizes, *strides;
  uint64_t offset;
} Tensor; /* DLPack's DLTensor */
enum { CPU = 1 };
typedef struct {
  Specs inputs, overridable, outputs;
  int32_t *shared; /* for each output, the input whose memory it may take, or -1 */
  char *json, *level;
  Tensor *weights; /* in the order of the file: defaults of overridable inputs last */
  int32_t weight_count;
} Manifest;
tvmfuse_status tvmf_read_manifest(const Record *record, const char *name, Manifest *manifest);
void tvmf_free_manifest(Manifest *manifest);
bool tvmf_bytes_of(tvmfuse_dtype dtype, int32_t rank, const int64_t *sizes, uint64_t *bytes);

/* --- cpu.c: which build this machine runs, and how many threads it has cores for */
tvmfuse_status tvmf_find_build(const Record *record, const char *name, Node *build);
int tvmf_threads(int wanted);

/* --- library.c: machine code, and what it calls */
typedef struct {
  int32_t type;
  uint32_t zero;
  union {
    int64_t integer;
    void *pointer;
  };
} Any; /* tvm-ffi's TVMFFIAny */
enum { TENSOR_POINTER = 7 };
typedef int (*Function)(void *self, const Any *args, int32_t count, Any *result);
/* Whether all outputs lie apart from inputs, or those that may share it in the memory of inputs. */
typedef enum { APART, IN_PLACE, WAYS } Way;
typedef struct {
  Function run;   /* inputs, weights, outputs, memory for what lies between */
  Function sizes; /* inputs, and where to write the bytes between, and outputs' sizes */
} Main;
typedef struct {
  void *handle;
  Main mains[WAYS]; /* the second one is empty where no output may share memory */
  bool stays;       /* in memory, when it is closed */
} Library;
tvmfuse_status tvmf_open_library(const uint8_t *data, size_t size, const char *name,
                                 Library *library);
void tvmf_close_library(Library *library);

/* --- launcher.c: the worker threads of this process */
tvmfuse_status tvmf_share_launcher(Library *library, const char *name, void **launch);
tvmfuse_status tvmf_use_threads(int threads);

/* --- sizes.c */
tvmfuse_status tvmf_check_sizes(const Specs *inputs, const Tensor *tensors);

/* --- model.c */
enum { SPARES = 16 };
typedef struct Spare {
  _Alignas(ALIGNMENT) uint64_t bytes; /* that follow this head */
  uint64_t blocks;                    /* that the model allocated, listed where they begin */
} Spare;
struct tvmfuse_model {
  atomic_int holders; /* the caller, and what is bound */
  int threads;
  Record record;
  Manifest manifest;
  Library library;
  _Atomic(Spare *) spares[WAYS][SPARES]; /* memory for what lies between, of runs that ended */
};
void tvmf_let_go(tvmfuse_model *model);
typedef struct {
  Any memory, bytes;
} Block;
Spare *tvmf_take_spare(tvmfuse_model *model, Way way, uint64_t bytes, uint64_t blocks);
void tvmf_give_spare(tvmfuse_model *model, Way way, Spare *spare);

#endif
