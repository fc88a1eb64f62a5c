//===- TextTest.cpp - Printer and parser --------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IRText.h"

#include "IR/Interpreter.h"

#include <random>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

/// Together they use every part of the grammar.
constexpr const char *Samples[] = {"prefix_sums", "find", "collatz", "raw", "kernels"};

TEST(Text, RoundTrip) {
  for (const char *sample : Samples)
    for (bool locations : {false, true}) {
      Module module = parsed(irSample(sample));
      EXPECT_EQ(verifyError(module), "");
      std::string once = printed(module, {locations});
      EXPECT_EQ(printed(parsed(once), {locations}), once);
    }
}

TEST(Text, OneFunctionBringsItsMemoryTypes) {
  Module module = parsed(irSample("raw"));
  std::string text;
  llvm::raw_string_ostream out(text);
  print(out, module, module.functions[0]);
  EXPECT_NE(text.find("!3 = struct"), std::string::npos);
  EXPECT_EQ(text.find("!5 = struct"), std::string::npos);
}

TEST(Text, NotesAreComments) {
  Module module = parsed(irSample("find"));
  PrintOptions options;
  options.note = [&](OpId id) {
    Opcode opcode = module.functions[0].op(id).opcode;
    return opcode == Opcode::Load ? "here" : opcode == Opcode::If ? "divergent" : "";
  };
  std::string text = printed(module, options);
  EXPECT_NE(text.find("access 0 : s32 // here\n"), std::string::npos) << text;
  EXPECT_NE(text.find("      // divergent\n      if "), std::string::npos) << text;
  EXPECT_EQ(printed(parsed(text)), printed(module));
}

TEST(Text, EveryAttributeIsRead) {
  Module module = parsed(irSample("raw"));
  const Function &f = module.functions[0];
  EXPECT_EQ(f.name, "ns::scale");
  EXPECT_EQ(f.returnType, ScalarType::F32);
  EXPECT_EQ(module.sources.str(f.loc), "a \\b.cpp:1:7");
  EXPECT_TRUE(f.rawParams[0].isReference);
  EXPECT_EQ(f.rawParams[0].count.str(), "n");
  EXPECT_EQ(f.rawParams[0].declared, Sharing::Instance);
  EXPECT_TRUE(f.rawParams[2].byValueStruct && f.rawParams[2].isConst);
  EXPECT_TRUE(f.rawParams[0].isResult && !f.rawParams[2].isResult);
  EXPECT_EQ(module.memTypes[3].fields[2].name, "odd \"name");
  EXPECT_EQ(f.arrays[0].contents, (std::vector<uint64_t>{0x3f800000, 0x80000000}));
  const Op *call = nullptr, *load = nullptr;
  for (const Op &op : f.ops) {
    call = op.opcode == Opcode::Call ? &op : call;
    load = op.opcode == Opcode::PtrLoad ? &op : load;
  }
  EXPECT_EQ(call->callee, FunctionId(1));
  LocId at = module.sources[load->loc].inlinedAt;
  EXPECT_EQ(module.sources.str(module.sources[at].inlinedAt), "h.cpp:12:13");
  EXPECT_FALSE(module.functions[1].isDefined);
}

std::string inBody(const std::string &ops) {
  return "func \"f\" canonical {\n  array @a : s32[4] local instance\n  body(%n : s32) {\n" + ops +
         "\n  }\n}\n";
}

