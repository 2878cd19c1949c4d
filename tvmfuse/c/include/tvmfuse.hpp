/* Runs models that tvmfuse compiled for the CPU, from C++17: tvmfuse.h with owners and exceptions.
 *
 *     tvmfuse::Model model("model.so");
 *     std::vector<float> pixels(3 * 224 * 224);
 *     std::vector<tvmfuse::Result> results = model.run({{pixels, {1, 3, 224, 224}}});
 *     for (float number : results[0].elements<float>()) std::cout << number << '\n';
 *
 * What fails throws `tvmfuse::Error`. Data is not copied between the caller and the library; the
 * library copies inputs and outputs that begin at no multiple of 64 bytes: those of `Vector` and of
 * `Result` do. What tvmfuse.h says of threads, `fork` and trust holds here.
 */
#ifndef TVMFUSE_HPP
#define TVMFUSE_HPP

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tvmfuse.h"

namespace tvmfuse {

/* --- Errors --------------------------------------------------------------------------------- */

/* What went wrong, in the library's words. */
class Error : public std::runtime_error {
 public:
  Error(tvmfuse_status status, const std::string &words)
      : std::runtime_error(words), status_(status) {}

  tvmfuse_status status() const noexcept { return status_; }

 private:
  tvmfuse_status status_;
};

namespace detail {

inline void check(tvmfuse_status status) {
  if (status != TVMFUSE_OK) throw Error(status, tvmfuse_last_error());
}

}  // namespace detail

/* --- Memory --------------------------------------------------------------------------------- */

/* Gives memory at multiples of 64 bytes, which runs read and write where it is. */
template <class T>
struct Allocator {
  using value_type = T;

  Allocator() = default;
  template <class U>
  Allocator(const Allocator<U> &) noexcept {}

  T *allocate(std::size_t count) {
    return static_cast<T *>(::operator new(count * sizeof(T), alignment));
  }
  void deallocate(T *data, std::size_t) noexcept { ::operator delete(data, alignment); }

  static constexpr std::align_val_t alignment{64};
};

template <class T, class U>
bool operator==(const Allocator<T> &, const Allocator<U> &) noexcept {
  return true;
}
template <class T, class U>
bool operator!=(const Allocator<T> &, const Allocator<U> &) noexcept {
  return false;
}

/* A vector whose elements no run copies. */
template <class T>
using Vector = std::vector<T, Allocator<T>>;

/* Elements side by side that something else owns, as C++20's std::span. */
template <class T>
class Span {
 public:
  Span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}

  T *data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  T *begin() const noexcept { return data_; }
  T *end() const noexcept { return data_ + size_; }
  T &operator[](std::size_t place) const noexcept { return data_[place]; }

 private:
  T *data_;
  std::size_t size_;
};

/* --- Types ---------------------------------------------------------------------------------- */

using Sizes = std::vector<std::int64_t>;

/* Returns the type of elements that are a C++ type: bool, an integer, float or double. */
template <class T>
constexpr tvmfuse_dtype dtype_of() noexcept {
  static_assert(std::is_arithmetic_v<T> && sizeof(T) <= 8, "models have no elements of this type");
  constexpr auto bits = static_cast<std::uint8_t>(8 * sizeof(T));
  if (std::is_same_v<T, bool>) return TVMFUSE_BOOL;
  if (std::is_floating_point_v<T>) return {2, bits, 1};
  return {static_cast<std::uint8_t>(std::is_signed_v<T> ? 0 : 1), bits, 1};
}

/* What a model says of an input or output; see `tvmfuse_spec`. */
struct Spec {
  std::string name, type;
  tvmfuse_dtype dtype;
  Sizes sizes;                    /* -1 where the caller, or a run, decides */
  std::vector<std::string> names; /* of the dimensions whose size is -1; empty for the others */
};

namespace detail {

inline std::size_t bytes_of(tvmfuse_dtype dtype, const std::int64_t *sizes, std::size_t rank) {
  std::size_t bytes = dtype.bits / 8;
  for (std::size_t axis = 0; axis < rank; axis++) {
    if (sizes[axis] < 0) throw Error(TVMFUSE_INVALID_ARGUMENT, "a size is negative");
    const auto size = static_cast<std::size_t>(sizes[axis]);
    if (size != 0 && bytes > std::numeric_limits<std::size_t>::max() / size)
      throw Error(TVMFUSE_INVALID_ARGUMENT, "sizes: more bytes than 64 bits can count");
    bytes *= size;
  }
  return bytes;
}

}  // namespace detail

/* --- Tensors -------------------------------------------------------------------------------- */

/* A tensor in memory of the caller's, which has to outlive it: `Input` or `Output`. */
template <class Void>
class View {
  template <class T>
  using Element = std::conditional_t<std::is_const_v<Void>, const T, T>;

