/* A bound run in C++: `bound MODEL`, a model of two float32 inputs [n, k] and [m, k]. */
#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <thread>
#include <tvmfuse.hpp>

static void expect(bool holds, const char *what) {
  if (holds) return;
  std::cerr << what << '\n';
  std::exit(1);
}

template <class Function>
static std::string words_of(Function function) {
  try {
    function();
  } catch (const tvmfuse::Error &error) {
    expect(error.status() == TVMFUSE_INVALID_ARGUMENT, "the status");
    return error.what();
  }
  return "";
}

static bool equal(const tvmfuse::Result &one, const tvmfuse::Result &other) {
  const auto a = one.bytes(), b = other.bytes();
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

int main(int, char **argv) {
  tvmfuse::Model opened(argv[1], {2, false});
  tvmfuse::Model model = std::move(opened);
  expect(words_of([&] { opened.run({}); }) == "expected a model, found NULL", "moved from");

  tvmfuse::Vector<float> a{1, 2, 3, 4, 5, 6};
  const std::array<float, 3> b{7, 8, 9};
  const std::vector<tvmfuse::Input> inputs{{a, {2, 3}}, {b, {1, 3}}};
  tvmfuse::Bound bound = model.bind(inputs);
  std::array<float, 9> shares{};
  std::array<float, 3> sums{};
  tvmfuse::Bound into = model.bind(inputs, {{shares, {3, 3}}, {sums, {3}}});
  for (float first : {1.0f, -4.0f}) {
    a[0] = first;
    const auto expected = model.run(inputs);
    bound.run();
    into.run();
    for (std::size_t i = 0; i < expected.size(); i++)
      expect(equal(bound.results()[i], expected[i]), "the bits of a bound run");
    const auto elements = expected[0].elements<float>();
    expect(std::equal(shares.begin(), shares.end(), elements.begin(), elements.end()), "own memory");
  }

  expect(words_of([&] { bound.results()[0].elements<double>(); }) ==
             "elements: asked for code 2, 64 bits, and the result has code 2, 32 bits",
         "a type");
  expect(words_of([&] { tvmfuse::Input(a, {2, 4}); }) == "data: its sizes take 32 bytes, found 24",
         "sizes that are not the data's");
  expect(words_of([&] { tvmfuse::Input(a, {-1}); }) == "a size is negative", "a negative size");

  const auto expected = model.run(inputs);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++)
    threads.emplace_back(
        [&] { expect(equal(model.run(inputs)[0], expected[0]), "another thread's"); });
  for (std::thread &thread : threads) thread.join();

  model = tvmfuse::Model(argv[1]);
  bound.run();
  expect(equal(bound.results()[0], expected[0]), "a bound run outlives its model");
}
