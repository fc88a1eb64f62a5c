//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// runner/save_arrays.hpp: writes the arrays of a run to .npy files.
//
// In: the arrays after the run, and the names and files of `-o`: an array, a leaf of a
// struct parameter, or such a parameter, whose leaves become the fields of records (those of
// the input's dtype, if one file of records was the input of all of them).
// Out: the files. Invariant: every array that a name means is in its file, and all files or
// none are written.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/runner/arrays.hpp>
#include <colonnade/bulk/runner/record_shape.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace colonnade::runtime::runner {

/// Writes outputs of a loaded array_set. scalars: those it was loaded with.
class array_writer {
public:
  array_writer(const function_info &f, const array_set &set, const scalar_bits *scalars)
      : function_(f), set_(set), scalars_(scalars) {}

  /// outputs: file by name. `files` get everything, and are there after output_file::commit.
  status write(const std::map<std::string, std::string> &outputs,
               std::vector<output_file> &files) const {
    for (const auto &output : outputs) {
      files.emplace_back();
      if (status s = save_one(output.first, output.second, files.back()); !s)
        return s;
    }
    return status::success();
  }

private:
  // The shape of the input if there was one, else (p, extents…) where they are known, else
  // (p, cells); a single cell has no dimension of its own.
  std::vector<uint64_t> output_shape(uint32_t a) const {
    const array_info &info = function_.arrays[a];
    if (set_.arrays[a].file && !set_.arrays[a].file->head.structured)
      return set_.arrays[a].file->head.shape;
    std::vector<uint64_t> shape;
    if (!info.uniform)
      shape.push_back(set_.count);
    const std::vector<uint64_t> extents = detail::known_extents(info, scalars_, set_.cells[a]);
    if (info.rank > 1 && !extents.empty() && set_.host_layout == layout::row_wise)
      shape.insert(shape.end(), extents.begin(), extents.end());
    else if (set_.cells[a] != 1 || shape.empty())
      shape.push_back(set_.cells[a]);
    return shape;
  }

  status save_one(const std::string &name, const std::string &path, output_file &file) const {
    const std::vector<uint32_t> meant = detail::arrays_named(name, function_);
    if (status s = file.create(path); !s)
      return s;
    if (meant.size() == 1 && detail::leaf_name(function_.arrays[meant[0]]).empty())
      return save_plain(meant[0], file);
    if (meant.size() == 1 && name == function_.arrays[meant[0]].name)
      return save_plain(meant[0], file);
    return save_records(meant, path, file);
  }

  const void *output(uint32_t a) const {
    return set_.writes(a) ? set_.arrays[a].result.get() : set_.arrays[a].input;
  }

  status save_plain(uint32_t a, output_file &file) const {
    const bool fortran =
        set_.host_layout == layout::column_wise && set_.is_instance(a) && set_.cells[a] > 1;
    const std::string head = npy::format_header(function_.arrays[a].cell, fortran, output_shape(a));
    if (status s = file.write(head.data(), head.size()); !s)
      return s;
    return file.write(output(a), set_.bytes(a));
  }

  /// The file of records that is the input of all these arrays, and of no other field; or null.
  const npy::array_file *common_input(const std::vector<uint32_t> &leaves) const {
    const npy::array_file *file = set_.arrays[leaves[0]].file;
    for (uint32_t a : leaves)
      if (!set_.arrays[a].file || set_.arrays[a].file != file)
        return nullptr;
    return file->head.structured ? file : nullptr;
  }

  status save_records(const std::vector<uint32_t> &leaves, const std::string &path,
                      output_file &file) const {
    if (set_.host_layout == layout::column_wise)
      return detail::file_error(path, "records are written in C order only: give the inputs in "
                                      "C order");
    npy::header head;
    const npy::array_file *input = common_input(leaves);
    if (input)
      head = input->head;
    else if (status s = detail::record_header(function_, leaves, set_.count, set_.cells.data(),
                                              scalars_, head);
             !s)
      return detail::file_error(path, s.message);
    const std::string text = npy::format_header(head.description, false, head.shape);
    if (status s = file.write(text.data(), text.size()); !s)
      return s;
    return write_records(leaves, head, input, path, file);
  }

  /// Where the item in place `at` of C order is in the other order.
  static uint64_t fortran_place(uint64_t at, const std::vector<uint64_t> &shape) {
    uint64_t place = 0;
    for (size_t d = shape.size(); d-- > 0; at /= shape[d]) {
      uint64_t stride = 1;
      for (size_t before = 0; before < d; ++before)
        stride *= shape[before];
      place += at % shape[d] * stride;
    }
    return place;
  }

  /// Records from `first` on, in C order.
  static void copy_records(const npy::array_file &input, uint64_t first, std::vector<char> &block) {
    const uint64_t bytes = input.head.item_bytes;
    if (!input.head.fortran_order) {
      std::copy_n(input.data() + first * bytes, block.size(), block.data());
      return;
    }
    for (uint64_t r = 0; r < block.size() / bytes; ++r)
      std::copy_n(input.data() + fortran_place(first + r, input.head.shape) * bytes, bytes,
                  block.data() + r * bytes);
  }

  // What is no leaf, such as padding, is as in the input, or zero.
  status write_records(const std::vector<uint32_t> &leaves, const npy::header &head,
                       const npy::array_file *input, const std::string &path,
                       output_file &file) const {
    std::vector<const char *> next;
    std::vector<const npy::field *> fields;
    for (uint32_t a : leaves) {
      next.push_back(static_cast<const char *>(output(a)));
      fields.push_back(npy::find_field(head, detail::leaf_name(function_.arrays[a])));
      const uint64_t instances = function_.arrays[a].uniform ? 1 : set_.count;
      if (!fields.back() || fields.back()->cells() * head.num_items != set_.cells[a] * instances)
        return lost(path, a);
    }
    const uint64_t block_records = std::max<uint64_t>(1, (1 << 20) / head.item_bytes);
    std::vector<char> block;
    status s;
    for (uint64_t first = 0; s.ok() && first < head.num_items; first += block_records) {
      const uint64_t records = std::min(block_records, head.num_items - first);
      block.assign(records * head.item_bytes, 0);
      if (input)
        copy_records(*input, first, block);
      for (size_t l = 0; l < leaves.size(); ++l)
        for (uint64_t r = 0; r < records; ++r)
          next[l] = npy::scatter_record(*fields[l], next[l], block.data() + r * head.item_bytes);
      s = file.write(block.data(), block.size());
    }
    for (size_t l = 0; s.ok() && l < leaves.size(); ++l)
      if (next[l] != static_cast<const char *>(output(leaves[l])) + set_.bytes(leaves[l]))
        return lost(path, leaves[l]);
    return s;
  }

  status lost(const std::string &path, uint32_t a) const {
    return detail::file_error(path, std::string("internal error: the records do not hold ") +
                                        function_.arrays[a].name);
  }

  const function_info &function_;
  const array_set &set_;
  const scalar_bits *scalars_;
};

} // namespace colonnade::runtime::runner
