//===- DescriptorPrinter.cpp - The function_info of a generated function -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tables of arrays and scalars, extents as checked expressions over the scalars,
// and info(). Back ends that are not linked in are null: the CUDA and sequential
// parts are referred to only under their macros.
//
//===----------------------------------------------------------------------===//

#include "Emit/Api/Descriptor.h"

#include "Emit/Cxx/ExtentText.h"
#include "Emit/Cxx/GeneratedNamespace.h"
#include "Emit/Cxx/Interface.h"
#include "Emit/Cxx/Sites.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

class DescriptorPrinter {
public:
  explicit DescriptorPrinter(const EmitInput &input)
      : input_(input), function_(input.function), interface_(interfaceOf(function_)),
        out_(input.module.sources) {}

  std::string print() {
    openGenerated(input_.identifier, out_);
    out_.line("namespace {");
    for (const InterfaceArray &array : interface_.arrays)
      extentFunction(array);
    out_.line("} // namespace");
    out_.blank();
    out_.open("const function_info &info()");
    arrayTable();
    scalarTable();
    infoTable();
    out_.line("return info;");
    out_.close();
    out_.blank();
    closeGenerated(input_.identifier, out_);
    return out_.take();
  }

private:
  void extentFunction(const InterfaceArray &passed) {
    const Array &array = function_.array(passed.array);
    out_.open("int64_t extent_of_" + passed.name +
              "([[maybe_unused]] uint32_t dim, [[maybe_unused]] const scalar_bits *scalars)");
    declareExtentVariables(function_, array.extents, out_);
    for (size_t d = 0; d < array.extents.size(); ++d) {
      out_.line("if (dim == " + std::to_string(d) + ")");
      const bool known = isComputable(function_, array.extents[d]);
      out_.line(
          "  return " +
          (known ? checkedExtent(array.extentAtSizes(d)).within(Precedence::Primary) + ".value()"
                 : std::string("-1")) +
          ";");
    }
    out_.line("return -1;");
    out_.close();
  }

  // cell_type has no spelling of its own for the IR's names but "boolean".
  static std::string cellType(ScalarType type) {
    return "cell_type::" + std::string(type == ScalarType::Bool ? "boolean" : name(type));
  }

  void arrayTable() {
    if (interface_.arrays.empty())
      return out_.line("static const array_info *const arrays = nullptr;");
    out_.open("static const array_info arrays[] =");
    const char *directions[] = {"direction::in", "direction::out", "direction::inout"};
    for (const InterfaceArray &passed : interface_.arrays) {
      const Array &array = function_.array(passed.array);
      const std::string parameter = array.parameter.empty() ? array.name : array.parameter;
      out_.line("{" + quoteCxx(array.name) + ", " + quoteCxx(parameter) + ", " +
                cellType(array.cell) + ", " + directions[size_t(passed.direction)] + ", " +
                (passed.uniform ? "true" : "false") + ", " + std::to_string(array.extents.size()) +
                ", extent_of_" + passed.name + ", " +
                (input_.verdict.fullyWritten[passed.array.index] ? "true" : "false") + "},");
    }
    out_.close(";");
  }

  void scalarTable() {
    if (function_.scalars.empty())
      return out_.line("static const scalar_info *const scalars = nullptr;");
    out_.open("static const scalar_info scalars[] =");
    for (const ScalarParam &scalar : function_.scalars)
      scalarEntry(scalar);
    out_.close(";");
  }

  void scalarEntry(const ScalarParam &scalar) {
    std::string entry = quoteCxx(scalar.name) + ", " + cellType(function_.value(scalar.value).type);
    if (std::optional<Scalar> fixed = fixedValue(function_, scalar.value, input_.sizes))
      entry += ", " + quoteCxx(std::to_string(input_.sizes.at(scalar.name))) + ", " +
               std::to_string(fixed->bits) + "u";
    out_.line("{" + entry + "},");
  }

  // Functions that agree with the host's only to some ulp on a GPU.
  std::string inexactMath() const {
    std::set<std::string> names;
    for (const Op &op : function_.ops)
      if (op.opcode == Opcode::Math && !isExact(op.math))
        names.insert(name(op.math));
    return llvm::join(names, ", ");
  }

  void infoTable() {
    const std::string math = inexactMath();
    out_.line("static const function_info info = {");
    out_.line("    " + quoteCxx(function_.name) + ", arrays, " +
              std::to_string(interface_.arrays.size()) + ", scalars, " +
              std::to_string(function_.scalars.size()) + ",");
    out_.line(std::string("    detail::check_extents, ") +
              (input_.kernelFor("cpu") ? "detail::launch_cpu, detail::cpu_tile," : "nullptr, 1,"));
    const auto optional = [&](llvm::StringRef macro, bool wanted, std::string with,
                              llvm::StringRef without) {
      if (!wanted)
        return out_.line(("    " + without).str());
      out_.raw(("#ifdef " + macro + "\n").str());
      out_.line("    " + with);
      out_.raw("#else\n");
      out_.line(("    " + without).str());
      out_.raw("#endif\n");
    };
    optional("COLONNADE_BULK_CUDA", input_.kernelFor("cuda"), "detail::launch_cuda,", "nullptr,");
    optional("COLONNADE_BULK_SEQUENTIAL", true,
             "detail::colonnade_sequential_" + input_.identifier + ",", "nullptr,");
    optional("COLONNADE_BULK_CUDA", input_.kernelFor("cuda"),
             "detail::cuda_failure, detail::open_device,", "nullptr, nullptr,");
    out_.line("    " + (math.empty() ? "nullptr" : quoteCxx(math)) + "};");
  }

  const EmitInput &input_;
  const Function &function_;
  Interface interface_;
  CxxWriter out_;
};

} // namespace

std::string colonnade::descriptorText(const EmitInput &input) {
  return DescriptorPrinter(input).print();
}
