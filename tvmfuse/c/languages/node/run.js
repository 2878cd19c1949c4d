// Describes a compiled model, runs it on files, and writes what comes out.
//
//     node run.js MODEL.so [INPUT[:SIZES]...]
//
// INPUT is a file of an input's raw bytes, in the model's order; inputs without one are zeros. SIZES
// are the input's, as in x.bin:2,3; without them, a size that the caller decides is 1. Each output
// is written to a file, output0.bin and so on.
import { readFileSync, writeFileSync } from 'node:fs';
import { exit, argv } from 'node:process';

import { Model, TvmfuseError } from 'tvmfuse';

function describe(what, { name, type, sizes }) {
  console.log(`${what} ${name}: ${type}[${sizes.join(', ')}]`);
}

/** Makes an input of zeros, or of "x.bin:2,3"; without sizes, they are the model's. */
function read(given, spec) {
  const [file, text] = (given ?? '').split(':');
  const sizes =
    text === undefined
      ? spec.sizes.map((size) => (typeof size === 'string' ? 1 : size))
      : text.split(',').filter(Boolean).map(Number);
  const bytes = sizes.reduce((product, size) => product * size, spec.dtype.bits / 8);
  const data = file ? readFileSync(file) : new Uint8Array(bytes);
  return { data, sizes, dtype: spec.dtype };
}

function run(path, files) {
  const model = new Model(path);
  console.log(`level: ${model.level}`);
  const inputs = model.inputs.map((spec, place) => {
    describe('input', spec);
    return read(files[place], spec);
  });
  model.run(inputs).forEach(({ data }, place) => {
    describe('output', model.outputs[place]);
    const file = `output${place}.bin`;
    writeFileSync(file, data);
    console.log(`${file}: ${data.byteLength} bytes`);
  });
  model.close();
}

if (argv.length < 3) {
  console.error('node run.js MODEL.so [INPUT[:SIZES]...]');
  exit(2);
}
try {
  run(argv[2], argv.slice(3));
} catch (error) {
  const status = error instanceof TvmfuseError ? `status ${error.status}: ` : '';
  console.error(`${status}${error.message}`);
  exit(1);
}
