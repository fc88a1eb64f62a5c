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

  /// One digit for each part of a struct leaf's name within its parameter: how many dimensions
  /// that part has. "" for what is no such leaf.
  std::string partRanks(const Array &array) const {
    const RawParam *param = nullptr;
    for (size_t i = 0; input_.raw && i < input_.raw->rawParams.size(); ++i)
      if (input_.raw->rawParams[i].name == array.parameter)
        param = &input_.raw->rawParams[i];
    if (!param || !param->pointee || array.name == array.parameter)
      return "";
    llvm::StringRef rest = llvm::StringRef(array.name).drop_front(array.parameter.size() + 1);
    std::string ranks;
    MemTypeId id = param->pointee;
    while (!rest.empty() && id) {
      const MemType &type = input_.module.memType(id);
      const auto field = llvm::find_if(type.fields, [&](const MemType::Field &f) {
        return rest == f.name || (rest.starts_with(f.name) && rest[f.name.size()] == '.');
      });
      if (type.kind != MemType::Kind::Struct || field == type.fields.end())
        return "";
      rest = rest.drop_front(std::min(rest.size(), field->name.size() + 1));
      ranks += "0";
      for (id = field->type; input_.module.memType(id).kind == MemType::Kind::Array;
           id = input_.module.memType(id).element)
        ++ranks.back();
      if (input_.module.memType(id).scalar == ScalarType::Pointer)
        return ""; // what is behind it is no part of the struct
    }
    return ranks;
  }

  void arrayTable() {
    if (interface_.arrays.empty())
      return out_.line("static const array_info *const arrays = nullptr;");
    out_.open("static const array_info arrays[] =");
    const char *directions[] = {"direction::in", "direction::out", "direction::inout"};
    for (const InterfaceArray &passed : interface_.arrays) {
      const Array &array = function_.array(passed.array);
      const std::string parameter = array.parameter.empty() ? array.name : array.parameter;
      const std::string ranks = array.parameter.empty() ? "" : partRanks(array);
      out_.line(
          "{" + quoteCxx(array.name) + ", " + quoteCxx(parameter) + ", " + cellType(array.cell) +
          ", " + directions[size_t(passed.direction)] + ", " + (passed.uniform ? "true" : "false") +
          ", " + std::to_string(array.extents.size()) + ", extent_of_" + passed.name + ", " +
          (input_.verdict.fullyWritten[passed.array.index] ? "true" : "false") +
          optionalFields(ranks, input_.verdict.mayBeIndeterminate[passed.array.index]) + "},");
    }
    out_.close(";");
  }

  static std::string optionalFields(const std::string &ranks, bool mayBeIndeterminate) {
    if (mayBeIndeterminate)
      return ", " + (ranks.empty() ? "nullptr" : quoteCxx(ranks)) + ", true";
    return ranks.empty() ? "" : ", " + quoteCxx(ranks);
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
    if (std::optional<FixedValues> fixed = fixedValues(function_, scalar.value, input_.sizes))
      entry += ", " + quoteCxx(str(input_.sizes.at(scalar.name))) + ", " +
               std::to_string(fixed->first.bits) + "u";
    out_.line("{" + entry + "},");
  }

  // Functions that agree with the host's only to some ulp on a GPU, or with vector math: the
  // descriptor's inexact_math and inexact_floats. Empty: there are none.
  std::string inexactMath() const {
    std::set<std::string> names;
    bool floats = false;
    for (const Op &op : function_.ops) {
      if (op.opcode != Opcode::Math || isExact(op.math))
        continue;
      names.insert(name(op.math));
      floats |= function_.value(op.results[0]).type == ScalarType::F32;
    }
    if (names.empty())
      return "";
    return quoteCxx(llvm::join(names, ", ")) + (floats ? ", true" : ", false");
  }

  void infoTable() {
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
             "detail::cuda_failure, detail::open_device, detail::device_layout,",
             "nullptr, nullptr, nullptr,");
    const std::string inexact = inexactMath();
    if (inexact.empty())
      return out_.line("    nullptr, false};");
    optional("COLONNADE_VECTOR_MATH", input_.kernelFor("cpu"), inexact + ", true};",
             inexact + "};");
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
