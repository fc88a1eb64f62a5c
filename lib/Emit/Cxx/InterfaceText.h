//===- InterfaceText.h - Scalars and sizes in generated C++ -----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What several printers write about a function's interface in the same words. In: the
// interface. Out: the scalars, unpacked from their bits, and the number of cells of an
// array. Invariant: a size that is not computable from scalars is never made up.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_CXX_INTERFACETEXT_H
#define COLONNADE_EMIT_CXX_INTERFACETEXT_H

#include "Emit/Cxx/CxxPrinter.h"
#include "Emit/Cxx/Interface.h"

namespace colonnade {

/// "from_bits<int32_t>(scalars[0])"
std::string scalarFromBits(const ir::Function &function, const Interface &interface, size_t index,
                           llvm::StringRef bits);
/// "const int32_t n = from_bits<int32_t>(scalars[0]);" for each, under its name in `printer`.
void declareScalars(const ir::Function &function, const Interface &interface, CxxPrinter &printer,
                    CxxWriter &out);
/// The product of the extents over declared scalars; nullopt if some are not computable.
std::optional<std::string> cellProduct(const ir::Function &function, const ir::Array &array,
                                       const CxxPrinter &printer);

} // namespace colonnade

#endif // COLONNADE_EMIT_CXX_INTERFACETEXT_H
