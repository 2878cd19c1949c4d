/* Runs models that tvmfuse compiled for the CPU, from C or anything that calls C.
 *
 * A compiled model is one file. It is opened, described, run, and closed:
 *
 *     tvmfuse_model *model;
 *     if (tvmfuse_open("model.so", NULL, &model)) return puts(tvmfuse_last_error()), 1;
 *     int64_t sizes[] = {1, 3, 224, 224};
 *     tvmfuse_tensor input = {pixels, TVMFUSE_FLOAT32, 4, sizes}, output = {0};
 *     if (tvmfuse_run(model, &input, 1, &output, 1)) return puts(tvmfuse_last_error()), 1;
 *     // output.data, output.rank and output.sizes are the result
 *     tvmfuse_free(output.data);
 *     tvmfuse_close(model);
 *
 * Errors. A function that can fail returns a status, and on failure leaves a text for the calling
 * thread: `tvmfuse_last_error`. Nothing is printed, and no signal is raised: a NULL where there
 * should be something is an error like others. What cannot be checked is the caller's part: that a
 * pointer which is not NULL leads to as many bytes as are stated.
 *
 * Threads. Every function may be called from any thread. Any number of threads may run one model at
 * once. While one thread closes a model, no other may use it; the same holds for a bound run.
 *
 * Fork. In a child of fork(), models of the parent can be run and new ones can be opened: the child
 * has worker threads of its own. A bound run that another thread was computing at the time of the
 * fork must not be used in the child.
 */
#ifndef TVMFUSE_H
#define TVMFUSE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TVMFUSE_API __attribute__((visibility("default")))

/* Raised whenever a program that was compiled with an older header would no longer work. */
#define TVMFUSE_API_VERSION 1

/* Returns the TVMFUSE_API_VERSION of the library, to be compared with that of the header. */
TVMFUSE_API uint32_t tvmfuse_api_version(void);

typedef enum {
  TVMFUSE_OK = 0,
  TVMFUSE_INVALID_ARGUMENT = 1, /* the caller's arguments do not fit the function, or the model */
  TVMFUSE_CANNOT_READ = 2,      /* the system does not give the file */
  TVMFUSE_DAMAGED = 3,          /* the file is truncated, altered, or no compiled model */
  TVMFUSE_INCOMPATIBLE = 4,     /* the file is whole, and cannot be run here or from C */
  TVMFUSE_RUN_FAILED = 5,       /* the model stopped as it ran */
  TVMFUSE_OUT_OF_MEMORY = 6
} tvmfuse_status;

/* Returns why the last call on this thread failed, in English. The text is the thread's, and stays
 * until its next call of a function that can fail; after one that succeeded, it means nothing. */
TVMFUSE_API const char *tvmfuse_last_error(void);

/* --- Opening -------------------------------------------------------------------------------- */

typedef struct tvmfuse_model tvmfuse_model;

typedef struct {
  size_t size;          /* sizeof(tvmfuse_options): what tells one version from another */
  int32_t threads;      /* that compute one run, the calling one included, at most one for each
                           CPU; 0: one for each physical core that this process may use */
  int32_t check_digest; /* not 0: all of the file is read, and compared with the checksum in it, which
                           shows accidents and no malice. Without that, a damaged file may end the
                           process. What describes the model is checked in any case. */
} tvmfuse_options;

/* The defaults: `tvmfuse_options options = TVMFUSE_OPTIONS;` */
#define TVMFUSE_OPTIONS {sizeof(tvmfuse_options), 0, 1}

/* Opens a compiled model.
 *
 * The file's weights are mapped: processes share them, and a run reads them from the disk where it
 * has to. So the file must not be written to while it is open; to replace it, write another file
 * and rename it. It may be removed. The machine code is copied. Of a file for several targets, the
 * first that this machine's CPU has all features of is opened, and `tvmfuse_manifest` is of that.
 *
 * Running a file runs its machine code: open only files whose origin you trust.
 *
 * path: the file.
 * options: NULL for the defaults.
 * model: set to the model, or to NULL on failure; `tvmfuse_close` ends it. */
TVMFUSE_API tvmfuse_status tvmfuse_open(const char *path, const tvmfuse_options *options,
                                        tvmfuse_model **model);

/* Opens a compiled model that lies in memory, as `tvmfuse_open` does a file.
 *
 * data: the bytes of a whole file. They stay the caller's, and must stay as they are until the model
 *     is closed. Where they do not begin at a multiple of 64 bytes, they are copied.
 * size: how many. */
