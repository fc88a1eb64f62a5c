//===- RunnerCache.h - Runners that were built before -----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// $XDG_CACHE_HOME/colonnade/runners, else ~/.cache/colonnade/runners: one file a runner, named
// by a hash of the commands that build it, of the generated files and of the preprocessed original
// ones. It holds the programme's hash, the hash of every other file that the compilers read, and
// the programme.
//
// In: what a runner is built of. Out: the runner, if exactly that was built before.
// Invariant: nothing that the cache cannot do is an error: a damaged, outdated or foreign file,
// a folder that is full, read-only or missing only mean that the runner is built. Files appear
// whole (pending_output.hpp), so several commands may use the folder at once; the files that
// were not used for longest go when all exceed the limit.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_RUNNERCACHE_H
#define COLONNADE_DRIVER_RUNNERCACHE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace colonnade {

class RunnerCache {
public:
  static constexpr uint64_t DefaultLimitBytes = uint64_t{256} << 20;

  /// The user's folder; disabled if there is none.
  static RunnerCache ofUser();
  static RunnerCache disabled() { return RunnerCache(""); }
  explicit RunnerCache(std::string folder, uint64_t limitBytes = DefaultLimitBytes)
      : folder_(std::move(folder)), limitBytes_(limitBytes) {}

  /// Writes the runner of this key to `executable`. False: there is none.
  bool find(const std::string &key, const std::string &executable) const;
  /// Keeps a runner that was just built out of `inputs`.
  void keep(const std::string &key, const std::string &executable,
            llvm::ArrayRef<std::string> inputs) const;

private:
  void removeOldest() const;

  std::string folder_; // "": disabled
  uint64_t limitBytes_;
};

/// A hash of bytes, as text: for keys.
std::string contentHash(llvm::StringRef bytes);

/// The files that a depfile of a compiler lists after its target.
std::vector<std::string> depfileInputs(llvm::StringRef text);

} // namespace colonnade

#endif // COLONNADE_DRIVER_RUNNERCACHE_H
