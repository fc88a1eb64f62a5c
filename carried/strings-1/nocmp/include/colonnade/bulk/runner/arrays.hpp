//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// runner/arrays.hpp: loads a function's arrays from .npy files.
//
// In: the names and files of `-i` and `-o`. Out: for each array its input cells, a buffer
// for its results, and the layout of host memory: column-wise if all inputs of instances
// are 2-D in Fortran order, else row-wise.
// Invariant: inputs are used as they are in the mapped file, unless their cells are in
// another order than host memory's, are fields of records, or are not aligned.
//
// Shapes: instance arrays (p, dims…) or (p, product), uniform arrays (dims…) or
// (product); a file of records is the input of all leaves of a struct parameter.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/runner/host_array.hpp>
#include <colonnade/bulk/runner/options.hpp>

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace colonnade::runtime::runner {

namespace detail {

/// Copies items from Fortran order to C order. Walks them in C order; `strides` are those of
/// Fortran order.
inline void to_c_order(const std::vector<uint64_t> &shape, const char *from, char *to,
                       size_t item_bytes) {
  std::vector<uint64_t> index(shape.size(), 0), strides(shape.size(), 1);
  uint64_t items = 1;
  for (size_t d = 0; d < shape.size(); ++d) {
    strides[d] = items;
    items *= shape[d];
  }
  uint64_t source = 0;
  for (uint64_t i = 0; i < items; ++i) {
    std::memcpy(to + i * item_bytes, from + source * item_bytes, item_bytes);
    for (size_t d = shape.size(); d-- > 0;) {
      source += strides[d];
      if (++index[d] < shape[d])
        break;
      source -= strides[d] * shape[d];
      index[d] = 0;
    }
  }
}

} // namespace detail

/// All arrays of one run.
class array_set {
public:
  array_set(const function_info &f, const options &given) : function_(f), given_(given) {
    arrays.resize(f.num_arrays);
    cells.assign(f.num_arrays + 1, 0);
  }

  std::vector<host_array> arrays;
  std::vector<uint64_t> cells;
  uint64_t count = 0;
  layout host_layout = layout::row_wise;

  /// Opens the files and settles the count. What is wrong with names, types and numbers of
  /// instances is found here, before any cell is read.
  status open() {
    status s = open_inputs();
    if (s.ok())
      s = match_outputs();
    return s.ok() ? settle_count() : s;
  }

  /// Opens the files, settles count, cells and layout, and loads the inputs. `scalars` are those
  /// of the run.
  status load(const scalar_bits *scalars) {
    status s = open();
    if (s.ok())
      s = settle_cells(scalars);
    for (uint32_t a = 0; s.ok() && a < function_.num_arrays; ++a)
      s = check_shape(a, scalars);
    if (!s)
      return s;
    host_layout = all_columns() ? layout::column_wise : layout::row_wise;
    for (uint32_t a = 0; s.ok() && a < function_.num_arrays; ++a)
      s = load_array(a);
    return s;
  }

  /// Whether the file of array a, if it has one, holds that many cells of each instance. `extents`
  /// say how they are laid out.
  status check_cells(uint32_t a, uint64_t wanted, const std::vector<uint64_t> &extents) const {
    const host_array &array = arrays[a];
    const bool is_uniform = function_.arrays[a].uniform;
    if (!array.file || (count == 0 && !is_uniform))
      return status::success();
    if (array.file->head.num_items * array.leaf->cells() == wanted * (is_uniform ? 1 : count))
      return status::success();
    std::vector<uint64_t> shape(is_uniform ? 0 : 1, count);
    shape.insert(shape.end(), extents.begin(), extents.end());
    return detail::file_error(array.path, "shape " + npy::shape_text(array.file->head.shape) +
                                              " does not fit " + function_.arrays[a].name +
                                              ": expected " + npy::shape_text(shape) +
                                              " at these arguments");
  }

  uint64_t bytes(uint32_t a) const {
    return cells[a] * (function_.arrays[a].uniform ? 1 : count) *
           size_bytes(function_.arrays[a].cell);
  }
  bool writes(uint32_t a) const { return function_.arrays[a].dir != direction::in; }
  bool is_instance(uint32_t a) const { return !function_.arrays[a].uniform && cells[a] > 0; }

private:
  std::string known_names() const {
    std::string names;
    for (uint32_t a = 0; a < function_.num_arrays; ++a)
      names += (a ? ", " : "") + std::string(function_.arrays[a].name);
    return names.empty() ? "no arrays" : names;
  }

  status unknown(const std::string &option, const std::string &name) const {
    return detail::wrong(option + " " + name + ": " + function_.name +
                         " has no array of that name; it has " + known_names());
  }

  status open_inputs() {
    for (const auto &input : given_.inputs) {
      files_.push_back(std::make_unique<npy::array_file>());
      if (status s = npy::array_file::open(input.second, *files_.back()); !s)
        return s;
      const std::vector<uint32_t> meant = detail::arrays_named(input.first, function_);
      if (meant.empty())
        return unknown("-i", input.first);
      for (uint32_t a : meant)
        if (status s = bind_input(a, input.second, *files_.back()); !s)
          return s;
    }
    for (uint32_t a = 0; a < function_.num_arrays; ++a)
      if (!arrays[a].file && function_.arrays[a].dir == direction::in)
        return detail::wrong(std::string("missing input: -i ") + function_.arrays[a].name +
                             "=FILE.npy");
    return status::success();
  }

  status bind_input(uint32_t a, const std::string &path, const npy::array_file &file) {
    const array_info &info = function_.arrays[a];
    host_array &array = arrays[a];
    if (array.file)
      return detail::wrong(std::string("array ") + info.name + " has two inputs");
    array.file = &file;
    array.path = path;
    if (file.head.structured) {
      const std::string leaf = detail::leaf_name(info);
      array.leaf = npy::find_field(file.head, leaf);
      if (!array.leaf)
        return detail::file_error(path, "its dtype has no field '" + leaf + "' for " + info.name);
    } else {
      array.leaf = &file.head.fields[0];
    }
    if (status s = npy::check_type(array.leaf->code, info.cell); !s)
      return detail::file_error(path, s.message);
    return status::success();
  }

  status match_outputs() {
    std::map<std::string, std::string> names; // by file
    for (const auto &output : given_.outputs) {
      if (detail::arrays_named(output.first, function_).empty())
        return unknown("-o", output.first);
      std::string file;
      if (status s = detail::check_writable(output.second, file); !s)
        return s;
      const auto added = names.emplace(file, output.first);
      if (!added.second && !file.empty())
        return detail::wrong("-o " + added.first->second + " and -o " + output.first +
                             " name the same file " + output.second);
    }
    return status::success();
  }

  status settle_count() {
    bool settled = given_.count.has_value();
    count = given_.count.value_or(0);
    for (uint32_t a = 0; a < function_.num_arrays; ++a) {
      const host_array &array = arrays[a];
      if (!array.file || function_.arrays[a].uniform)
        continue;
      const std::vector<uint64_t> &shape = array.file->head.shape;
      if (shape.empty())
        return detail::file_error(array.path, "a single item: expected shape (count, ...)");
      if (settled && shape[0] != count)
        return detail::file_error(array.path, "has " + std::to_string(shape[0]) +
                                                  " instances (shape " + npy::shape_text(shape) +
                                                  "), not " + std::to_string(count));
      count = shape[0];
      settled = true;
    }
    return settled ? status::success()
                   : detail::wrong("missing argument: --count (no instance input gives it)");
  }

  // Cells per instance in the file.
  uint64_t file_cells(uint32_t a) const {
    const npy::header &head = arrays[a].file->head;
    const uint64_t instances = function_.arrays[a].uniform ? 1 : count;
    return instances ? head.num_items / instances * arrays[a].leaf->cells() : 0;
  }

  // Where the description does not tell an extent, the input's shape does.
  status settle_cells(const scalar_bits *scalars) {
    for (uint32_t a = 0; a < function_.num_arrays; ++a)
      if (arrays[a].file)
        cells[a] = file_cells(a);
    return resolve_cells(function_, scalars, cells.data());
  }

  status check_shape(uint32_t a, const scalar_bits *scalars) const {
    const array_info &info = function_.arrays[a];
    std::vector<uint64_t> extents;
    for (uint32_t d = 0; info.extent && d < info.rank; ++d)
      extents.push_back(static_cast<uint64_t>(std::max<int64_t>(0, info.extent(d, scalars))));
    return check_cells(a, cells[a], extents);
  }

  bool all_columns() const {
    bool any = false;
    for (uint32_t a = 0; a < function_.num_arrays; ++a) {
      if (!is_instance(a) || !arrays[a].file || cells[a] == 1)
        continue;
      const npy::header &head = arrays[a].file->head;
      if (!head.fortran_order || head.structured || head.shape.size() != 2)
        return false;
      any = true;
    }
    return any;
  }

  status load_array(uint32_t a) {
    host_array &array = arrays[a];
    if (array.file)
      if (status s = load_input(a); !s)
        return s;
    if (!writes(a))
      return status::success();
    if (status s = detail::allocate(bytes(a), array.result); !s)
      return s;
    if (array.input)
      std::memcpy(array.result.get(), array.input, bytes(a));
    return status::success();
  }

  status load_input(uint32_t a) {
    host_array &array = arrays[a];
    const npy::header &head = array.file->head;
    array.input = array.file->data();
    const size_t cell = size_bytes(function_.arrays[a].cell);
    const bool aligned = reinterpret_cast<uintptr_t>(array.input) % cell == 0;
    const bool reorder =
        head.fortran_order && head.shape.size() > 1 && host_layout == layout::row_wise;
    if (!head.structured && !reorder && aligned) {
      detail::touch(array.input, bytes(a));
      return status::success();
    }
    buffer plain;
    if (status s = detail::allocate(bytes(a), plain); !s)
      return s;
    if (head.structured)
      npy::gather_leaf(array.file->data(), head, *array.leaf, plain.get());
    else
      std::memcpy(plain.get(), array.input, bytes(a));
    if (reorder) {
      buffer ordered;
      if (status s = detail::allocate(bytes(a), ordered); !s)
        return s;
      detail::to_c_order(head.shape, static_cast<const char *>(plain.get()),
                         static_cast<char *>(ordered.get()), cell * array.leaf->cells());
      plain = std::move(ordered);
    }
    array.owned_input = std::move(plain);
    array.input = array.owned_input.get();
    return status::success();
  }

  const function_info &function_;
  const options &given_;
  std::vector<std::unique_ptr<npy::array_file>> files_;
};

} // namespace colonnade::runtime::runner
