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

test('a bound run in place goes on with what it wrote', () => {
  const model = new Model(env.TABLE);
  assert.deepEqual(model.shared, [0, -1]);
  const inputs = [
    { data: new Float32Array(18), sizes: [9, 2] },
    { data: BigInt64Array.of(3n), sizes: [1] },
    { data: Float32Array.of(1, 2), sizes: [1, 2] },
  ];
  const bound = model.bind(inputs, { inPlace: true });
  const [changed, sum] = bound.outputs;
  assert.equal(changed, bound.inputs[0]);
  for (const times of [1, 2, 3]) {
    bound.run();
    assert.equal(sum.data[0], 3 * times);
    assert.deepEqual([...changed.data.subarray(5, 9)], [0, times, 2 * times, 0]);
  }
  const apart = model.bind(inputs);
  apart.run();
  apart.run();
  assert.equal(apart.outputs[1].data[0], 3);
  bound.close();
});

test('an input with a default may be given', () => {
  const model = new Model(env.DEFAULTS);
  assert.deepEqual(model.overridable.map((spec) => spec.name), ['factor', 'ids']);
  const x = { data: new Float32Array(15).fill(1), sizes: [5, 3] };
  const [y] = model.run([x, { data: new Float32Array(3), sizes: [3] }]);
  assert.deepEqual(y.data, new Float32Array(12).fill(1));
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