 public:
  /* Views the elements of a std::vector, std::array, std::span, Span and the like. */
  template <class Container, class T = std::remove_const_t<std::remove_pointer_t<
                                 decltype(std::data(std::declval<Container &>()))>>>
  View(Container &elements, Sizes sizes)
      : View(static_cast<Element<T> *>(std::data(elements)), std::size(elements) * sizeof(T),
             dtype_of<T>(), std::move(sizes)) {}

  /* Views bytes of any type, such as float16. */
  View(Void *data, std::size_t bytes, tvmfuse_dtype dtype, Sizes sizes)
      : data_(data), dtype_(dtype), sizes_(std::move(sizes)) {
    const std::size_t expected = detail::bytes_of(dtype, sizes_.data(), sizes_.size());
    if (bytes != expected)
      throw Error(TVMFUSE_INVALID_ARGUMENT, "data: its sizes take " + std::to_string(expected) +
                                                " bytes, found " + std::to_string(bytes));
  }

  tvmfuse_tensor tensor() const noexcept {
    const auto rank = static_cast<std::int32_t>(sizes_.size());
    return {const_cast<void *>(static_cast<const void *>(data_)), dtype_, rank, sizes_.data()};
  }

 private:
  Void *data_;
  tvmfuse_dtype dtype_;
  Sizes sizes_;
};

using Input = View<const void>;
using Output = View<void>;

/* A result, with its memory. */
class Result {
 public:
  Result() = default;

  /* Takes what the library allocated. */
  explicit Result(const tvmfuse_tensor &tensor) noexcept : data_(tensor.data), tensor_(tensor) {}

  tvmfuse_dtype dtype() const noexcept { return tensor_.dtype; }
  Span<const std::int64_t> sizes() const noexcept {
    return {tensor_.sizes, static_cast<std::size_t>(tensor_.rank)};
  }
  Span<std::byte> bytes() const {
    return {static_cast<std::byte *>(data_.get()),
            detail::bytes_of(dtype(), tensor_.sizes, sizes().size())};
  }

  /* Returns the elements, which have to be of this type. */
  template <class T>
  Span<T> elements() const {
    constexpr tvmfuse_dtype asked = dtype_of<T>();
    if (asked.code != dtype().code || asked.bits != dtype().bits)
      throw Error(TVMFUSE_INVALID_ARGUMENT,
                  "elements: asked for code " + std::to_string(asked.code) + ", " +
                      std::to_string(asked.bits) + " bits, and the result has code " +
                      std::to_string(dtype().code) + ", " + std::to_string(dtype().bits) + " bits");
    return {static_cast<T *>(data_.get()), bytes().size() / sizeof(T)};
  }

 private:
  struct Free {
    void operator()(void *data) const noexcept { tvmfuse_free(data); }
  };
  std::unique_ptr<void, Free> data_;
  tvmfuse_tensor tensor_{};
};

namespace detail {

template <class Void>
std::vector<tvmfuse_tensor> tensors(const std::vector<View<Void>> &views) {
  std::vector<tvmfuse_tensor> made;
  made.reserve(views.size());
  for (const View<Void> &view : views) made.push_back(view.tensor());
  return made;
}

inline std::int32_t count(const std::vector<tvmfuse_tensor> &tensors) noexcept {
  return static_cast<std::int32_t>(tensors.size());
}

/* Moves what the library allocated into results that there are already: that cannot throw. */
inline void take(const std::vector<tvmfuse_tensor> &tensors,
                 std::vector<Result> &results) noexcept {
  for (std::size_t place = 0; place < tensors.size(); place++)
    results[place] = Result(tensors[place]);
}

}  // namespace detail

/* --- Running -------------------------------------------------------------------------------- */

/* A run whose tensors are fixed, which repeats at the least cost. The data of its inputs and
 * outputs has to outlive it; the model need not. One thread at a time may use it. */
class Bound {
 public:
  /* Runs the model on what lies in the inputs now. */
  void run() { detail::check(tvmfuse_run_bound(bound_.get())); }

  /* Returns the results that the library allocated; none where the caller gave outputs. */
  const std::vector<Result> &results() const noexcept { return results_; }

 private:
  friend class Model;
  struct Unbind {
    void operator()(tvmfuse_bound *bound) const noexcept { tvmfuse_unbind(bound); }
  };
  std::vector<Result> results_; /* outlive what writes them */
  std::unique_ptr<tvmfuse_bound, Unbind> bound_;
};

struct Options {
  std::int32_t threads = 0; /* that compute one run; 0: one for each physical core */
  bool check_digest = true;
};

/* An open model. Any number of threads may run it at once. */
class Model {
 public:
  explicit Model(const std::string &path, Options options = {}) {
    const tvmfuse_options given = in_c(options);
    tvmfuse_model *opened;
    detail::check(tvmfuse_open(path.c_str(), &given, &opened));
    model_.reset(opened);
  }

