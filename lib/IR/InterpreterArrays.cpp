//===- InterpreterArrays.cpp - The arrays of a run ------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/InterpreterArrays.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

namespace colonnade::ir {

static llvm::Error interpreterError(InterpreterError::Kind kind, const Function &function,
                                    const llvm::Twine &what) {
  return llvm::make_error<InterpreterError>(
      kind, Undefined::None, function.loc, ("'" + llvm::Twine(function.name) + "': " + what).str());
}

llvm::Error badInterpreterArguments(const Function &function, const llvm::Twine &what) {
  return interpreterError(InterpreterError::Kind::Arguments, function, what);
}

namespace {
/// Product of concrete extents; nullopt if it overflows.
std::optional<int64_t> product(llvm::ArrayRef<int64_t> extents) {
  int64_t cells = 1;
  for (int64_t extent : extents)
    if (__builtin_mul_overflow(cells, extent, &cells))
      return std::nullopt;
  return cells;
}

/// Makes or checks the cells of every array.
class ArraySetup {
public:
  ArraySetup(const Function &function, llvm::ArrayRef<Scalar> scalars)
      : function_(function), scalars_(scalars) {}

  llvm::Error run(std::vector<ArrayData> &arrays, std::vector<ArrayState> &states) {
    arrays.resize(function_.arrays.size());
    states.resize(function_.arrays.size());
    for (size_t i = 0; i < arrays.size(); ++i) {
      states[i].array = ArrayId(i);
      states[i].data = &arrays[i];
      if (auto error = measure(function_.arrays[i], arrays[i], states[i]))
        return error;
    }
    for (size_t i = 0; i < arrays.size(); ++i)
      if (auto error = prepare(function_.arrays[i], arrays[i], states[i]))
        return error;
    return llvm::Error::success();
  }

private:
  // Of all arrays that are made here, a gigabyte: more is a mistake in the sizes, not a programme.
  // Parameters without data take no memory.
  static constexpr int64_t MaxCells = int64_t(1) << 27;

  static bool isInput(const Array &array) {
    return array.role == ArrayRole::Parameter || array.role == ArrayRole::Scalar;
  }
  static bool isMade(const Array &array, const ArrayData &data) {
    return array.isLocal() || (array.role == ArrayRole::Return && data.cells.empty());
  }

  /// How many cells; before any are made, so that too many take no memory.
  llvm::Error measure(const Array &array, ArrayData &data, ArrayState &state) {
    if (array.isFormal())
      return llvm::Error::success(); // known when its part is called
    if (array.isTable())
      data = {array.contents, {}};
    auto extents = concreteExtents(function_, array, scalars_);
    bool undeclared = llvm::any_of(array.extents, [](const SizeExpr &e) { return !e.known(); });
    if (undeclared && (isInput(array) || array.isTable())) { // as long as its data
      llvm::consumeError(extents.takeError());
      state.cells = data.cells.empty() ? INT64_MAX : static_cast<int64_t>(data.cells.size());
      return llvm::Error::success();
    }
    if (!extents)
      return extents.takeError();
    const auto cells = product(*extents);
    if (!cells || (isMade(array, data) && *cells > MaxCells - made_))
      return tooLarge(array);
    state.cells = *cells;
    made_ += isMade(array, data) ? *cells : 0;
    return llvm::Error::success();
  }

  llvm::Error tooLarge(const Array &array) const {
    return interpreterError(InterpreterError::Kind::TooLarge, function_,
                            "array '" + array.name + "' is too large");
  }

  llvm::Error prepare(const Array &array, ArrayData &data, ArrayState &state) {
    if (array.isFormal())
      return llvm::Error::success();
    if (isMade(array, data)) {
      data.cells.assign(state.cells, 0);
      data.initialised.assign(state.cells, false);
    }
    return checkData(array, data, state, isInput(array));
  }

  llvm::Error checkData(const Array &array, const ArrayData &data, ArrayState &state,
                        bool isInput) {
    state.hasData = !data.cells.empty();
    if (!state.hasData && isInput)
      return llvm::Error::success();
    if (static_cast<int64_t>(data.cells.size()) < state.cells)
      return badInterpreterArguments(function_, "array '" + array.name + "' has " +
                                                    llvm::Twine(data.cells.size()) +
                                                    " cells, not " + llvm::Twine(state.cells));
    if (!data.initialised.empty() && data.initialised.size() != data.cells.size())
      return badInterpreterArguments(function_,
                                     "array '" + array.name + "' has a wrong initialised map");
    return llvm::Error::success();
  }

  const Function &function_;
  llvm::ArrayRef<Scalar> scalars_;
  int64_t made_ = 0; // cells of the arrays that are not given
};
} // namespace

llvm::Error prepareArrays(const Function &function, llvm::ArrayRef<Scalar> scalars,
                          std::vector<ArrayData> &arrays, std::vector<ArrayState> &states) {
  return ArraySetup(function, scalars).run(arrays, states);
}

llvm::Expected<std::vector<int64_t>> concreteExtents(const Function &function, const Array &array,
                                                     llvm::ArrayRef<Scalar> scalars) {
  std::map<std::string, int64_t> names;
  for (size_t i = 0; i < std::min(scalars.size(), function.scalars.size()); ++i)
    names[function.scalars[i].name] = asInt64(scalars[i]);
  std::vector<int64_t> extents;
  for (size_t d = 0; d < array.extents.size(); ++d) {
    const SizeExpr extent = array.extentAtSizes(d);
    auto value = extent.evaluate(names);
    if (!value)
      return badInterpreterArguments(function, "extent '" + extent.str() + "' of array '" +
                                                   array.name + "' has no value");
    if (*value < 0)
      return badInterpreterArguments(function, "extent '" + extent.str() + "' of array '" +
                                                   array.name +
                                                   "' is negative: " + llvm::Twine(*value));
    extents.push_back(*value);
  }
  return extents;
}

} // namespace colonnade::ir
