/* Describes a compiled model, runs it on files, and writes what comes out; as run.c does.
 *
 *     run MODEL.so [INPUT[:SIZES]...]
 *
 * INPUT is a file of an input's raw bytes, in the model's order; inputs without one are zeros.
 * SIZES are the input's, as in x.bin:2,3; without them, a size that the caller decides is 1. Each
 * output is written to a file, output0.bin and so on.
 */
#include <algorithm>
#include <fstream>
#include <functional>
#include <iostream>
#include <numeric>
#include <sstream>
#include <string>
#include <tvmfuse.hpp>
#include <vector>

static void describe(const char *what, const tvmfuse::Spec &spec) {
  std::cout << what << ' ' << spec.name << ": " << spec.type << '[';
  for (std::size_t axis = 0; axis < spec.sizes.size(); axis++) {
    if (axis) std::cout << ", ";
    if (spec.sizes[axis] < 0)
      std::cout << spec.names[axis];
    else
      std::cout << spec.sizes[axis];
  }
  std::cout << "]\n";
}

/* Splits "x.bin:2,3"; without sizes, they are the model's. */
static tvmfuse::Sizes split(std::string &file, const tvmfuse::Spec &spec) {
  tvmfuse::Sizes sizes = spec.sizes;
  std::replace_if(sizes.begin(), sizes.end(), [](auto size) { return size < 0; }, 1);
  const std::size_t colon = file.rfind(':');
  if (colon == std::string::npos) return sizes;
  sizes.clear();
  std::istringstream words(file.substr(colon + 1));
  for (std::string word; std::getline(words, word, ',');) sizes.push_back(std::stoll(word));
  file.resize(colon);
  return sizes;
}

using Bytes = tvmfuse::Vector<char>;

static Bytes read(const std::string &file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot read " + file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

static void run(int argc, char **argv) {
  const tvmfuse::Model model(argv[1]);
  std::cout << "level: " << model.level() << '\n';

  std::vector<Bytes> data; /* a vector's elements stay where they are as it moves */
  std::vector<tvmfuse::Input> inputs;
  for (const tvmfuse::Spec &spec : model.inputs()) {
    describe("input", spec);
    const int place = static_cast<int>(inputs.size()) + 2;
    std::string file = place < argc ? argv[place] : "";
    const tvmfuse::Sizes sizes = split(file, spec);
    const auto bytes = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{spec.dtype.bits / 8},
                                       std::multiplies<>());
    data.push_back(file.empty() ? Bytes(static_cast<std::size_t>(bytes)) : read(file));
    inputs.emplace_back(data.back().data(), data.back().size(), spec.dtype, sizes);
  }

  const std::vector<tvmfuse::Result> results = model.run(inputs);
  const std::vector<tvmfuse::Spec> outputs = model.outputs();
  for (std::size_t place = 0; place < results.size(); place++) {
    describe("output", outputs[place]);
    const std::string file = "output" + std::to_string(place) + ".bin";
    const auto bytes = results[place].bytes();
    std::ofstream stream(file, std::ios::binary);
    stream.write(reinterpret_cast<const char *>(bytes.data()),
                 static_cast<std::streamsize>(bytes.size()));
    if (!stream.flush()) throw std::runtime_error("cannot write " + file);
    std::cout << file << ": " << bytes.size() << " bytes\n";
  }
}

int main(int argc, char **argv) {
  if (argc < 2) return std::cerr << "run MODEL.so [INPUT[:SIZES]...]\n", 2;
  try {
    run(argc, argv);
  } catch (const tvmfuse::Error &error) {
    return std::cerr << "status " << error.status() << ": " << error.what() << '\n', 1;
  } catch (const std::exception &error) {
    return std::cerr << error.what() << '\n', 1;
  }
}
