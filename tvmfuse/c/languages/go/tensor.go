package tvmfuse

// #include <stdlib.h>
// #include <tvmfuse.h>
import "C"

import (
	"fmt"
	"math/bits"
	"unsafe"
)

// DType is the type of an element, as DLPack has it; tvmfuse.h says which numbers mean what.
type DType struct {
	Code, Bits uint8
	Lanes      uint16
}

var (
	Float16  = DType{2, 16, 1}
	Float32  = DType{2, 32, 1}
	Float64  = DType{2, 64, 1}
	BFloat16 = DType{4, 16, 1}
	Int8     = DType{0, 8, 1}
	Int16    = DType{0, 16, 1}
	Int32    = DType{0, 32, 1}
	Int64    = DType{0, 64, 1}
	UInt8    = DType{1, 8, 1}
	UInt16   = DType{1, 16, 1}
	UInt32   = DType{1, 32, 1}
	UInt64   = DType{1, 64, 1}
	Bool     = DType{6, 8, 1}
)

// Element is a Go type that elements can have.
type Element interface {
	bool | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

func dtypeFor[T Element]() DType {
	var zero T
	switch any(zero).(type) {
	case bool:
		return Bool
	case float32, float64:
		return DType{2, uint8(8 * unsafe.Sizeof(zero)), 1}
	case int8, int16, int32, int64:
		return DType{0, uint8(8 * unsafe.Sizeof(zero)), 1}
	}
	return DType{1, uint8(8 * unsafe.Sizeof(zero)), 1}
}

func dtypeOf(dtype C.tvmfuse_dtype) DType {
	return DType{uint8(dtype.code), uint8(dtype.bits), uint16(dtype.lanes)}
}

// Tensor is a tensor in memory of C, at a multiple of 64 bytes, so that no run copies it.
type Tensor struct {
	c     C.tvmfuse_tensor
	bytes uintptr
	sizes unsafe.Pointer // where they have memory of their own
}

// Allocate returns a tensor of zeros, for Bytes or Elements to fill.
func Allocate(dtype DType, sizes ...int64) (*Tensor, error) {
	bytes, err := bytesOf(dtype, sizes)
	if err != nil {
		return nil, err
	}
	tensor := &Tensor{bytes: bytes, sizes: C.malloc(C.size_t(8*len(sizes) + 1))}
	copy(unsafe.Slice((*int64)(tensor.sizes), len(sizes)), sizes)
	code, width, lanes := C.uint8_t(dtype.Code), C.uint8_t(dtype.Bits), C.uint16_t(dtype.Lanes)
	tensor.c = C.tvmfuse_tensor{
		data:  C.tvmfuse_allocate(C.size_t(bytes)),
		dtype: C.tvmfuse_dtype{code, width, lanes},
		rank:  C.int32_t(len(sizes)),
		sizes: (*C.int64_t)(tensor.sizes),
	}
	if tensor.c.data == nil {
		tensor.Free()
		return nil, &Error{OutOfMemory, "out of memory"}
	}
	zeros := tensor.Bytes()
	for place := range zeros {
		zeros[place] = 0
	}
	return tensor, nil
}

// NewTensor returns a tensor with a copy of data.
func NewTensor[T Element](data []T, sizes ...int64) (*Tensor, error) {
	tensor, err := Allocate(dtypeFor[T](), sizes...)
	if err != nil {
		return nil, err
	}
	elements, err := Elements[T](tensor)
	if err == nil && len(elements) != len(data) {
		err = invalid("data: sizes %v have %d elements, found %d", sizes, len(elements), len(data))
	}
	if err != nil {
		tensor.Free()
		return nil, err
	}
	copy(elements, data)
	return tensor, nil
}

// Elements returns a tensor's elements, which are of type T; not copied: they go when it is freed.
func Elements[T Element](t *Tensor) ([]T, error) {
	if asked := dtypeFor[T](); asked != t.DType() {
		return nil, invalid("elements: asked for %+v, and the tensor has %+v", asked, t.DType())
	}
	var zero T
	return unsafe.Slice((*T)(t.c.data), t.bytes/unsafe.Sizeof(zero)), nil
}

// Bytes returns the bytes of elements of any type, not copied: they go when the tensor is freed.
func (t *Tensor) Bytes() []byte { return unsafe.Slice((*byte)(t.c.data), t.bytes) }

// DType returns the type of the elements.
func (t *Tensor) DType() DType { return dtypeOf(t.c.dtype) }

// Sizes returns the size of each dimension.
func (t *Tensor) Sizes() []int64 {
	return append([]int64(nil), sizesOf(t.c.sizes, t.c.rank)...)
}

// Free gives the memory back. No slice of it may be used any more, and nothing that it is bound to.
func (t *Tensor) Free() {
	C.tvmfuse_free(t.c.data)
	C.free(t.sizes)
	*t = Tensor{}
}

func invalid(format string, words ...any) error {
	return &Error{InvalidArgument, fmt.Sprintf(format, words...)}
}

// raw returns what C takes.
func raw(tensors []*Tensor) []C.tvmfuse_tensor {
	all := make([]C.tvmfuse_tensor, len(tensors))
	for place, tensor := range tensors {
		all[place] = tensor.c
	}
	return all
}

// taken returns results that the library allocated, each with its sizes.
func taken(results []C.tvmfuse_tensor) []*Tensor {
	all := make([]*Tensor, len(results))
	for place, result := range results {
		bytes, _ := bytesOf(dtypeOf(result.dtype), sizesOf(result.sizes, result.rank))
		all[place] = &Tensor{c: result, bytes: bytes}
	}
	return all
}

func first(tensors []C.tvmfuse_tensor) *C.tvmfuse_tensor {
	if len(tensors) == 0 {
		return nil
	}
	return &tensors[0]
}

// sizesOf views sizes of C's.
func sizesOf(sizes *C.int64_t, rank C.int32_t) []int64 {
	return unsafe.Slice((*int64)(unsafe.Pointer(sizes)), rank)
}

func bytesOf(dtype DType, sizes []int64) (uintptr, error) {
	bytes := uint64(dtype.Bits / 8)
	for _, size := range sizes {
		over, product := bits.Mul64(bytes, uint64(size))
		if size < 0 || over != 0 || product >= 1<<63 {
			return 0, invalid("sizes %v: no tensor has these", sizes)
		}
		bytes = product
	}
	return uintptr(bytes), nil
}
