// Package tvmfuse runs models that tvmfuse compiled for the CPU, over the C library libtvmfuse.
//
//	model, err := tvmfuse.Open("model.so", nil)
//	pixels, err := tvmfuse.NewTensor(make([]float32, 3*224*224), 1, 3, 224, 224)
//	results, err := model.Run(pixels)
//	logits, err := tvmfuse.Elements[float32](results[0])
//
// Models, bound runs and tensors hold memory of C, which Close and Free give back: Go's collector
// does not. What tvmfuse.h says of threads, fork and trust holds here.
package tvmfuse

// #cgo LDFLAGS: -ltvmfuse
// #include <stdlib.h>
// #include <tvmfuse.h>
import "C"

import (
	"runtime"
	"unsafe"
)

// Status is what kind of failure an error is; see tvmfuse.h.
type Status int

const (
	InvalidArgument Status = C.TVMFUSE_INVALID_ARGUMENT
	CannotRead      Status = C.TVMFUSE_CANNOT_READ
	Damaged         Status = C.TVMFUSE_DAMAGED
	Incompatible    Status = C.TVMFUSE_INCOMPATIBLE
	RunFailed       Status = C.TVMFUSE_RUN_FAILED
	OutOfMemory     Status = C.TVMFUSE_OUT_OF_MEMORY
)

// Error is a failure, in the library's words.
type Error struct {
	Status Status
	Words  string
}

func (e *Error) Error() string { return e.Words }

// call calls C and reads its words on one thread, whose they are.
func call(function func() C.tvmfuse_status) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if status := function(); status != C.TVMFUSE_OK {
		return &Error{Status(status), C.GoString(C.tvmfuse_last_error())}
	}
	return nil
}

// Options says how a model is opened.
type Options struct {
	Threads    int  // that compute one run; 0: one for each physical core
	SkipDigest bool // do not compare the file with its checksum
}

// Model is an open model. Any number of goroutines may run it at once.
type Model struct{ handle *C.tvmfuse_model }

// Open opens a compiled file; nil for the default options.
func Open(path string, options *Options) (*Model, error) {
	given := C.tvmfuse_options{size: C.sizeof_tvmfuse_options, check_digest: 1}
	if options != nil {
		given.threads = C.int32_t(options.Threads)
		if options.SkipDigest {
			given.check_digest = 0
		}
	}
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	model := &Model{}
	err := call(func() C.tvmfuse_status { return C.tvmfuse_open(name, &given, &model.handle) })
	if err != nil {
		return nil, err
	}
	return model, nil
}

// Close closes the model; what is bound may still be run. No other goroutine may use it meanwhile.
func (m *Model) Close() {
	C.tvmfuse_close(m.handle)
	m.handle = nil
}

// Level returns how far it was optimized: none, basic, extended, layout or all.
func (m *Model) Level() string { return C.GoString(C.tvmfuse_level(m.handle)) }

// Manifest returns what the file says of itself, as JSON.
func (m *Model) Manifest() string { return C.GoString(C.tvmfuse_manifest(m.handle)) }

// Spec is what a model says of an input or output.
type Spec struct {
	Name  string
	Type  string // the model's word for the elements, such as float32
	DType DType
	Sizes []int64  // -1 where the caller, or a run, decides
	Names []string // of the dimensions whose size is -1; empty for the others
}

// Inputs describes the inputs, in order.
func (m *Model) Inputs() ([]Spec, error) {
	count := C.tvmfuse_input_count(m.handle)
	return specs(count, func(place C.int32_t, spec *C.tvmfuse_spec) C.tvmfuse_status {
		return C.tvmfuse_input(m.handle, place, spec)
	})
}

// Outputs describes the outputs, in order.
func (m *Model) Outputs() ([]Spec, error) {
	count := C.tvmfuse_output_count(m.handle)
	return specs(count, func(place C.int32_t, spec *C.tvmfuse_spec) C.tvmfuse_status {
		return C.tvmfuse_output(m.handle, place, spec)
	})
}

