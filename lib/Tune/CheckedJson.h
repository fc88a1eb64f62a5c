//===- CheckedJson.h - JSON of files that users may edit --------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: any bytes. Out: the value; or an error with its place. Invariant: no text ends the process,
// and no field is ignored: the parser of LLVM recurses as deep as the text says, and keeps the last
// of two fields of one name.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TUNE_CHECKEDJSON_H
#define COLONNADE_TUNE_CHECKEDJSON_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace colonnade::tune {

/// `name`: of the file.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text, llvm::StringRef name);

/// Whether the object has no other fields.
bool hasOnly(const llvm::json::Value &value, llvm::ArrayRef<llvm::StringLiteral> fields,
             llvm::json::Path path);

/// "f.json: expected string at entries[3].plan"
llvm::Error errorAt(const llvm::json::Path::Root &root, llvm::StringRef name);

} // namespace colonnade::tune

#endif // COLONNADE_TUNE_CHECKEDJSON_H
