// Describes a compiled model, runs it on files, and writes what comes out.
//
//     Run.exe MODEL.so [INPUT[:SIZES]...]
//
// INPUT is a file of an input's raw bytes, in the model's order; inputs without one are zeros.
// SIZES are the input's, as in x.bin:2,3; without them, a size that the caller decides is 1. Each
// output is written to a file, output0.bin and so on.
using System;
using System.IO;
using System.Linq;
using Tvmfuse;

static class Run {
  static void Describe(string what, Spec spec) {
    var words = spec.Sizes.Select((size, axis) => size < 0 ? spec.Names[axis] : size.ToString());
    Console.WriteLine("{0} {1}: {2}[{3}]", what, spec.Name, spec.TypeName, string.Join(", ", words));
  }

  /// <summary>Makes an input of zeros, or of "x.bin:2,3"; else the sizes are the model's.</summary>
  static Tensor Read(string given, Spec spec) {
    string[] parts = given.Split(':');
    long[] sizes = parts.Length == 1
        ? Array.ConvertAll(spec.Sizes, size => size < 0 ? 1 : size)
        : Array.ConvertAll(parts[1].Split(new[] { ',' }, StringSplitOptions.RemoveEmptyEntries),
                           long.Parse);
    var tensor = new Tensor(spec.DType, sizes);
    tensor.Write(given == "" ? new byte[tensor.Bytes] : File.ReadAllBytes(parts[0]));
    return tensor;
  }

  static void RunModel(string path, string[] files) {
    using (var model = new Model(path)) {
      Console.WriteLine("level: " + model.Level);
      var inputs = new Tensor[model.Inputs.Count];
      for (int place = 0; place < inputs.Length; place++) {
        Describe("input", model.Inputs[place]);
        inputs[place] = Read(place < files.Length ? files[place] : "", model.Inputs[place]);
      }
      Tensor[] results = model.Run(inputs);
      for (int place = 0; place < results.Length; place++) {
        Describe("output", model.Outputs[place]);
        string file = "output" + place + ".bin";
        File.WriteAllBytes(file, results[place].Read<byte>());
        Console.WriteLine("{0}: {1} bytes", file, results[place].Bytes);
      }
      foreach (Tensor tensor in inputs.Concat(results)) tensor.Dispose();
    }
  }

  static int Main(string[] arguments) {
    if (arguments.Length < 1) {
      Console.Error.WriteLine("Run.exe MODEL.so [INPUT[:SIZES]...]");
      return 2;
    }
    try {
      RunModel(arguments[0], arguments.Skip(1).ToArray());
      return 0;
    } catch (TvmfuseException error) {
      Console.Error.WriteLine("status {0}: {1}", (int)error.Status, error.Message);
    } catch (Exception error) when (error is IOException || error is ArgumentException) {
      Console.Error.WriteLine(error.Message);
    }
    return 1;
  }
}
