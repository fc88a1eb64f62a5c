//===- ValidationTest.cpp - Certificates and originals that differ --------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lies are planted: in the certificate, and in what is recorded. Each must be seen, at its place.
//
//===----------------------------------------------------------------------===//

#include "Driver/Commands/Validate.h"
#include "Recorded.h"

namespace colonnade {
namespace {

const char *const Uniform = "void f(int (&a)[4], int (&b)[4]) {\n"
                            "  for (int i = 0; i < 4; i++)\n"
                            "    b[i] = a[i ^ 3] & 7;\n"
                            "}\n";
const char *const Predicated = "void f(int (&a)[4]) {\n"
                               "  for (int i = 0; i < 4; i++)\n"
                               "    if (a[i] > 0)\n"
                               "      a[i] = 3;\n"
                               "}\n";

TEST(Validation, Agrees) {
  for (const char *source : {Uniform, Predicated}) {
    record::ValidationResult result = Recorded(source).validate();
    EXPECT_TRUE(result.isValidated());
    EXPECT_EQ(result.numInputs, 20u);
    EXPECT_GE(result.numAccesses, 80u);
  }
}

/// The place of an access of ours, or one of the original's, as "line: text".
std::string differenceOf(Recorded &recorded) {
  record::ValidationResult result = recorded.validate();
  if (!result.difference)
    return "none";
  EXPECT_FALSE(result.isValidated());
  unsigned line = 0;
  if (result.difference->site)
    line = recorded.originals->recorder(0).site(*result.difference->site).line;
  for (const ir::Op &op : recorded.checked->canonical.ops)
    if (result.difference->accessId && op.accessId == *result.difference->accessId)
      line = recorded.module.sources[op.loc].line;
  return std::to_string(line) + ": " + result.difference->text;
}

/// Every constant `from` of the certificate becomes `to`.
void plant(Recorded &recorded, uint64_t from, uint64_t to) {
  for (ir::Op &op : recorded.checked->verdict.certificate.ops)
    if (op.opcode == ir::Opcode::Constant && op.scalar.bits == from)
      op.scalar.bits = to;
}

TEST(Validation, CertificateWithAnotherAddress) {
  Recorded recorded(Uniform);
  plant(recorded, 3, 2);
  EXPECT_EQ(differenceOf(recorded),
            "3: access 0: the certificate says load a[2], the function's is load a[3]");
}

TEST(Validation, CertificateThatEndsEarly) {
  Recorded recorded(Uniform);
  plant(recorded, 4, 3);
  EXPECT_EQ(differenceOf(recorded), "3: access 6: the certificate says that there is none, the "
                                    "function's is load a[0]");
}

TEST(Validation, NameThatTheCertificateLacks) {
  Recorded recorded(Predicated);
  plant(recorded, 4, 3);
  EXPECT_EQ(differenceOf(recorded).substr(0, 2), "3:");
}

TEST(Validation, OriginalWithAnotherAddress) {
  Recorded recorded(Uniform, "void f(int (&a)[4], int (&b)[4]) {\n"
                             "  for (int i = 0; i < 4; i++)\n"
                             "    b[i] = a[(i ^ 3) - (a[0] == 3)] & 7;\n"
                             "}\n");
  EXPECT_EQ(differenceOf(recorded),
            "3: access 0: the original's is load a[0], the function's is load a[3]");
}

/// The JSON report has the place, too.
/// Its own copy of what is passed by value.
TEST(Validation, OriginalWithAnotherAddressOfAValue) {
  const std::string types = "struct s { int t[20]; int n; };\n";
  for (const char *ours : {"int f(s x, int n) { return x.t[n]; }",
                           "int f(s x, int n) { x.n++; s y = x; return y.n + x.t[n] - x.n; }"}) {
    std::string theirs = ours;
    theirs.insert(theirs.find("t[n]") + 3, " + 1");
    Recorded same(types + ours), other(types + ours, types + theirs);
    EXPECT_EQ(differenceOf(same), "none");
    EXPECT_NE(differenceOf(other).find(": the original's is load x.t["), std::string::npos) << ours;
  }
}

TEST(Validation, PlacesAreReported) {
  Recorded recorded(Uniform);
  auto locationOf = [&] {
    const ValidationReport report =
        validationReport(recorded.module, *recorded.checked, recorded.originals->recorder(0),
                         recorded.originals->arrays(0), recorded.validate());
    return *report.json.getAsObject()->get("location");
  };
  EXPECT_EQ(locationOf(), llvm::json::Value(nullptr));
  plant(recorded, 3, 2);
  const llvm::json::Value location = locationOf();
  ASSERT_TRUE(location.getAsObject());
  EXPECT_EQ(location.getAsObject()->getInteger("line"), 3);
  EXPECT_EQ(location.getAsObject()->getInteger("column"), 12);
  EXPECT_TRUE(llvm::StringRef(*location.getAsObject()->getString("file")).ends_with(".cpp"));
}

TEST(Validation, OriginalWithOneMore) {
  Recorded recorded(Uniform, "void f(int (&a)[4], int (&b)[4]) {\n"
                             "  for (int i = 0; i < 4; i++)\n"
                             "    b[i] = a[i ^ 3] & 7;\n"
                             "  b[2] = 0;\n"
                             "}\n");
  EXPECT_EQ(differenceOf(recorded),
            "4: access 8: the original's is store b[2], the function's accesses have ended");
}

TEST(Validation, OriginalWithOneFewer) {
  Recorded recorded(Predicated, "void f(int (&a)[4]) {\n"
                                "  for (int i = 0; i < 4; i++)\n"
                                "    if (a[i] > 1000000)\n"
                                "      a[i] = 3;\n"
                                "}\n");
  EXPECT_NE(differenceOf(recorded), "none");
}

TEST(Validation, OriginalWithAnotherResult) {
  Recorded recorded(Uniform, "void f(int (&a)[4], int (&b)[4]) {\n"
                             "  for (int i = 0; i < 4; i++)\n"
                             "    b[i] = a[i ^ 3] & 3;\n"
                             "}\n");
  EXPECT_NE(differenceOf(recorded).find(" in the end, interpreted "), std::string::npos);
}

/// What is left out, because nothing needs it, must not matter.
TEST(Validation, AnotherResultWithoutWhatIsUnused) {
  Recorded recorded(Uniform);
  for (ir::Op &op : recorded.unreduced.ops)
    if (op.opcode == ir::Opcode::Constant && op.scalar.bits == 7)
      op.scalar.bits = 8;
  EXPECT_NE(differenceOf(recorded).find(" with unused results, without them "), std::string::npos);
}

TEST(Validation, UndefinedBehaviourIsCounted) {
  record::ValidationResult result =
      Recorded("void f(int (&a)[2]) { a[0] = 1 << (a[1] & 63); }").validate();
  EXPECT_TRUE(result.isValidated());
  EXPECT_GT(result.numUndefined, 0u);
}

TEST(Validation, NoneCompared) {
  record::ValidationResult result = Recorded("void f(int (&a)[2]) { a[0] = a[1] / 0; }").validate();
  EXPECT_FALSE(result.isValidated());
  EXPECT_FALSE(result.difference);
  EXPECT_EQ(result.numInputs, 0u);
  EXPECT_EQ(result.numUndefined, 200u);
}

/// In any order within a copy, but not beyond it.
TEST(Validation, CopiesAreSets) {
  record::ValidationResult result =
      Recorded("struct s { short a; long b; unsigned char c[3]; };\n"
               "void f(s (&x)[2]) { s t = x[0]; x[0] = x[1]; t.a = 1; x[1] = t; }")
          .validate();
  EXPECT_TRUE(result.isValidated());
}

} // namespace
} // namespace colonnade
