package tvmfuse

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
)

// A model of two float32 inputs [n, k] and [m, k], whose path is MODEL, and inputs of it.
func opened(t *testing.T) (*Model, []*Tensor) {
	model, err := Open(os.Getenv("MODEL"), &Options{Threads: 2, SkipDigest: true})
	if err != nil {
		t.Fatal(err)
	}
	a, err := NewTensor([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewTensor([]float32{7, 8, 9}, 1, 3)
	if err != nil {
		t.Fatal(err)
	}
	return model, []*Tensor{a, b}
}

func TestABoundRunReadsItsInputsAnewAndOutlivesItsModel(t *testing.T) {
	model, inputs := opened(t)
	shares, _ := Allocate(Float32, 3, 3)
	sums, _ := Allocate(Float32, 3)
	var runs []*Bound
	for _, outputs := range [][]*Tensor{nil, {shares, sums}} {
		bound, err := model.Bind(inputs, outputs)
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, bound)
	}
	var expected []*Tensor
	for _, first := range []float32{1, -4} {
		elements, _ := Elements[float32](inputs[0])
		elements[0] = first
		expected, _ = model.Run(inputs...)
		for _, bound := range runs {
			if err := bound.Run(); err != nil {
				t.Fatal(err)
			}
			for place, output := range bound.Outputs {
				if !bytes.Equal(output.Bytes(), expected[place].Bytes()) {
					t.Fatal("other bits")
				}
			}
		}
	}
	if err := model.RunInto(inputs, runs[0].Outputs); err != nil {
		t.Fatal(err)
	}
	model.Close()
	if err := runs[0].Run(); err != nil {
		t.Fatal(err)
	}
	runs[0].Close()
	if err := runs[0].Run(); err == nil {
		t.Fatal("ran what was closed")
	}
	if _, err := model.Run(inputs...); err == nil || err.Error() != "expected a model, found NULL" {
		t.Fatal(err)
	}
}

func TestCachesStayWhereTheyAre(t *testing.T) {
	model, err := Open(os.Getenv("CACHES"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if found := []int{model.SharedInput(0), model.SharedInput(1), model.SharedInput(2)}; found[0] !=
		-1 || found[1] != 2 || found[2] != 3 {
		t.Fatal(found)
	}
	x, _ := NewTensor([]float32{1, 2, 3, 4, 5, 6, 7, 8}, 1, 8)
	at, _ := NewTensor([]int64{0}, 1, 1)
	keys, _ := Allocate(Float32, 4, 8)
	values, _ := Allocate(Float32, 4, 8)
	y, _ := Allocate(Float32, 1, 8)
	for step := int64(0); step < 4; step++ {
		elements, _ := Elements[int64](at)
		elements[0] = step
		expected, err := model.Run(x, at, keys, values)
		if err != nil {
			t.Fatal(err)
		}
		outputs := []*Tensor{y, keys, values, expected[3]}
		if err := model.RunInto([]*Tensor{x, at, keys, values}, outputs); err != nil {
			t.Fatal(err)
		}
		for place, output := range outputs {
			if !bytes.Equal(output.Bytes(), expected[place].Bytes()) {
				t.Fatal("other bits in place")
			}
		}
	}
}

func TestAnInputWithADefaultMayBeGiven(t *testing.T) {
	model, err := Open(os.Getenv("DEFAULTS"), nil)
	if err != nil {
		t.Fatal(err)
	}
	specs, err := model.Overridable()
	if err != nil || len(specs) != 2 || specs[0].Name != "factor" {
		t.Fatal(specs, err)
	}
	x, _ := NewTensor([]float32{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 5, 3)
	factor, _ := Allocate(Float32, 3)
	results, err := model.Run(x, factor)
	if err != nil {
		t.Fatal(err)
	}
	elements, _ := Elements[float32](results[0])
	for _, number := range elements {
		if number != 1 {
			t.Fatal(elements)
		}
	}
}

func TestEachGoroutineGetsItsOwnWords(t *testing.T) {
	model, inputs := opened(t)
	var group sync.WaitGroup
	for size := int64(10); size < 60; size++ {
		group.Add(1)
		go func(size int64) {
			defer group.Done()
			wide, _ := Allocate(Float32, 1, size)
			_, err := model.Run(inputs[0], wide)
			if err == nil || !strings.HasSuffix(err.Error(), fmt.Sprintf("it is 3 and %d", size)) {
				t.Error(err)
			}
		}(size)
	}
	group.Wait()
}

func TestWhatDoesNotFitIsRefusedInWords(t *testing.T) {
	_, err := NewTensor([]float32{1, 2}, 3)
	var failed *Error
	if !errors.As(err, &failed) || failed.Status != InvalidArgument {
		t.Fatal(err)
	}
	if failed.Words != "data: sizes [3] have 3 elements, found 2" {
		t.Fatal(err)
	}
	if _, err := Allocate(Float32, 1<<62, 1<<62); err == nil {
		t.Fatal("allocated more than there is")
	}
	tensor, _ := Allocate(Bool, 0, 2)
	if _, err := Elements[uint8](tensor); err == nil {
		t.Fatal("took a bool for a byte")
	}
	if elements, err := Elements[bool](tensor); err != nil || len(elements) != 0 {
		t.Fatal(err)
	}
	if _, err := Open("not/there", nil); !errors.As(err, &failed) || failed.Status != CannotRead {
		t.Fatal(err)
	}
}