TEST(Text, ErrorsNameLineAndColumn) {
  EXPECT_EQ(parseError("func f"), "1:6: expected a string");
  EXPECT_EQ(parseError("\n  fun"), "2:3: expected 'func' or a memory type");
  EXPECT_EQ(parseError("func \"f\" cooked {"), "1:10: expected 'raw'");
  EXPECT_EQ(parseError("func \"f\" raw {\n"),
            "2:1: expected 'param', 'array', 'assume', 'note', 'part', 'body' or '}'");
  EXPECT_EQ(parseError(inBody("%x = add %n, %m : s32")), "4:14: value '%m' is not defined before");
  EXPECT_EQ(parseError(inBody("%n = const 1 : s32")), "4:1: value '%n' is defined twice");
  EXPECT_EQ(parseError(inBody("%x = const 1e9 : s32")), "4:12: expected a constant of type s32");
  EXPECT_EQ(parseError(inBody("%x = const 300 : u8")), "4:12: expected a constant of type u8");
  EXPECT_EQ(parseError(inBody("%x = frobnicate %n : s32")), "4:6: expected an operation");
  EXPECT_EQ(parseError(inBody("%x = add %n, %n : i32")), "4:19: expected a scalar type");
  EXPECT_EQ(parseError(inBody("%x = add %n, %n")), "4:6: 1 results, but 0 types");
  EXPECT_EQ(parseError(inBody("%x = load @c[%n] : s32")), "4:11: array '@c' is not declared");
  EXPECT_EQ(parseError(inBody("%x = load @a[%n, %n] : s32")),
            "4:14: k+1 subscripts need k radices");
  EXPECT_EQ(parseError(inBody("%x = math cot %n : f32")), "4:11: expected a math function");
  EXPECT_EQ(parseError(inBody("%x = if %n {")),
            "4:6: results of an operation with regions follow it: -> %x : s32");
  EXPECT_EQ(parseError(inBody("%p = ptr.null mem !2 : ptr")),
            "4:19: memory type !2 is not defined before");
  EXPECT_EQ(parseError(inBody("call callee \"g\"")), "4:13: no function is named 'g'");
  EXPECT_EQ(parseError(inBody("call callee \"g\"#9")), "7:1: function #9 is not defined");
  EXPECT_EQ(parseError("!0 = s32 !0 = s32"), "1:10: memory type !0 is defined twice");
  EXPECT_EQ(parseError("!0 = ptr !1 = f32"), "parsed"); // a pointer to nothing, then a type
  EXPECT_EQ(parseError("!0 = ptr !1"), "1:12: memory type !1 is not defined");
  EXPECT_EQ(parseError("!99999999 = s32"), "1:2: the number is too large");
  EXPECT_EQ(parseError("func \"a\nb\" raw {}"), "1:6: the string does not end on its line");
  EXPECT_EQ(parseError("func \"a\\q\" raw {}"), "1:8: bad escape in a string");
  EXPECT_EQ(parseError("func \"a\" raw { array @a : s32[n+] local instance }"),
            "1:31: in size 'n+', column 3: expected a number, a name or '('");
  EXPECT_EQ(parseError("func \"a\" raw { array @a : s32[n local instance }"), "1:31: expected ']'");
}

TEST(Text, DeepNestingIsRefusedNotFatal) {
  std::string deep;
  for (int i = 0; i < 100000; ++i)
    deep += "if %b { ";
  EXPECT_NE(
      parseError("func \"f\" canonical { body(%b : bool) { " + deep).find("nested too deeply"),
      std::string::npos);
}

/// One random edit: a character changed, a piece removed, doubled or moved.
std::string mutate(std::string text, std::mt19937 &random) {
  auto at = [&] { return random() % (text.size() + 1); };
  static const std::string Alphabet = "%@#!{}[]()<>=:;,.\"\\ \n-+0129abcnxyz";
  switch (random() % 5) {
  case 0:
    text.insert(text.begin() + at(), Alphabet[random() % Alphabet.size()]);
    break;
  case 1:
    text.erase(at(), random() % 4 + 1);
    break;
  case 2:
    text.erase(at(), random() % 80);
    break;
  case 3:
    text.insert(at(), text.substr(at(), random() % 80));
    break;
  default:
    if (size_t i = at(); i < text.size())
      text[i] = Alphabet[random() % Alphabet.size()];
  }
  return text;
}

bool isSmall(const Function &f) {
  for (const Array &array : f.arrays)
    for (const SizeExpr &extent : array.extents)
      if (extent.asConstant().value_or(4) > 1000)
        return false;
  return true;
}

/// Parsed text must survive everything: printing, verifying, and running if
/// valid.
void exercise(const Module &module) {
  std::string once = printed(module, {true});
  Module again = parsed(once);
  EXPECT_EQ(printed(again, {true}), once);
  for (const Function &f : module.functions) {
    llvm::Error invalid = verify(module, f);
    bool runs = !invalid && f.stage != Stage::Raw && f.isDefined && isSmall(f);
    llvm::consumeError(std::move(invalid));
    if (!runs)
      continue;
    std::vector<Scalar> scalars;
    for (const ScalarParam &scalar : f.scalars)
      scalars.push_back({f.value(scalar.value).type, 1});
    std::vector<ArrayData> arrays;
    InterpreterOptions options;
    options.maxSteps = 1000;
    llvm::consumeError(interpret(module, f, arrays, scalars, options));
  }
}

TEST(Text, MutatedTextNeverCrashes) {
  unsigned seed = std::random_device{}();
  std::cout << "seed " << seed << "\n";
  std::mt19937 random(seed);
  unsigned survivors = 0;
  for (int i = 0; i < 6000 && !HasFailure(); ++i) {
    std::string text = irSample(Samples[random() % std::size(Samples)]);
    for (unsigned edits = random() % 3 + 1; edits; --edits)
      text = mutate(text, random);
    auto module = parseModule(text);
    if (module) {
      ++survivors;
      exercise(*module);
    } else {
      std::string error = llvm::toString(module.takeError());
      EXPECT_TRUE(isdigit(error[0])) << error;
    }
    if (HasFailure())
      std::cout << text;
  }
  EXPECT_GT(survivors, 100u);
}

} // namespace
