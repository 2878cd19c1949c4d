// Bound runs in Node, of a model of two float32 inputs [n, k] and [m, k]: the path is MODEL.
import assert from 'node:assert/strict';
import { env } from 'node:process';
import { test } from 'node:test';

import { Model, Status, TvmfuseError } from 'tvmfuse';

const open = () => new Model(env.MODEL, { threads: 2, checkDigest: false });
const inputs = () => [
  { data: Float32Array.of(1, 2, 3, 4, 5, 6), sizes: [2, 3] },
  { data: Float32Array.of(7, 8, 9), sizes: [1, 3] },
];

test('a bound run reads its inputs anew and outlives its model', () => {
  const model = open();
  const bound = model.bind(inputs());
  let expected;
  for (const first of [1, -4]) {
    const given = inputs();
    bound.inputs[0].data[0] = given[0].data[0] = first;
    expected = model.run(given);
    bound.run();
    assert.deepEqual(bound.outputs, expected);
  }
  model.close();
  bound.run();
  assert.deepEqual(bound.outputs, expected);
  bound.close();
  assert.throws(() => bound.run(), TvmfuseError);
  assert.throws(() => model.run(inputs()), { message: 'expected a model, found NULL' });
});

test('what lies in the middle of a buffer is read from there', () => {
  const model = open();
  const [a, b] = inputs();
  const data = new Float32Array(9).subarray(3);
  data.set(a.data);
  const bound = model.bind([{ data, sizes: [2, 3] }, b]);
  bound.run();
  assert.deepEqual(model.run([{ data, sizes: [2, 3] }, b]), model.run([a, b]));
  assert.deepEqual(bound.outputs, model.run([a, b]));
});

test('what does not fit is refused in words', () => {
  const model = open();
  const [a, b] = inputs();
  assert.throws(() => model.run([{ ...a, sizes: [2, 4] }, b]), {
    name: 'RangeError',
    message: 'data: sizes 2,4 take 32 bytes, found 24',
  });
  assert.throws(() => model.run([{ ...a, sizes: [-2, -3] }, b]), TypeError);
  assert.throws(() => model.run([{ ...a, data: [1, 2] }, b]), TypeError);
  assert.throws(() => model.bind([a]), { status: Status.INVALID_ARGUMENT });
  assert.throws(() => new Model('not/there'), { status: Status.CANNOT_READ });
});