TVMFUSE_API tvmfuse_status tvmfuse_open_memory(const void *data, size_t size,
                                               const tvmfuse_options *options,
                                               tvmfuse_model **model);

/* Closes a model; NULL is allowed. What was bound may still be run and has to be unbound; the
 * memory of results stays. */
TVMFUSE_API void tvmfuse_close(tvmfuse_model *model);

/* --- Describing ----------------------------------------------------------------------------- */

/* The type of an element, as DLPack has it. `code`: 0 for integers, 1 for those without a sign, 2
 * for IEEE floating point, 4 for bfloat16, 6 for bool, which is a byte, 0 or 1. `bits`: of one
 * element. `lanes`: 1. */
typedef struct {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
} tvmfuse_dtype;

/* For initializers: `tvmfuse_tensor t = {data, TVMFUSE_FLOAT32, 1, sizes};` */
#define TVMFUSE_FLOAT32 {2, 32, 1}
#define TVMFUSE_FLOAT64 {2, 64, 1}
#define TVMFUSE_FLOAT16 {2, 16, 1}
#define TVMFUSE_BFLOAT16 {4, 16, 1}
#define TVMFUSE_INT8 {0, 8, 1}
#define TVMFUSE_INT32 {0, 32, 1}
#define TVMFUSE_INT64 {0, 64, 1}
#define TVMFUSE_UINT8 {1, 8, 1}
#define TVMFUSE_BOOL {6, 8, 1}

/* What a model says of an input or output. All pointers are the model's, until it is closed. */
typedef struct {
  const char *name;  /* UTF-8 */
  const char *type;  /* the model's word for the elements: "float32", "bool", "int4" */
  tvmfuse_dtype dtype;      /* of the elements as they lie in memory: those of less than 8 bits, and
                               floats of 8 bits, are bytes, one for each element */
  int32_t rank;             /* how many dimensions */
  const int64_t *sizes;     /* of each dimension; -1 where the caller, or a run, decides */
  const char *const *names; /* of the dimensions whose size is -1, inputs' of one name have one
                               size; NULL for the others */
} tvmfuse_spec;

/* Returns what the file says of its model, as JSON in UTF-8; the model's, until it is closed. NULL
 * for no model. */
TVMFUSE_API const char *tvmfuse_manifest(const tvmfuse_model *model);

/* Returns how far the model was optimized: "none", "basic", "extended", "layout" or "all", in ONNX
 * Runtime's words ORT_DISABLE_ALL to ORT_ENABLE_ALL; the model's, until it is closed. NULL for no
 * model. */
TVMFUSE_API const char *tvmfuse_level(const tvmfuse_model *model);

/* Return how many inputs and outputs a model has; -1 for no model. */
TVMFUSE_API int32_t tvmfuse_input_count(const tvmfuse_model *model);
TVMFUSE_API int32_t tvmfuse_output_count(const tvmfuse_model *model);

/* Returns how many inputs have a default, and may be given behind the others; -1 for no model. */
TVMFUSE_API int32_t tvmfuse_overridable_count(const tvmfuse_model *model);

/* Describe an input or an output: `place` counts from 0, in the model's order. */
TVMFUSE_API tvmfuse_status tvmfuse_input(const tvmfuse_model *model, int32_t place,
                                         tvmfuse_spec *spec);
TVMFUSE_API tvmfuse_status tvmfuse_output(const tvmfuse_model *model, int32_t place,
                                          tvmfuse_spec *spec);
TVMFUSE_API tvmfuse_status tvmfuse_overridable(const tvmfuse_model *model, int32_t place,
                                               tvmfuse_spec *spec);

/* Returns the place of the input whose memory an output may take, such as a cache to which a decoder
 * adds rows: see `tvmfuse_run`. Both have one type, and the same sizes. -1 where it may take none,
 * and for no model or output. */
TVMFUSE_API int32_t tvmfuse_shared_input(const tvmfuse_model *model, int32_t output);

/* --- Running -------------------------------------------------------------------------------- */

/* A tensor in memory, its last dimension's elements side by side, without gaps. */
typedef struct {
  void *data; /* its first element; may be NULL where a size is 0 */
  tvmfuse_dtype dtype;
  int32_t rank;
  const int64_t *sizes; /* `rank` numbers; may be NULL where rank is 0 */
} tvmfuse_tensor;

