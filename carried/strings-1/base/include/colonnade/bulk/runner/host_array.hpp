//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// runner/host_array.hpp: one array of a function on the host: its memory, the file it
// comes from, and the names by which `-i` and `-o` may mean it.
//
// In: an array_info, a name or a path. Out: memory, or a status that names the file.
// Invariant: `input` is null or points into the mapped file or owned_input.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/arguments.hpp>
#include <colonnade/bulk/host_memory.hpp>
#include <colonnade/bulk/npy.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <vector>

#include <unistd.h>

namespace colonnade::runtime::runner {

using buffer = runtime::detail::host_memory<>;

/// One array of the function on the host.
struct host_array {
  const npy::array_file *file = nullptr; // null: no input
  const npy::field *leaf = nullptr;      // the file's field, which a plain file has one of
  std::string path;
  const void *input = nullptr; // null: zeros
  buffer owned_input;          // the input, where the file's order or alignment does not do
  buffer result;               // of an array that the function writes
};

namespace detail {

/// At least `bytes` bytes of zeros. The system maps new memory when it is first written, page by
/// page, which can take longer than computing what is written: it is done here, before any clock
/// runs.
inline status allocate(uint64_t bytes, buffer &result) {
  result.reset(std::calloc(std::max<uint64_t>(1, (bytes + 63) / 64), 64));
  if (!result)
    return status::failure(status_code::out_of_memory,
                           "not enough host memory: " + std::to_string(bytes) + " bytes");
  volatile char *const cells = static_cast<char *>(result.get());
  for (uint64_t at = 0; at < bytes; at += 4096)
    cells[at] = 0;
  return status::success();
}

/// Has the system read and map a file's pages, before any clock runs, as those of results: files
/// are not what is measured. Not if memory may not hold them, where they would be read twice.
inline void touch(const void *memory, uint64_t bytes) {
  const uint64_t all = static_cast<uint64_t>(std::max(0L, sysconf(_SC_PHYS_PAGES))) *
                       static_cast<uint64_t>(std::max(0L, sysconf(_SC_PAGESIZE)));
  const volatile char *const cells = static_cast<const char *>(memory);
  for (uint64_t at = 0; bytes <= all / 2 && at < bytes; at += 4096)
    (void)cells[at];
}

inline status file_error(const std::string &path, const std::string &message) {
  return status::failure(status_code::bad_file, path + ": " + message);
}

/// Before the run: an error if a result could not be written to `path` afterwards, because it is
/// a folder or in a folder that is missing or not writable. `file`: the file that it will be, the
/// same for all names of it; empty if `path` names no file.
inline status check_writable(const std::string &path, std::string &file) {
  runtime::detail::output_target found;
  errno = runtime::detail::find_target(path, found);
  if (errno != 0)
    return runtime::detail::file_error(path, "cannot write");
  file.clear();
  if (found.what == runtime::detail::output_target::kind::own_descriptor)
    return status::success();
  const bool is_file = found.what == runtime::detail::output_target::kind::file;
  const std::string folder = runtime::detail::folder_of(found.path);
  if (::access((is_file ? folder : found.path).c_str(), is_file ? W_OK | X_OK : W_OK) != 0)
    return runtime::detail::file_error(path, "cannot write");
  const runtime::detail::host_memory<char> whole(realpath(folder.c_str(), nullptr));
  if (is_file && whole)
    file = whole.get() + ("/" + found.path.substr(found.path.rfind('/') + 1));
  return status::success();
}

/// Whether `-i name` or `-o name` means this array: "s.x" means one, "s" all leaves of s.
inline bool names_array(const std::string &name, const array_info &array) {
  return name == array.name || name == array.parameter;
}

/// Positions of the arrays that a name means. The one place that lists them, for inputs and
/// outputs.
inline std::vector<uint32_t> arrays_named(const std::string &name, const function_info &f) {
  std::vector<uint32_t> result;
  for (uint32_t a = 0; a < f.num_arrays; ++a)
    if (names_array(name, f.arrays[a]))
      result.push_back(a);
  return result;
}

/// The leaf's name within its parameter: "x" of "s.x"; empty for a plain array.
inline std::string leaf_name(const array_info &array) {
  const std::string name = array.name, parameter = array.parameter;
  return name.size() > parameter.size() + 1 && name.compare(0, parameter.size(), parameter) == 0 &&
                 name[parameter.size()] == '.'
             ? name.substr(parameter.size() + 1)
             : std::string();
}

} // namespace detail

} // namespace colonnade::runtime::runner
