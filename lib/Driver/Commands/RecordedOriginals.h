//===- RecordedOriginals.h - Originals, ready to be recorded ----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: checked functions, and the options of the front end that lowered them. Out: recorders of
// their originals (Record/Recorder.h), one for the functions of a source file; and how places in
// them are reported.
//
// Invariant: a source is parsed and compiled once, whatever the number of its functions; with
// the flags with which it was lowered.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_RECORDEDORIGINALS_H
#define COLONNADE_DRIVER_RECORDEDORIGINALS_H

#include "Driver/Pipeline.h"
#include "Record/Traces.h"

#include "llvm/Support/JSON.h"

namespace colonnade {

/// "f.c:3:5"
std::string textOf(const record::Site &place);
/// {"file", "line", "column"}
llvm::json::Object jsonOf(const record::Site &place);

class RecordedOriginals {
public:
  /// Error: a function cannot be called, or its source gives no code.
  static llvm::Expected<RecordedOriginals>
  create(const FrontendOptions &options, const ir::Module &module,
         const std::vector<const CheckedFunction *> &functions,
         record::Detail detail = record::Detail::Plain);

  /// By position among the functions.
  record::Recorder &recorder(size_t function) { return recorders_[places_[function].recorder]; }
  size_t caller(size_t function) const { return places_[function].caller; }
  const record::TracedArrays &arrays(size_t function) const { return arrays_[function]; }

private:
  struct Place {
    size_t recorder, caller;
  };
  std::vector<record::Recorder> recorders_;
  std::vector<Place> places_;
  std::vector<record::TracedArrays> arrays_;
};

} // namespace colonnade

#endif // COLONNADE_DRIVER_RECORDEDORIGINALS_H