/* Runs a model once.
 *
 * inputs: one for each input in the model's order, and behind these as many of the overridable ones
 *     as the caller wants to give; those that are left out have their default. Inputs are only read,
 *     unless an output is in place. Where their data begins at no multiple of 64 bytes, it is copied.
 * outputs: one for each output in the model's order.
 *     Where `data` is NULL, the other fields need no value: the library allocates memory, which
 *     begins at a multiple of 64 bytes, and sets all fields. `data` is the caller's then, who ends
 *     it by `tvmfuse_free`; `sizes` is part of it.
 *     Else the result is written to `data`, and the other fields have to be what the result's are.
 *     Memory at a multiple of 64 bytes is written to directly. An output must not overlap another
 *     output, nor an input unless it is in place. On failure, what such memory holds is undefined.
 *
 * In place. An output whose `data` is the `data` of the input that `tvmfuse_shared_input` names for
 * it is written there: only what changes is stored, and the input is overwritten. Either all outputs
 * that may be are in place, or none of them (those without elements count for neither). An input
 * that is overwritten must overlap no other input. Where it begins at no multiple of 64 bytes, all
 * of it is copied before the run, and back after it.
 *
 * On failure nothing is allocated for the caller. */
TVMFUSE_API tvmfuse_status tvmfuse_run(tvmfuse_model *model, const tvmfuse_tensor *inputs,
                                       int32_t input_count, tvmfuse_tensor *outputs,
                                       int32_t output_count);

/* Allocates memory for a tensor's data, at a multiple of 64 bytes, which runs read and write where it
 * is; `tvmfuse_free` ends it. NULL where there is none. */
TVMFUSE_API void *tvmfuse_allocate(size_t bytes);

/* Frees what the library allocated, an output's data too; NULL is allowed. */
TVMFUSE_API void tvmfuse_free(void *data);

/* Finds memory for one output, as soon as its sizes are known: before the run, or after it where
 * data decide them. See `tvmfuse_run_into`.
 *
 * context: what `tvmfuse_run_into` was given.
 * place: which output, counted from 0.
 * output: its type, rank and sizes, which stay the library's. `data` is NULL, and is to be set to
 *     where the result goes, which may be in place; where it stays NULL, nobody gets the result.
 *
 * Returns 0; anything else ends the run. */
typedef int (*tvmfuse_find_memory)(void *context, int32_t place, tvmfuse_tensor *output);

/* Runs a model once, and writes the outputs to memory that a function of the caller finds, whatever
 * their sizes turn out to be. What `tvmfuse_run` says of inputs, and of outputs whose `data` is not
 * NULL, holds here, too. */
TVMFUSE_API tvmfuse_status tvmfuse_run_into(tvmfuse_model *model, const tvmfuse_tensor *inputs,
                                            int32_t input_count, tvmfuse_find_memory find,
                                            void *context);

/* A run whose tensors are fixed, so that it can be repeated at the least cost. */
typedef struct tvmfuse_bound tvmfuse_bound;

/* Binds inputs and outputs to a model, for `tvmfuse_run_bound`.
 *
 * The arguments are those of `tvmfuse_run`; outputs are allocated now where `data` is NULL, so that
 * a model whose data decide an output's sizes cannot be bound. All data has to stay where it is
 * until `tvmfuse_unbind`; `inputs`, `outputs` and the caller's sizes need not. All memory that a run
 * takes is kept. Bound in place, each run goes on with what the one before it wrote.
 *
 * bound: set to the bound run, or to NULL on failure; `tvmfuse_unbind` ends it. */
TVMFUSE_API tvmfuse_status tvmfuse_bind(tvmfuse_model *model, const tvmfuse_tensor *inputs,
                                        int32_t input_count, tvmfuse_tensor *outputs,
                                        int32_t output_count, tvmfuse_bound **bound);

/* Runs the model on what lies in the inputs now, and writes the outputs. One thread at a time may run
 * one bound run; for several threads, bind once for each. */
TVMFUSE_API tvmfuse_status tvmfuse_run_bound(tvmfuse_bound *bound);

/* Ends a bound run; NULL is allowed. Outputs that the library allocated stay: see `tvmfuse_free`. */
TVMFUSE_API void tvmfuse_unbind(tvmfuse_bound *bound);

#ifdef __cplusplus
}
#endif
#endif