// Overridable describes inputs that have a default: a run takes as many of them as are given behind
// the others.
func (m *Model) Overridable() ([]Spec, error) {
	count := C.tvmfuse_overridable_count(m.handle)
	return specs(count, func(place C.int32_t, spec *C.tvmfuse_spec) C.tvmfuse_status {
		return C.tvmfuse_overridable(m.handle, place, spec)
	})
}

// SharedInput returns the place of the input whose memory an output may take, as a cache's, or -1.
// RunInto and Bind are in place where all such outputs are the tensors of their inputs.
func (m *Model) SharedInput(output int) int {
	return int(C.tvmfuse_shared_input(m.handle, C.int32_t(output)))
}

type describe func(place C.int32_t, spec *C.tvmfuse_spec) C.tvmfuse_status

func specs(count C.int32_t, describe describe) ([]Spec, error) {
	var all []Spec
	for place := C.int32_t(0); place < count; place++ {
		var said C.tvmfuse_spec
		if err := call(func() C.tvmfuse_status { return describe(place, &said) }); err != nil {
			return nil, err
		}
		spec := Spec{
			Name:  C.GoString(said.name),
			Type:  C.GoString(said._type),
			DType: dtypeOf(said.dtype),
			Sizes: append([]int64(nil), sizesOf(said.sizes, said.rank)...),
		}
		for _, name := range unsafe.Slice((**C.char)(unsafe.Pointer(said.names)), said.rank) {
			spec.Names = append(spec.Names, C.GoString(name)) // empty for NULL
		}
		all = append(all, spec)
	}
	return all, nil
}

// Run runs the model, and returns results that the caller frees.
func (m *Model) Run(inputs ...*Tensor) ([]*Tensor, error) {
	given, made := raw(inputs), make([]C.tvmfuse_tensor, m.outputCount())
	if err := m.run(given, made); err != nil {
		return nil, err
	}
	return taken(made), nil
}

// RunInto runs the model, and writes the results to tensors of the caller's.
func (m *Model) RunInto(inputs, outputs []*Tensor) error {
	return m.run(raw(inputs), raw(outputs))
}

func (m *Model) run(inputs, outputs []C.tvmfuse_tensor) error {
	return call(func() C.tvmfuse_status {
		return C.tvmfuse_run(m.handle, first(inputs), C.int32_t(len(inputs)), first(outputs),
			C.int32_t(len(outputs)))
	})
}

func (m *Model) outputCount() int {
	if m.handle == nil {
		return 0 // Closed: the library says so, with the call that follows.
	}
	return int(C.tvmfuse_output_count(m.handle))
}

// Bound is a run whose tensors are fixed, which repeats at the least cost. One goroutine at a time
// may use it. It may outlive the model; its tensors have to outlive it.
type Bound struct {
	Outputs []*Tensor
	handle  *C.tvmfuse_bound
}

// Bind binds inputs and outputs; where outputs is nil, they are allocated, and the caller's to free.
func (m *Model) Bind(inputs, outputs []*Tensor) (*Bound, error) {
	given, written := raw(inputs), raw(outputs)
	if outputs == nil {
		written = make([]C.tvmfuse_tensor, m.outputCount())
	}
	bound := &Bound{Outputs: outputs}
	err := call(func() C.tvmfuse_status {
		return C.tvmfuse_bind(m.handle, first(given), C.int32_t(len(given)), first(written),
			C.int32_t(len(written)), &bound.handle)
	})
	if err != nil {
		return nil, err
	}
	if outputs == nil {
		bound.Outputs = taken(written)
	}
	return bound, nil
}

// Run runs the model on what lies in the inputs now.
func (b *Bound) Run() error {
	return call(func() C.tvmfuse_status { return C.tvmfuse_run_bound(b.handle) })
}

// Close ends the bound run; its tensors stay.
func (b *Bound) Close() {
	C.tvmfuse_unbind(b.handle)
	b.handle = nil
}