  /* Opens a whole file that lies in memory, which has to outlive the model and what is bound. */
  Model(const void *data, std::size_t size, Options options = {}) {
    const tvmfuse_options given = in_c(options);
    tvmfuse_model *opened;
    detail::check(tvmfuse_open_memory(data, size, &given, &opened));
    model_.reset(opened);
  }

  std::vector<Spec> inputs() const {
    return specs(tvmfuse_input_count(model_.get()), tvmfuse_input);
  }
  std::vector<Spec> outputs() const {
    return specs(tvmfuse_output_count(model_.get()), tvmfuse_output);
  }
  /* Inputs that have a default: a run takes as many of them as are given behind the others. */
  std::vector<Spec> overridable() const {
    return specs(tvmfuse_overridable_count(model_.get()), tvmfuse_overridable);
  }

  /* Returns the place of the input whose memory an output may take, as a cache's: `run` and `bind`
   * on outputs of the caller's are in place where all such outputs have the data of their inputs. */
  std::optional<std::size_t> shared_input(std::size_t output) const noexcept {
    const bool fits = output < output_count();
    const std::int32_t place =
        fits ? tvmfuse_shared_input(model_.get(), static_cast<std::int32_t>(output)) : -1;
    if (place < 0) return std::nullopt;
    return static_cast<std::size_t>(place);
  }

  /* Both are the model's, until it is closed: see `tvmfuse_level` and `tvmfuse_manifest`. */
  std::string_view level() const { return tvmfuse_level(model_.get()); }
  std::string_view manifest() const { return tvmfuse_manifest(model_.get()); }

  /* Runs the model; the library allocates the results. */
  std::vector<Result> run(const std::vector<Input> &inputs) const {
    const std::vector<tvmfuse_tensor> given = detail::tensors(inputs);
    std::vector<tvmfuse_tensor> made(output_count());
    std::vector<Result> results(made.size());
    detail::check(tvmfuse_run(model_.get(), given.data(), detail::count(given), made.data(),
                              detail::count(made)));
    detail::take(made, results);
    return results;
  }

  /* Runs the model, and writes the results to memory of the caller's. */
  void run(const std::vector<Input> &inputs, const std::vector<Output> &outputs) const {
    const std::vector<tvmfuse_tensor> given = detail::tensors(inputs);
    std::vector<tvmfuse_tensor> written = detail::tensors(outputs);
    detail::check(tvmfuse_run(model_.get(), given.data(), detail::count(given), written.data(),
                              detail::count(written)));
  }

  /* Binds inputs; the library allocates the results. */
  Bound bind(const std::vector<Input> &inputs) const {
    std::vector<tvmfuse_tensor> made(output_count());
    Bound bound;
    bound.results_.resize(made.size());
    bind(inputs, made, bound);
    detail::take(made, bound.results_);
    return bound;
  }

  /* Binds inputs and outputs. */
  Bound bind(const std::vector<Input> &inputs, const std::vector<Output> &outputs) const {
    std::vector<tvmfuse_tensor> written = detail::tensors(outputs);
    Bound bound;
    bind(inputs, written, bound);
    return bound;
  }

 private:
  struct Close {
    void operator()(tvmfuse_model *model) const noexcept { tvmfuse_close(model); }
  };
  using Describe = tvmfuse_status (*)(const tvmfuse_model *, std::int32_t, tvmfuse_spec *);

  static tvmfuse_options in_c(Options options) noexcept {
    return {sizeof(tvmfuse_options), options.threads, options.check_digest};
  }

  /* Returns how many outputs there are; 0 for a model that was moved from, which C then refuses. */
  std::size_t output_count() const noexcept {
    return model_ ? static_cast<std::size_t>(tvmfuse_output_count(model_.get())) : 0;
  }

  std::vector<Spec> specs(std::int32_t count, Describe describe) const {
    std::vector<Spec> all;
    for (std::int32_t place = 0; place < count; place++) {
      tvmfuse_spec said;
      detail::check(describe(model_.get(), place, &said));
      Spec &spec = all.emplace_back();
      spec.name = said.name;
      spec.type = said.type;
      spec.dtype = said.dtype;
      spec.sizes.assign(said.sizes, said.sizes + said.rank);
      for (std::int32_t axis = 0; axis < said.rank; axis++)
        spec.names.emplace_back(said.names[axis] ? said.names[axis] : "");
    }
    return all;
  }

  void bind(const std::vector<Input> &inputs, std::vector<tvmfuse_tensor> &outputs,
            Bound &bound) const {
    const std::vector<tvmfuse_tensor> given = detail::tensors(inputs);
    tvmfuse_bound *made;
    detail::check(tvmfuse_bind(model_.get(), given.data(), detail::count(given), outputs.data(),
                               detail::count(outputs), &made));
    bound.bound_.reset(made);
  }

  std::unique_ptr<tvmfuse_model, Close> model_;
};

}  // namespace tvmfuse
#endif
