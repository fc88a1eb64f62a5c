//===- RunnerCache.cpp - Runners that were built before -------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Runner/RunnerCache.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

#include <colonnade/bulk/pending_output.hpp>

#include <cstdlib>

namespace colonnade {
namespace {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

constexpr llvm::StringLiteral Magic = "colonnade runner 1";

/// "" if it cannot be read.
std::string fileHash(llvm::StringRef file) {
  auto contents = llvm::MemoryBuffer::getFile(file, /*IsText=*/false,
                                              /*RequiresNullTerminator=*/false);
  return contents ? contentHash((*contents)->getBuffer()) : "";
}

/// The lines of an entry before the programme: magic, the programme's hash, the number of
/// inputs, and of each its hash and path.
std::string headerText(llvm::StringRef programme, llvm::ArrayRef<std::string> inputs) {
  std::string text =
      (Magic + "\n" + contentHash(programme) + "\n" + llvm::Twine(inputs.size()) + "\n").str();
  for (const std::string &input : inputs)
    text += fileHash(input) + " " + input + "\n";
  return text;
}

/// The programme in an entry; "" if the entry is damaged or an input has changed.
llvm::StringRef programmeOf(llvm::StringRef entry) {
  const auto nextLine = [&] {
    auto [line, rest] = entry.split('\n');
    entry = rest;
    return line;
  };
  if (nextLine() != Magic)
    return "";
  const llvm::StringRef programmeHash = nextLine();
  size_t numInputs = 0;
  if (nextLine().getAsInteger(10, numInputs))
    return "";
  for (size_t i = 0; i < numInputs; ++i) {
    auto [hash, input] = nextLine().split(' ');
    if (input.empty() || fileHash(input) != hash)
      return "";
  }
  return contentHash(entry) == programmeHash ? entry : "";
}

/// False, with nothing written, if it cannot be done.
bool writeFile(const std::string &file, llvm::ArrayRef<llvm::StringRef> parts, unsigned mode) {
  std::vector<runtime::detail::pending_output> outputs(1);
  if (outputs[0].create(file) != 0)
    return false;
  for (llvm::StringRef part : parts)
    if (outputs[0].write(part.data(), part.size()) != 0)
      return false;
  size_t failed = 0;
  return runtime::detail::pending_output::commit(outputs, failed) == 0 &&
         !fs::setPermissions(file, static_cast<fs::perms>(mode));
}

} // namespace

std::string contentHash(llvm::StringRef bytes) {
  auto hash = llvm::SHA256::hash(
      llvm::ArrayRef(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
  return llvm::toHex(hash, /*LowerCase=*/true);
}

std::vector<std::string> depfileInputs(llvm::StringRef text) {
  std::vector<std::string> words(1);
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (c == '\\' && next == '\n')
      ++i, words.emplace_back();
    else if (c == '\\' && (next == ' ' || next == '#' || next == '\\'))
      words.back() += text[++i];
    else if (c == '$' && next == '$')
      words.back() += text[++i];
    else if (c == ' ' || c == '\n' || c == '\t')
      words.emplace_back();
    else
      words.back() += c;
  }
  llvm::erase_if(words, [](const std::string &word) { return word.empty(); });
  if (!words.empty())
    words.erase(words.begin()); // "target.o:"
  return words;
}

RunnerCache RunnerCache::ofUser() {
  llvm::SmallString<256> folder;
  const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  if (cache && path::is_absolute(cache))
    folder = cache;
  else if (home && path::is_absolute(home))
    path::append(folder, home, ".cache");
  else
    return disabled();
  path::append(folder, "colonnade", "runners");
  return RunnerCache(std::string(folder));
}

bool RunnerCache::find(const std::string &key, const std::string &executable) const {
  if (folder_.empty())
    return false;
  const std::string file = folder_ + "/" + key;
  fs::file_status status;
  if (fs::status(file, status) || status.getUser() != ::geteuid())
    return false; // what another user has put there is not run
  auto entry = llvm::MemoryBuffer::getFile(file, /*IsText=*/false,
                                           /*RequiresNullTerminator=*/false);
  if (!entry)
    return false;
  llvm::StringRef programme = programmeOf((*entry)->getBuffer());
  if (programme.empty() || !writeFile(executable, programme, 0700))
    return false;
  (void)::utimensat(AT_FDCWD, file.c_str(), nullptr, 0); // used now
  return true;
}

void RunnerCache::keep(const std::string &key, const std::string &executable,
                       llvm::ArrayRef<std::string> inputs) const {
  if (folder_.empty() || fs::create_directories(folder_, /*IgnoreExisting=*/true, fs::owner_all))
    return;
  auto programme = llvm::MemoryBuffer::getFile(executable, /*IsText=*/false,
                                               /*RequiresNullTerminator=*/false);
  if (!programme || (*programme)->getBufferSize() > limitBytes_ / 4)
    return;
  llvm::StringRef bytes = (*programme)->getBuffer();
  const std::string header = headerText(bytes, inputs);
  if (writeFile(folder_ + "/" + key, {header, bytes}, 0600))
    removeOldest();
}

void RunnerCache::removeOldest() const {
  struct Entry {
    llvm::sys::TimePoint<> used;
    uint64_t bytes;
    std::string file;
  };
  std::vector<Entry> entries;
  uint64_t total = 0;
  std::error_code code;
  for (fs::directory_iterator it(folder_, code), end; it != end && !code; it.increment(code)) {
    fs::file_status status;
    if (fs::status(it->path(), status) || !fs::is_regular_file(status))
      continue;
    entries.push_back({status.getLastModificationTime(), status.getSize(), it->path()});
    total += status.getSize();
  }
  llvm::sort(entries, [](const Entry &a, const Entry &b) { return a.used < b.used; });
  for (const Entry &entry : entries) {
    if (total <= limitBytes_)
      return;
    (void)fs::remove(entry.file);
    total -= entry.bytes;
  }
}

} // namespace colonnade
