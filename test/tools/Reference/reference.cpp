//===- reference.cpp - The raw IR against Clang's own code ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// colonnade-reference [--drop=N] [--seed=S] FILE-OR-FOLDER... [-- CLANG-FLAGS]
//
// Of a folder, all .c and .cpp but those in folders Inputs. Clang prints what does not compile;
// that is no failure, as some tests are about it.
//
// Lowers every function of each file, has Clang generate code for the same, and prints each
// call and access of Clang's that has no operation of the raw IR at its place, and no
// discard of the ledger. With --drop, one operation in N is taken out at a time: the ledger
// must miss each, or find a rule by which it is not needed (a constant). The comparison may take
// another operation at the same place instead; the last line says how often.
//
// Exit code: 0 nothing is missing and every drop is seen; 1 otherwise.
//
//===----------------------------------------------------------------------===//

#include "Reference/Matching.h"
#include "Reference/Subject.h"

#include "Frontend/Drops.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <random>

using namespace colonnade;
using namespace colonnade::reference;

namespace {
struct Figures {
  unsigned compiled = 0, entries = 0, refused = 0, functions = 0;
  unsigned accesses = 0, calls = 0, missing = 0, misordered = 0;
  unsigned dropped = 0, discarded = 0, unseen = 0; // by the ledger
  unsigned emitted = 0, replaced = 0;              // of these, what Clang emits
};

class Comparison {
public:
  Comparison(unsigned drops, unsigned seed) : drops_(drops), random_(seed) {}
  void compare(const std::string &file, const std::vector<std::string> &flags);
  const Figures &figures() const { return figures_; }

private:
  void compareFunction(Subject &subject, Compared &compared);
  void print(Subject &subject, FunctionId id, const Access &access, const char *what) const;
  void dropSome(Subject &subject, FunctionId id, Matching &matching);

  unsigned drops_; // one in so many
  std::mt19937 random_;
  std::string file_;
  Figures figures_;
};
} // namespace

/// Evaluations that need no operation, by a rule.
static unsigned discards(frontend::ModuleLowering &lowering, FunctionId id) {
  using namespace frontend::ledger;
  return llvm::count_if(lowering.ledgerOf(id),
                        [](const Entry &entry) { return entry.state == EntryState::Discarded; });
}

/// Of the library's own headers, much is left out because the graph shows that it is not
/// reached; taking that out is no loss.
void Comparison::dropSome(Subject &subject, FunctionId id, Matching &matching) {
  ir::Function &function = subject.module().function(id);
  if (drops_ == 0 || llvm::StringRef(function.name).starts_with("std::"))
    return;
  unsigned before = discards(subject.lowering(), id);
  test::dropEach(function, [&](OpId op) {
    if (random_() % drops_ != 0)
      return;
    ++figures_.dropped;
    bool isLoss = subject.lowering().losses(id) > 0;
    bool isDiscarded = !isLoss && discards(subject.lowering(), id) > before;
    figures_.discarded += isDiscarded;
    if (!isLoss && !isDiscarded) {
      ++figures_.unseen;
      llvm::outs() << file_ << ": '" << function.name << "' without "
                   << mnemonic(function.op(op).opcode) << " %" << op.index
                   << ": the ledger sees no loss\n";
    }
    Matching::Drop drop = matching.drop(op);
    figures_.emitted += drop != Matching::Drop::Unused;
    figures_.replaced += drop == Matching::Drop::Replaced;
  });
}

void Comparison::print(Subject &subject, FunctionId id, const Access &access,
                       const char *what) const {
  llvm::outs() << file_ << ": " << access.place.file << ':' << access.place.line << ':'
               << access.place.column << ": in '" << subject.module().function(id).name << "', "
               << what << access.text << '\n';
}

void Comparison::compareFunction(Subject &subject, Compared &compared) {
  ++figures_.functions;
  for (const Access &access : compared.accesses)
    ++(access.kind == AccessKind::Call ? figures_.calls : figures_.accesses);
  Matching matching(subject.lowering(), compared.id, std::move(compared.accesses));
  std::vector<const Access *> missing = matching.unmatched(), misordered = matching.misordered();
  figures_.missing += missing.size();
  figures_.misordered += misordered.size();
  for (const Access *access : missing)
    print(subject, compared.id, *access, "no operation for");
  for (const Access *access : misordered)
    print(subject, compared.id, *access, "not in this order:");
  dropSome(subject, compared.id, matching);
}

void Comparison::compare(const std::string &file, const std::vector<std::string> &flags) {
  file_ = file;
  auto subject = Subject::create(file, flags);
  if (!subject) {
    llvm::consumeError(subject.takeError());
    return;
  }
  ++figures_.compiled;
  for (Compared &each : (*subject)->compared())
    compareFunction(**subject, each);
  figures_.entries += (*subject)->numEntries();
  figures_.refused += (*subject)->numRefused();
}

static void print(const Figures &figures) {
  llvm::outs() << figures.compiled << " files, " << figures.entries - figures.refused << " of "
               << figures.entries << " entries in the subset, " << figures.functions
               << " functions, " << figures.accesses << " accesses, " << figures.calls
               << " calls: " << figures.missing << " without an operation, " << figures.misordered
               << " in another order\n";
  if (figures.dropped)
    llvm::outs() << figures.dropped << " operations dropped: " << figures.discarded
                 << " then discarded by a rule, " << figures.unseen << " not seen by the ledger; "
                 << figures.emitted << " that Clang emits: " << figures.replaced
                 << " not seen by the comparison\n";
}

/// The number after the name of an option; none: it is another argument.
static std::optional<unsigned> option(llvm::StringRef argument, llvm::StringRef name) {
  unsigned value = 0;
  return argument.consume_front(name) && !argument.getAsInteger(10, value) ? std::optional(value)
                                                                           : std::nullopt;
}

/// The file, or the sources below the folder, in an order that does not change.
static std::vector<std::string> sourcesOf(const std::string &path) {
  std::vector<std::string> found;
  std::error_code error;
  if (!llvm::sys::fs::is_directory(path))
    return {path};
  for (llvm::sys::fs::recursive_directory_iterator at(path, error), end; at != end && !error;
       at.increment(error)) {
    llvm::StringRef file = at->path();
    if (!file.contains("/Inputs/") && (file.ends_with(".c") || file.ends_with(".cpp")))
      found.push_back(file.str());
  }
  llvm::sort(found);
  return found;
}

int main(int argc, char **argv) {
  std::vector<std::string> files, flags;
  unsigned drops = 0, seed = 1;
  std::vector<std::string> *into = &files;
  for (int i = 1; i < argc; ++i) {
    if (llvm::StringRef(argv[i]) == "--")
      into = &flags;
    else if (auto number = option(argv[i], "--drop="))
      drops = *number;
    else if (auto number = option(argv[i], "--seed="))
      seed = *number;
    else
      into->push_back(argv[i]);
  }
  Comparison comparison(drops, seed);
  for (const std::string &path : files)
    for (const std::string &file : sourcesOf(path))
      for (const std::vector<std::string> &each : flagsOf(file, flags))
        comparison.compare(file, each);
  print(comparison.figures());
  return comparison.figures().missing || comparison.figures().misordered ||
                 comparison.figures().unseen
             ? 1
             : 0;
}
