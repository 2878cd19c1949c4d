// Runs models that tvmfuse compiled for the CPU, over the C library libtvmfuse.so.
//
//     using (var model = new Model("model.so"))
//     using (var pixels = Tensor.Of(new float[3 * 224 * 224], 1, 3, 224, 224)) {
//       float[] logits = model.Run(pixels)[0].Read<float>();
//     }
//
// What fails throws TvmfuseException. What tvmfuse.h says of threads, fork and trust holds here.
using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Tvmfuse {

/// <summary>What kind of failure it was; see tvmfuse.h.</summary>
public enum Status {
  Ok, InvalidArgument, CannotRead, Damaged, Incompatible, RunFailed, OutOfMemory
}

/// <summary>A failure, in the library's words.</summary>
public sealed class TvmfuseException : Exception {
  public Status Status { get; }

  public TvmfuseException(Status status, string words) : base(words) { Status = status; }
}

/// <summary>The type of an element, as DLPack has it; see tvmfuse.h.</summary>
[StructLayout(LayoutKind.Sequential)]
public struct DType {
  public readonly byte Code, Bits;
  public readonly ushort Lanes;

  public DType(byte code, byte bits) { Code = code; Bits = bits; Lanes = 1; }

  public static readonly DType Float16 = new DType(2, 16), BFloat16 = new DType(4, 16);
  public static readonly DType Bool = new DType(6, 8);

  /// <summary>Returns the type of elements that are a C# type; bool is a byte, 0 or 1.</summary>
  public static DType Of<T>() where T : struct {
    switch (Type.GetTypeCode(typeof(T))) {
      case TypeCode.Single: return new DType(2, 32);
      case TypeCode.Double: return new DType(2, 64);
      case TypeCode.SByte: return new DType(0, 8);
      case TypeCode.Int16: return new DType(0, 16);
      case TypeCode.Int32: return new DType(0, 32);
      case TypeCode.Int64: return new DType(0, 64);
      case TypeCode.Byte: return new DType(1, 8);
      case TypeCode.UInt16: return new DType(1, 16);
      case TypeCode.UInt32: return new DType(1, 32);
      case TypeCode.UInt64: return new DType(1, 64);
      case TypeCode.Boolean: return Bool;
    }
    throw new ArgumentException("models have no elements of the type " + typeof(T));
  }

  public override string ToString() { return "code " + Code + ", " + Bits + " bits"; }

  internal long BytesOf(long[] sizes) {
    long bytes = Bits / 8;
    foreach (long size in sizes) {
      if (size < 0) throw new ArgumentException("a size is negative");
      bytes = checked(bytes * size);
    }
    return bytes;
  }
}

/// <summary>What a model says of an input or output.</summary>
public sealed class Spec {
  public string Name { get; internal set; }
  /// <summary>The model's word for the elements, such as float32.</summary>
  public string TypeName { get; internal set; }
  public DType DType { get; internal set; }
  /// <summary>Of each dimension; -1 where the caller, or a run, decides.</summary>
  public long[] Sizes { get; internal set; }
  /// <summary>Of the dimensions whose size is -1; null for the others.</summary>
  public string[] Names { get; internal set; }
}

/// <summary>A tensor in memory of C, at a multiple of 64 bytes, so that no run copies it.</summary>
public sealed class Tensor : IDisposable {
  internal readonly MemoryHandle Memory;
  readonly long[] sizes;

  /// <summary>Allocates a tensor, for Write.</summary>
  public Tensor(DType dtype, params long[] sizes) {
    DType = dtype;
    this.sizes = (long[])sizes.Clone();
    Bytes = dtype.BytesOf(sizes);
    Memory = Native.tvmfuse_allocate((UIntPtr)(ulong)Bytes);
    if (Memory.IsInvalid) throw new TvmfuseException(Status.OutOfMemory, "out of memory");
  }

  /// <summary>Takes what the library allocated.</summary>
  internal Tensor(Native.Tensor found) {
    Memory = new MemoryHandle(found.Data);
    DType = found.DType;
    sizes = Native.Longs(found.Sizes, found.Rank);
    Bytes = DType.BytesOf(sizes);
  }

  /// <summary>Returns a tensor with a copy of data.</summary>
  public static Tensor Of<T>(T[] data, params long[] sizes) where T : struct {
    var tensor = new Tensor(DType.Of<T>(), sizes);
    try {
      tensor.Write(data);
    } catch {
      tensor.Dispose();
      throw;
    }
    return tensor;
  }

  public DType DType { get; }
  public long Bytes { get; }
  public long[] Sizes { get { return (long[])sizes.Clone(); } }

  /// <summary>Copies elements of the tensor's type, or its bytes, from an array.</summary>
  public void Write<T>(T[] data) where T : struct {
    Check<T>();
    if (Buffer.ByteLength(data) != Bytes)
      throw new ArgumentException("expected " + Bytes + " bytes, found " + Buffer.ByteLength(data));
    Copy(data, true);
  }

  /// <summary>Returns a copy of the elements, as the tensor's type or as bytes.</summary>
  public T[] Read<T>() where T : struct {
    Check<T>();
    var data = new T[typeof(T) == typeof(byte) ? Bytes : Bytes / (DType.Bits / 8)];
    Copy(data, false);
    return data;
  }

  /// <summary>Frees the memory, or lets a bound run free it that uses it still.</summary>
  public void Dispose() { Memory.Dispose(); }

  void Check<T>() where T : struct {
    if (typeof(T) != typeof(byte) && !DType.Of<T>().Equals(DType))
      throw new ArgumentException("the tensor has elements of " + DType + ", and not " + typeof(T));
  }

  unsafe void Copy<T>(T[] data, bool write) {
    if (Bytes == 0) return;
    bool held = false;
    // The runtime pins no array of bool, whose elements are bytes: they are copied once more.
    Array pinned = data as bool[] == null ? (Array)data : new byte[data.Length];
    if (write && pinned != (Array)data) Buffer.BlockCopy(data, 0, pinned, 0, data.Length);
    GCHandle pin = GCHandle.Alloc(pinned, GCHandleType.Pinned);
    try {
      Memory.DangerousAddRef(ref held);
      void* own = (void*)Memory.DangerousGetHandle(), other = (void*)pin.AddrOfPinnedObject();
      Buffer.MemoryCopy(write ? other : own, write ? own : other, Bytes, Bytes);
    } finally {
      if (held) Memory.DangerousRelease();
      pin.Free();
    }
    if (!write && pinned != (Array)data) Buffer.BlockCopy(pinned, 0, data, 0, data.Length);
  }
}

/// <summary>An open model. Any number of threads may run it at once.</summary>
public sealed class Model : IDisposable {
  readonly ModelHandle handle;

  /// <summary>Opens a compiled file; 0 threads are one for each physical core.</summary>
  public Model(string path, int threads = 0, bool checkDigest = true) {
    var options = new Native.Options {
      Size = (UIntPtr)(ulong)Marshal.SizeOf(typeof(Native.Options)),
      Threads = threads,
      CheckDigest = checkDigest ? 1 : 0,
    };
    Native.Check(Native.tvmfuse_open(path, ref options, out handle));
    Inputs = Specs(Native.tvmfuse_input_count(handle), Native.tvmfuse_input);
    Outputs = Specs(Native.tvmfuse_output_count(handle), Native.tvmfuse_output);
    Overridable = Specs(Native.tvmfuse_overridable_count(handle), Native.tvmfuse_overridable);
    Level = Native.Text(Native.tvmfuse_level(handle));
    Manifest = Native.Text(Native.tvmfuse_manifest(handle));
  }

  public IReadOnlyList<Spec> Inputs { get; }
  public IReadOnlyList<Spec> Outputs { get; }
  /// <summary>Inputs that have a default, and may be given behind the others.</summary>
  public IReadOnlyList<Spec> Overridable { get; }
  /// <summary>How far it was optimized: none, basic, extended, layout or all.</summary>
  public string Level { get; }
  /// <summary>What the file says of itself, as JSON.</summary>
  public string Manifest { get; }

  /// <summary>Returns the place of the input whose memory an output may take, or -1: a run is in
  /// place if all such outputs are the tensors of their inputs.</summary>
  public int SharedInput(int output) { return Native.tvmfuse_shared_input(handle, output); }

  /// <summary>Runs the model, and returns results for the caller to dispose of.</summary>
  public Tensor[] Run(params Tensor[] inputs) {
    var made = new Native.Tensor[Outputs.Count];
    using (var given = new Held(inputs))
      Native.Check(Native.tvmfuse_run(handle, given.Tensors, inputs.Length, made, made.Length));
    return Array.ConvertAll(made, found => new Tensor(found));
  }

  /// <summary>Runs the model, and writes the results to tensors of the caller's.</summary>
  public void Run(Tensor[] inputs, Tensor[] outputs) {
    using (var given = new Held(inputs))
    using (var written = new Held(outputs))
      Native.Check(Native.tvmfuse_run(handle, given.Tensors, inputs.Length, written.Tensors,
                                      outputs.Length));
  }

  /// <summary>Binds inputs and outputs; without outputs, they are allocated.</summary>
  public Bound Bind(Tensor[] inputs, Tensor[] outputs = null) {
    Held given = null, written = null;
    Native.Tensor[] tensors;
    BoundHandle bound;
    try {
      given = new Held(inputs);
      written = new Held(outputs ?? new Tensor[0]);
      tensors = outputs == null ? new Native.Tensor[Outputs.Count] : written.Tensors;
      Native.Check(Native.tvmfuse_bind(handle, given.Tensors, inputs.Length, tensors,
                                       tensors.Length, out bound));
    } catch {
      given?.Dispose();
      written?.Dispose();
      throw;
    }
    if (outputs == null) {
      outputs = Array.ConvertAll(tensors, found => new Tensor(found));
      written = new Held(outputs);
    }
    bound.Holds = new[] { given, written };
    return new Bound(bound, outputs);
  }

  /// <summary>Closes the model; what is bound may still be run.</summary>
  public void Dispose() { handle.Dispose(); }

  delegate int Describe(ModelHandle model, int place, out Native.Spec spec);

  Spec[] Specs(int count, Describe describe) {
    var all = new Spec[count];
    for (int place = 0; place < count; place++) {
      Native.Spec said;
      Native.Check(describe(handle, place, out said));
      var names = new IntPtr[said.Rank];
      Marshal.Copy(said.Names, names, 0, said.Rank);
      all[place] = new Spec {
        Name = Native.Text(said.Name),
        TypeName = Native.Text(said.TypeName),
        DType = said.DType,
        Sizes = Native.Longs(said.Sizes, said.Rank),
        Names = Array.ConvertAll(names, Native.Text),
      };
    }
    return all;
  }
}

/// <summary>A run whose tensors are fixed, which repeats at the least cost. It may outlive its model
/// and keeps the memory of its tensors. One thread at a time may use it.</summary>
public sealed class Bound : IDisposable {
  readonly BoundHandle handle;

  internal Bound(BoundHandle handle, Tensor[] outputs) {
    this.handle = handle;
    Outputs = outputs;
  }

  public IReadOnlyList<Tensor> Outputs { get; }

  /// <summary>Runs the model on what lies in the inputs now.</summary>
  public void Run() { Native.Check(Native.tvmfuse_run_bound(handle)); }

  public void Dispose() { handle.Dispose(); }
}

/// <summary>Tensors as C takes them; their memory stays until this is disposed of.</summary>
sealed class Held : IDisposable {
  internal readonly Native.Tensor[] Tensors;
  readonly List<MemoryHandle> memory = new List<MemoryHandle>();
  readonly List<GCHandle> sizes = new List<GCHandle>();

  internal Held(Tensor[] tensors) {
    Tensors = new Native.Tensor[tensors.Length];
    try {
      for (int place = 0; place < tensors.Length; place++) Hold(tensors[place], ref Tensors[place]);
    } catch {
      Dispose();
      throw;
    }
  }

  void Hold(Tensor tensor, ref Native.Tensor held) {
    bool taken = false;
    tensor.Memory.DangerousAddRef(ref taken);
    memory.Add(tensor.Memory);
    long[] own = tensor.Sizes;
    sizes.Add(GCHandle.Alloc(own, GCHandleType.Pinned));
    held.Data = tensor.Memory.DangerousGetHandle();
    held.DType = tensor.DType;
    held.Rank = own.Length;
    held.Sizes = sizes[sizes.Count - 1].AddrOfPinnedObject();
  }

  public void Dispose() {
    foreach (MemoryHandle handle in memory) handle.DangerousRelease();
    foreach (GCHandle pin in sizes) pin.Free();
    memory.Clear();
    sizes.Clear();
  }
}

abstract class Handle : SafeHandle {
  protected Handle() : base(IntPtr.Zero, true) {}
  public override bool IsInvalid { get { return handle == IntPtr.Zero; } }
}

sealed class ModelHandle : Handle {
  protected override bool ReleaseHandle() { Native.tvmfuse_close(handle); return true; }
}

sealed class BoundHandle : Handle {
  internal Held[] Holds = new Held[0];

  protected override bool ReleaseHandle() {
    Native.tvmfuse_unbind(handle);
    foreach (Held held in Holds) held.Dispose();
    return true;
  }
}

sealed class MemoryHandle : Handle {
  MemoryHandle() {}
  internal MemoryHandle(IntPtr data) { SetHandle(data); }
  protected override bool ReleaseHandle() { Native.tvmfuse_free(handle); return true; }
}

/// <summary>What tvmfuse.h declares.</summary>
static class Native {
  const string Library = "tvmfuse"; // libtvmfuse.so

  [StructLayout(LayoutKind.Sequential)]
  internal struct Options { internal UIntPtr Size; internal int Threads, CheckDigest; }

  [StructLayout(LayoutKind.Sequential)]
  internal struct Spec {
    internal IntPtr Name, TypeName;
    internal DType DType;
    internal int Rank;
    internal IntPtr Sizes, Names;
  }

  [StructLayout(LayoutKind.Sequential)]
  internal struct Tensor {
    internal IntPtr Data;
    internal DType DType;
    internal int Rank;
    internal IntPtr Sizes;
  }

  [DllImport(Library)] static extern IntPtr tvmfuse_last_error();
  [DllImport(Library)]
  internal static extern int tvmfuse_open(string path, ref Options options, out ModelHandle model);
  [DllImport(Library)] internal static extern void tvmfuse_close(IntPtr model);
  [DllImport(Library)] internal static extern IntPtr tvmfuse_manifest(ModelHandle model);
  [DllImport(Library)] internal static extern IntPtr tvmfuse_level(ModelHandle model);
  [DllImport(Library)] internal static extern int tvmfuse_input_count(ModelHandle model);
  [DllImport(Library)] internal static extern int tvmfuse_output_count(ModelHandle model);
  [DllImport(Library)]
  internal static extern int tvmfuse_input(ModelHandle model, int place, out Spec spec);
  [DllImport(Library)]
  internal static extern int tvmfuse_output(ModelHandle model, int place, out Spec spec);
  [DllImport(Library)] internal static extern int tvmfuse_overridable_count(ModelHandle model);
  [DllImport(Library)]
  internal static extern int tvmfuse_overridable(ModelHandle model, int place, out Spec spec);
  [DllImport(Library)] internal static extern int tvmfuse_shared_input(ModelHandle model, int place);
  [DllImport(Library)]
  internal static extern int tvmfuse_run(ModelHandle model, [In] Tensor[] inputs, int inputCount,
                                         [In, Out] Tensor[] outputs, int outputCount);
  [DllImport(Library)] internal static extern MemoryHandle tvmfuse_allocate(UIntPtr bytes);
  [DllImport(Library)] internal static extern void tvmfuse_free(IntPtr data);
  [DllImport(Library)]
  internal static extern int tvmfuse_bind(ModelHandle model, [In] Tensor[] inputs, int inputCount,
                                          [In, Out] Tensor[] outputs, int outputCount,
                                          out BoundHandle bound);
  [DllImport(Library)] internal static extern int tvmfuse_run_bound(BoundHandle bound);
  [DllImport(Library)] internal static extern void tvmfuse_unbind(IntPtr bound);

  internal static void Check(int status) {
    if (status != 0) throw new TvmfuseException((Status)status, Text(tvmfuse_last_error()));
  }

  internal static string Text(IntPtr text) { return Marshal.PtrToStringAnsi(text); }

  internal static long[] Longs(IntPtr from, int count) {
    var all = new long[count];
    Marshal.Copy(from, all, 0, count);
    return all;
  }
}

}
