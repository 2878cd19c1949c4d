// Run describes a compiled model, runs it on files, and writes what comes out.
//
//	run MODEL.so [INPUT[:SIZES]...]
//
// INPUT is a file of an input's raw bytes, in the model's order; inputs without one are zeros.
// SIZES are the input's, as in x.bin:2,3; without them, a size that the caller decides is 1. Each
// output is written to a file, output0.bin and so on.
package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"tvmfuse"
)

func describe(what string, spec tvmfuse.Spec) {
	words := make([]string, len(spec.Sizes))
	for axis, size := range spec.Sizes {
		words[axis] = spec.Names[axis]
		if size >= 0 {
			words[axis] = strconv.FormatInt(size, 10)
		}
	}
	fmt.Printf("%s %s: %s[%s]\n", what, spec.Name, spec.Type, strings.Join(words, ", "))
}

// sizesOf reads "2,3".
func sizesOf(text string) ([]int64, error) {
	var sizes []int64
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' }) {
		size, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			return nil, err
		}
		sizes = append(sizes, size)
	}
	return sizes, nil
}

// read makes an input of zeros, or of "x.bin:2,3"; without sizes, they are the model's.
func read(given string, spec tvmfuse.Spec) (*tvmfuse.Tensor, error) {
	sizes := spec.Sizes
	for axis := range sizes {
		if sizes[axis] < 0 {
			sizes[axis] = 1
		}
	}
	file, text, stated := strings.Cut(given, ":")
	if stated {
		var err error
		if sizes, err = sizesOf(text); err != nil {
			return nil, err
		}
	}
	tensor, err := tvmfuse.Allocate(spec.DType, sizes...)
	if err != nil || file == "" {
		return tensor, err
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	data := tensor.Bytes()
	if len(content) != len(data) {
		return nil, fmt.Errorf("%s: expected %d bytes, found %d", file, len(data), len(content))
	}
	copy(data, content)
	return tensor, nil
}

func run(path string, files []string) error {
	model, err := tvmfuse.Open(path, nil)
	if err != nil {
		return err
	}
	defer model.Close()
	fmt.Println("level:", model.Level())

	specs, err := model.Inputs()
	if err != nil {
		return err
	}
	inputs := make([]*tvmfuse.Tensor, len(specs))
	for place, spec := range specs {
		describe("input", spec)
		given := ""
		if place < len(files) {
			given = files[place]
		}
		if inputs[place], err = read(given, spec); err != nil {
			return err
		}
		defer inputs[place].Free()
	}

	results, err := model.Run(inputs...)
	if err != nil {
		return err
	}
	outputs, err := model.Outputs()
	if err != nil {
		return err
	}
	for place, result := range results {
		defer result.Free()
		describe("output", outputs[place])
		file := fmt.Sprintf("output%d.bin", place)
		if err := os.WriteFile(file, result.Bytes(), 0o644); err != nil {
			return err
		}
		fmt.Printf("%s: %d bytes\n", file, len(result.Bytes()))
	}
	return nil
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "run MODEL.so [INPUT[:SIZES]...]")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		var failed *tvmfuse.Error
		if errors.As(err, &failed) {
			fmt.Fprintf(os.Stderr, "status %d: ", failed.Status)
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
