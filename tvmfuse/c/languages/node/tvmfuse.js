// Runs models that tvmfuse compiled for the CPU, over the C library libtvmfuse.so.
//
//     import { Model } from 'tvmfuse';
//
//     const model = new Model('model.so');
//     const pixels = { data: new Float32Array(3 * 224 * 224), sizes: [1, 3, 224, 224] };
//     const [logits] = model.run([pixels]);
//     console.log(logits.data, logits.sizes);
//     model.close();
//
// A tensor is an object: `data`, a typed array; `sizes`; and `dtype`, as an input of the model has
// it, which may be left out where the array's class says it. float16 and bfloat16 are in a
// Uint16Array, bool in a Uint8Array. What fails throws a TvmfuseError. A run holds up its thread:
// worker threads run models beside others. What tvmfuse.h says of threads, fork and trust holds.
import koffi from 'koffi';

// --- What tvmfuse.h declares --------------------------------------------------------------------

const library = koffi.load('libtvmfuse.so');

const DType = koffi.struct('tvmfuse_dtype', { code: 'uint8', bits: 'uint8', lanes: 'uint16' });
koffi.struct('tvmfuse_tensor', { data: 'void *', dtype: DType, rank: 'int32', sizes: 'int64 *' });
koffi.struct('tvmfuse_spec', {
  name: 'const char *',
  type: 'const char *',
  dtype: DType,
  rank: 'int32',
  sizes: 'void *',
  names: 'void *',
});
const Options = koffi.struct('tvmfuse_options', {
  size: 'size_t',
  threads: 'int32',
  check_digest: 'int32',
});

const inputsAndOutputs = `const tvmfuse_tensor *inputs, int32 input_count,
  _Inout_ tvmfuse_tensor *outputs, int32 output_count`;
const c = {
  lastError: library.func('const char *tvmfuse_last_error()'),
  open: library.func(
    'int tvmfuse_open(const char *path, const tvmfuse_options *options, _Out_ void **model)',
  ),
  close: library.func('void tvmfuse_close(void *model)'),
  manifest: library.func('const char *tvmfuse_manifest(void *model)'),
  level: library.func('const char *tvmfuse_level(void *model)'),
  inputCount: library.func('int32 tvmfuse_input_count(void *model)'),
  outputCount: library.func('int32 tvmfuse_output_count(void *model)'),
  input: library.func('int tvmfuse_input(void *model, int32 place, _Out_ tvmfuse_spec *spec)'),
  output: library.func('int tvmfuse_output(void *model, int32 place, _Out_ tvmfuse_spec *spec)'),
  overridableCount: library.func('int32 tvmfuse_overridable_count(void *model)'),
  overridable: library.func(
    'int tvmfuse_overridable(void *model, int32 place, _Out_ tvmfuse_spec *spec)',
  ),
  sharedInput: library.func('int32 tvmfuse_shared_input(void *model, int32 output)'),
  allocate: library.func('void *tvmfuse_allocate(size_t bytes)'),
  free: library.func('void tvmfuse_free(void *data)'),
  run: library.func(`int tvmfuse_run(void *model, ${inputsAndOutputs})`),
  bind: library.func(`int tvmfuse_bind(void *model, ${inputsAndOutputs}, _Out_ void **bound)`),
  runBound: library.func('int tvmfuse_run_bound(void *bound)'),
  unbind: library.func('void tvmfuse_unbind(void *bound)'),
};

// --- Errors -------------------------------------------------------------------------------------

/** The kinds of failures; see tvmfuse.h. */
export const Status = Object.freeze({
  INVALID_ARGUMENT: 1,
  CANNOT_READ: 2,
  DAMAGED: 3,
  INCOMPATIBLE: 4,
  RUN_FAILED: 5,
  OUT_OF_MEMORY: 6,
});

/** A failure, in the library's words; `status` is one of `Status`. */
export class TvmfuseError extends Error {
  constructor(status, words) {
    super(words);
    this.name = 'TvmfuseError';
    this.status = status;
  }
}

function check(status) {
  if (status !== 0) throw new TvmfuseError(status, c.lastError());
}

// --- Tensors ------------------------------------------------------------------------------------

const classes = [
  [Float32Array, 2, 32],
  [Float64Array, 2, 64],
  [Int8Array, 0, 8],
  [Int16Array, 0, 16],
  [Int32Array, 0, 32],
  [BigInt64Array, 0, 64],
  [Uint8Array, 1, 8],
  [Uint16Array, 1, 16],
  [Uint32Array, 1, 32],
  [BigUint64Array, 1, 64],
];

function classOf({ code, bits }) {
  const found = classes.find((row) => row[1] === code && row[2] === bits);
  return found ? found[0] : { 8: Uint8Array, 16: Uint16Array }[bits];
}

function dtypeOf(data) {
  const found = classes.find(([kind]) => data instanceof kind);
  if (!found) throw new TypeError('data: expected a typed array that models have the elements of');
  return { code: found[1], bits: found[2], lanes: 1 };
}

function bytesOf(dtype, sizes) {
  return sizes.reduce((product, size) => product * Number(size), dtype.bits / 8);
}

/** Returns a tensor as C takes it, if its data is as long as its sizes state. */
function toRaw({ data, sizes, dtype = dtypeOf(data) }) {
  if (!ArrayBuffer.isView(data) || !sizes.every((size) => Number.isSafeInteger(size) && size >= 0))
    throw new TypeError('expected a tensor: { data: a typed array, sizes: an array of integers }');
  const expected = bytesOf(dtype, sizes);
  if (data.byteLength !== expected)
    throw new RangeError(`data: sizes ${sizes} take ${expected} bytes, found ${data.byteLength}`);
  return { data, dtype, rank: sizes.length, sizes };
}

