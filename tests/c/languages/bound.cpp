/* Runs in C++: `bound MODEL CACHES DEFAULTS`, models of two float32 inputs [n, k] and [m, k]; of rows
 * that are written into two caches; and of an input behind which two have defaults. */
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

static void check_caches(const char *path) {
  const tvmfuse::Model model(path);
  expect(model.shared_input(1) == 2u && model.shared_input(2) == 3u, "the inputs of caches");
  expect(!model.shared_input(0) && !model.shared_input(3) && !model.shared_input(4), "no cache");
  tvmfuse::Vector<float> x(8), keys(32), values(32), y(8);
  std::vector<std::int64_t> at{0};
  const std::vector<tvmfuse::Input> inputs{
      {x, {1, 8}}, {at, {1, 1}}, {keys, {4, 8}}, {values, {4, 8}}};
  std::vector<std::int64_t> places(16);
  for (; at[0] < 4; at[0]++) {
    std::fill(x.begin(), x.end(), static_cast<float>(at[0] + 1));
    const auto expected = model.run(inputs);
    const auto count = static_cast<std::size_t>(expected[3].sizes()[1]);
    places.resize(2 * count);
    model.run(inputs, {{y, {1, 8}},
                       {keys, {4, 8}},
                       {values, {4, 8}},
                       {places, {2, static_cast<std::int64_t>(count)}}});
    const tvmfuse::Vector<float> *own[] = {&y, &keys, &values};
    for (std::size_t i = 0; i < 3; i++) {
      const auto elements = expected[i].elements<float>();
      expect(std::equal(own[i]->begin(), own[i]->end(), elements.begin(), elements.end()),
             "the bits of a run in place");
    }
  }
}

static void check_defaults(const char *path) {
  const tvmfuse::Model model(path);
  expect(model.overridable().size() == 2 && model.overridable()[0].name == "factor", "defaults");
  const std::array<float, 15> x{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  const std::array<float, 3> factor{};
  const auto results = model.run({{x, {5, 3}}, {factor, {3}}});
  for (const float number : results[0].elements<float>()) expect(number == 1, "a factor of exp(0)");
}

int main(int, char **argv) {
  check_caches(argv[2]);
  check_defaults(argv[3]);
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
