// Runs in C#: `Bound.exe MODEL CACHES DEFAULTS`, models of two float32 inputs [n, k] and [m, k]; of
// rows that are written into two caches; and of an input behind which two have defaults.
using System;
using System.Linq;
using System.Threading.Tasks;
using Tvmfuse;

static class Program {
  static void Expect(bool holds, string what) {
    if (!holds) throw new Exception(what);
  }

  static string WordsOf<T>(Action action) where T : Exception {
    try {
      action();
    } catch (T error) {
      return error.Message;
    }
    throw new Exception("expected a " + typeof(T));
  }

  static Bound Bind(string path, Tensor a, Tensor b, Tensor[] outputs) {
    using (var model = new Model(path, 2, false)) return model.Bind(new[] { a, b }, outputs);
  }

  static void CheckCaches(string path) {
    using (var model = new Model(path)) {
      Expect(Enumerable.Range(0, 5).Select(model.SharedInput).SequenceEqual(
                 new[] { -1, 2, 3, -1, -1 }), "the inputs of caches");
      Tensor keys = Tensor.Of(new float[32], 4, 8), values = Tensor.Of(new float[32], 4, 8);
      Tensor x = Tensor.Of(new float[] { 1, 2, 3, 4, 5, 6, 7, 8 }, 1, 8);
      Tensor y = Tensor.Of(new float[8], 1, 8);
      for (long step = 0; step < 4; step++) {
        Tensor[] inputs = { x, Tensor.Of(new[] { step }, 1, 1), keys, values };
        Tensor[] expected = model.Run(inputs), outputs = { y, keys, values, expected[3] };
        model.Run(inputs, outputs);
        for (int i = 0; i < 4; i++)
          Expect(outputs[i].Read<byte>().SequenceEqual(expected[i].Read<byte>()), "bits in place");
      }
    }
  }

  static void CheckDefaults(string path) {
    using (var model = new Model(path)) {
      Expect(model.Overridable.Count == 2 && model.Overridable[0].Name == "factor", "defaults");
      Tensor x = Tensor.Of(Enumerable.Repeat(1f, 15).ToArray(), 5, 3);
      Tensor[] results = model.Run(x, Tensor.Of(new float[3], 3));
      Expect(results[0].Read<float>().All(number => number == 1), "a factor of exp(0)");
    }
  }

  static void Main(string[] arguments) {
    CheckCaches(arguments[1]);
    CheckDefaults(arguments[2]);
    var model = new Model(arguments[0]);
    Tensor a = Tensor.Of(new float[] { 1, 2, 3, 4, 5, 6 }, 2, 3);
    Tensor b = Tensor.Of(new float[] { 7, 8, 9 }, 1, 3);
    Tensor shares = new Tensor(DType.Of<float>(), 3, 3), sums = new Tensor(DType.Of<float>(), 3);
    Bound bound = Bind(arguments[0], a, b, null); // and its model is closed
    Bound into = Bind(arguments[0], a, b, new[] { shares, sums });
    float[] expected = null;
    foreach (float first in new[] { 1f, -4f }) {
      a.Write(new float[] { first, 2, 3, 4, 5, 6 });
      Tensor[] results = model.Run(a, b);
      expected = results[0].Read<float>();
      bound.Run();
      into.Run();
      Expect(bound.Outputs[0].Read<float>().SequenceEqual(expected), "the bits of a bound run");
      Expect(shares.Read<float>().SequenceEqual(expected), "own memory");
      Expect(bound.Outputs[1].Read<byte>().SequenceEqual(results[1].Read<byte>()), "the sums");
    }
    model.Run(new[] { a, b }, new[] { shares, sums });
    Parallel.For(0, 8, i => {
      Expect(model.Run(a, b)[0].Read<float>().SequenceEqual(expected), "another thread's");
    });

    Expect(WordsOf<TvmfuseException>(() => model.Bind(new[] { a, sums })) ==
           "input b: expected 2 dimensions, found 1", "a rank");
    Expect(WordsOf<TvmfuseException>(() => model.Run(a)) ==
           "the model takes 2 inputs, found 1", "a number of inputs");
    Expect(WordsOf<ArgumentException>(() => Tensor.Of(new float[2], 3)) ==
           "expected 12 bytes, found 8", "sizes that are not the data's");
    Expect(WordsOf<ArgumentException>(() => a.Read<double>()).StartsWith("the tensor has"), "a type");
    Expect(Tensor.Of(new[] { true, false, true }, 3).Read<bool>()[2], "elements of bool");
    Expect(new Tensor(DType.Of<long>(), 0, 2).Read<long>().Length == 0, "no elements");

    a.Dispose();
    foreach (Tensor output in bound.Outputs) output.Dispose();
    GC.Collect();
    bound.Run(); // which keeps the memory of what is disposed of
    Expect(bound.Outputs[0].Read<float>().SequenceEqual(expected), "kept memory");
    bound.Dispose();
    into.Dispose();
    WordsOf<ObjectDisposedException>(() => bound.Run());
    WordsOf<ObjectDisposedException>(() => model.Run(a, b));
  }
}