/** Returns places for results that the library is to allocate. */
function places(count) {
  const dtype = { code: 0, bits: 0, lanes: 0 };
  return Array.from({ length: count }, () => ({ data: null, dtype, rank: 0, sizes: null }));
}

function numbers(pointer, count) {
  return Array.from(koffi.decode(pointer, 'int64', count), Number);
}

/** Returns a tensor, and frees what the library allocated for it: collectors may come too late. */
function taken({ data, dtype, rank, sizes }) {
  const own = numbers(sizes, rank);
  const bytes = koffi.decode(data, 'uint8', bytesOf(dtype, own));
  c.free(data);
  return { data: new (classOf(dtype))(bytes.buffer), sizes: own, dtype };
}

const memory = new FinalizationRegistry((pointer) => c.free(pointer));

/** Returns a tensor on memory of the library's, which is freed when nothing refers to its data. */
function viewed({ data, dtype }, sizes) {
  const bytes = bytesOf(dtype, sizes);
  const buffer = bytes ? koffi.view(data, bytes) : new ArrayBuffer(0);
  memory.register(buffer, data);
  return Object.freeze({ data: new (classOf(dtype))(buffer), sizes: Object.freeze(sizes), dtype });
}

/** Copies a tensor, as C takes it, to memory that stays in place; returns it in both forms. */
function placed({ data, ...others }) {
  const raw = { ...others, data: c.allocate(data.byteLength) };
  if (raw.data === null) throw new TvmfuseError(Status.OUT_OF_MEMORY, 'out of memory');
  const tensor = viewed(raw, [...raw.sizes]);
  bytesIn(tensor.data).set(bytesIn(data));
  return { raw, tensor };
}

function bytesIn({ buffer, byteOffset, byteLength }) {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

// --- Running ------------------------------------------------------------------------------------

/** An open model; `close` ends it. `inputs` and `outputs` say name, type, dtype and sizes of each:
 * a size is a number, or a name where the caller, or a run, decides. So does `overridable` of the
 * inputs that have a default: a run takes as many as are given behind the others. `shared` has for
 * each output the place of the input whose memory it may take, as a cache's, or -1. `level` is
 * none, basic, extended, layout or all. */
export class Model {
  #handle;

  constructor(path, { threads = 0, checkDigest = true } = {}) {
    const options = { size: koffi.sizeof(Options), threads, check_digest: Number(checkDigest) };
    const model = [null];
    check(c.open(path, options, model));
    this.#handle = model[0];
    this.level = c.level(this.#handle);
    this.inputs = this.#specs(c.inputCount(this.#handle), c.input);
    this.outputs = this.#specs(c.outputCount(this.#handle), c.output);
    this.overridable = this.#specs(c.overridableCount(this.#handle), c.overridable);
    this.shared = this.outputs.map((_, place) => c.sharedInput(this.#handle, place));
  }

  /** What the file says of itself. */
  get manifest() {
    return JSON.parse(c.manifest(this.#handle));
  }

  /** Runs the model on tensors; returns tensors. */
  run(inputs) {
    const given = inputs.map(toRaw);
    const made = places(this.outputs.length);
    check(c.run(this.#handle, given, given.length, made, made.length));
    return made.map(taken);
  }

  /** Binds a copy of the inputs to the model, for runs that repeat at the least cost. `inPlace`:
   * outputs that may take the memory of inputs do, and each run goes on with what they are. */
  bind(inputs, { inPlace = false } = {}) {
    const given = inputs.map((input) => placed(toRaw(input)));
    const own = this.shared.map((input) => (inPlace ? given[input] : undefined));
    const made = places(this.outputs.length).map((place, n) => own[n]?.raw ?? place);
    const bound = [null];
    const raw = given.map((input) => input.raw);
    check(c.bind(this.#handle, raw, raw.length, made, made.length, bound));
    const view = (output) => viewed(output, numbers(output.sizes, output.rank));
    return new Bound(
      bound[0],
      given.map((input) => input.tensor),
      made.map((output, n) => own[n]?.tensor ?? view(output)),
    );
  }

  /** Closes the model; what is bound may still be run. */
  close() {
    c.close(this.#handle);
    this.#handle = null;
  }

  #specs(count, describe) {
    return Array.from({ length: count }, (_, place) => {
      const said = {};
      check(describe(this.#handle, place, said));
      const names = koffi.decode(said.names, 'char *', said.rank);
      const sizes = numbers(said.sizes, said.rank);
      const known = sizes.map((size, axis) => (size < 0 ? names[axis] : size));
      return { name: said.name, type: said.type, dtype: said.dtype, sizes: known };
    });
  }
}

/** A run whose tensors are fixed: `run` reads the data of `inputs` as it is then, and writes that
 * of `outputs`. It may outlive its model; `close` ends it. */
class Bound {
  #handle;

  constructor(handle, inputs, outputs) {
    this.#handle = handle;
    this.inputs = Object.freeze(inputs);
    this.outputs = Object.freeze(outputs);
    Object.freeze(this);
  }

  run() {
    check(c.runBound(this.#handle));
  }

  close() {
    c.unbind(this.#handle);
    this.#handle = null;
  }
}
