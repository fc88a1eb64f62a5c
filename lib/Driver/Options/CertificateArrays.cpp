//===- CertificateArrays.cpp - Arrays for a run of a certificate ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Options/CertificateArrays.h"

#include "Driver/Options/UniformArrays.h"

#include "llvm/ADT/STLExtras.h"

namespace colonnade {

llvm::Error checkArrayExtents(const ir::Array &array) {
  for (const SizeExpr &extent : array.extents)
    if (!extent.known())
      return llvm::createStringError("the extent of '" + array.name +
                                     "' is unknown: add --extent " + array.name + "=N");
  return llvm::Error::success();
}

llvm::Expected<int64_t> concreteCells(const ir::Function &function, const ir::Array &array,
                                      llvm::ArrayRef<ir::Scalar> scalars) {
  if (llvm::Error error = checkArrayExtents(array))
    return error;
  auto extents = ir::concreteExtents(function, array, scalars);
  if (!extents)
    return extents.takeError();
  int64_t cells = 1;
  for (int64_t extent : *extents)
    if (extent < 0 || __builtin_mul_overflow(cells, extent, &cells) || cells > (1LL << 32))
      return llvm::createStringError("'" + array.name +
                                     "' has an impossible extent at these sizes");
  return cells;
}

/// Whether another operation uses a value that the certificate loads from it.
static bool decides(const ir::Function &certificate, ArrayId array) {
  std::vector<bool> isLoaded(certificate.values.size());
  for (const ir::Op &op : certificate.ops)
    if (op.opcode == ir::Opcode::Load && op.array == array)
      isLoaded[op.results[0].index] = true;
  return llvm::any_of(certificate.ops, [&](const ir::Op &op) {
    return llvm::any_of(op.operands, [&](ValueId id) { return isLoaded[id.index]; });
  });
}

static llvm::Error checkNames(const ir::Function &certificate,
                              const std::vector<Assignment> &inputs) {
  for (const auto &[name, file] : inputs) {
    auto isIt = [&, &wanted = name](const ir::Array &array) {
      return array.isPassed() && array.name == wanted;
    };
    if (llvm::none_of(certificate.arrays, isIt))
      return llvm::createStringError("-i " + name + ": '" + certificate.name +
                                     "' has no array of that name");
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<ir::ArrayData>>
certificateArrays(const ir::Function &certificate, llvm::ArrayRef<ir::Scalar> scalars,
                  const std::vector<Assignment> &inputs) {
  if (llvm::Error error = checkNames(certificate, inputs))
    return error;
  std::map<std::string, std::string> files(inputs.begin(), inputs.end());
  std::vector<ir::ArrayData> arrays(certificate.arrays.size());
  for (size_t a = 0; a < arrays.size(); ++a) {
    const ir::Array &array = certificate.arrays[a];
    if (!array.isPassed())
      continue;
    auto cells = concreteCells(certificate, array, scalars);
    if (!cells)
      return cells.takeError();
    auto file = files.find(array.name);
    if (file == files.end()) {
      if (array.sharing == ir::Sharing::Uniform && decides(certificate, ArrayId(a)))
        return llvm::createStringError("'" + certificate.name +
                                       "' takes addresses or bounds from '" + array.name +
                                       "': give its contents, -i " + array.name + "=FILE");
      continue;
    }
    const auto count = static_cast<uint64_t>(*cells);
    if (llvm::Error error = readUniformArray(file->second, array, count, arrays[a].cells))
      return error;
  }
  return arrays;
}

} // namespace colonnade
