//===- KernelTextTest.cpp - Printers print what a kernel says -------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels are written by hand, attribute by attribute, so that nothing but the kernel
// can have decided what is printed.
//
//===----------------------------------------------------------------------===//

#include "IRText.h"

#include "Emit/Cpu/CpuKernelPrinter.h"
#include "Emit/Cuda/CudaKernelPrinter.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

Module verified(const std::string &text) {
  Module module = parsed(text);
  EXPECT_EQ(verifyError(module), "");
  return module;
}

/// A kernel over @b, of 8 cells: `attributes` of the array, of its load and of its loop.
std::string kernelText(const std::string &launch, const std::string &array, const std::string &load,
                       const std::string &loop) {
  return "func \"f\" kernel " + launch + " {\narray @b : s32[8] " + array +
         "\nbody(%n : s64, %d : s32) scalar %n n scalar %d d {\n%zero = const 0 : s64\n"
         "%one = const 1 : s64\n%ten = const 10 : s32\nfor %i : s64 = %zero lt %n step %one " +
         loop + "() {\n%x = load @b[%i] " + load + " : varying s32\n" +
         "%y = add %x, %ten : varying s32\n%u = add %d, %ten : s32\n" +
         "%z = add %y, %u : varying s32\nstore @b[%i], %z\nyield\n} -> %e : s64\nreturn\n}\n}\n";
}

std::string cuda(const std::string &array, const std::string &load, const std::string &loop) {
  Module module = verified(kernelText("threads 64", array, load, loop));
  CxxWriter out(module.sources);
  Sites sites;
  CudaKernelPrinter printer(module, module.functions.at(0), out, sites);
  for (const ScalarParam &scalar : module.functions[0].scalars)
    printer.declare(scalar.value, scalar.name);
  const Array &b = module.functions[0].arrays[0];
  if (b.isPassed() || b.space == Space::Scratch)
    printer.memoryName(ArrayId(0)); // a parameter of the kernel
  printer.printInstance();
  EXPECT_FALSE(bool(printer.takeError()));
  return out.take();
}

std::string cpu(const std::string &array, const std::string &load, const std::string &ops = "") {
  std::string text = kernelText("lanes 4", array, load, "");
  const std::string store = "store @b[%i], %z\n";
  if (!ops.empty())
    text.replace(text.find(store), store.size(), ops + "\nstore @b[%i], %r\n");
  Module module = verified(text);
  CxxWriter out(module.sources);
  Sites sites;
  CpuKernelPrinter printer(module, module.functions.at(0), sites, out);
  printer.print();
  EXPECT_FALSE(bool(printer.takeError()));
  return out.take();
}

bool has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

constexpr const char *Memory = "parameter instance reads writes in memory";
constexpr const char *Registers = "parameter instance reads writes in registers";

TEST(CudaText, Guards) {
  EXPECT_TRUE(has(cuda(Memory, "guarded", ""), "guard.load(b, i, 8, 0)"));
  EXPECT_TRUE(has(cuda(Memory, "guarded", ""), "failure_guard guard("));
  EXPECT_FALSE(has(cuda(Memory, "", ""), "guard"));
}

TEST(CudaText, Unrolling) {
  EXPECT_TRUE(has(cuda(Memory, "", "unroll 4 "), "#pragma unroll 4\n"));
  EXPECT_TRUE(has(cuda(Memory, "", "unroll fully "), "#pragma unroll\n"));
  EXPECT_FALSE(has(cuda(Memory, "", ""), "#pragma"));
}

TEST(CudaText, Spaces) {
  EXPECT_TRUE(has(cuda(Memory, "", ""), "const instance_cells<Layout, int32_t> b(b_memory"));
  const std::string loaded = cuda(std::string(Registers) + " loaded", "", "");
  EXPECT_TRUE(has(loaded, "int32_t b[8];\nb_global.load(b);"));
  EXPECT_TRUE(has(loaded, "b_global.store(b);"));
  EXPECT_FALSE(has(cuda(Registers, "", ""), "load(b)"));
  EXPECT_TRUE(has(cuda("local instance in local", "", ""), "int32_t b[8] = {};"));
  EXPECT_TRUE(has(cuda("local instance in registers", "", ""), "int32_t b[8] = {};"));
  EXPECT_TRUE(has(cuda("local instance in scratch", "", ""),
                  "const instance_cells<column_wise_layout, int32_t> b(b_memory, thread"));
}

TEST(CudaText, ArithmeticOnDataWraps) {
  const std::string text = cuda(Memory, "", "");
  EXPECT_TRUE(has(text, "wrapping::add<int32_t>(b[i], 10)"));
  EXPECT_TRUE(has(text, "d + 10")); // the same in all instances: C's own
}

TEST(CpuText, Guards) {
  EXPECT_TRUE(has(cpu(Memory, "guarded"), "b.at(i, mask(true), 0)"));
  EXPECT_TRUE(has(cpu(Memory, ""), "b[i]"));
}

TEST(CpuText, Spaces) {
  EXPECT_TRUE(has(cpu(Memory, ""), "lane_cells<int32_t, lanes, Stride, Guarded> b("));
  EXPECT_TRUE(has(cpu("local instance in local", ""), "vec<int32_t> b_cells[8];"));
  EXPECT_TRUE(has(cpu("local instance in scratch", ""), "scratch.take<vec<int32_t>>(8)"));
}

TEST(CpuText, Operations) {
  EXPECT_TRUE(has(cpu(Memory, "", "%r = div.constant %z, %ten : varying s32"), "divide<10>("));
  EXPECT_TRUE(has(cpu(Memory, "", "%r = rem.constant %z, %ten : varying s32"), "modulo<10>("));
  EXPECT_TRUE(has(cpu(Memory, "", "%r = div %z, %ten : varying s32"), " / 10"));
  const std::string halves = "%w = cast %z : varying u64\n%p = mul.lowhalves %w, %w : varying u64\n"
                             "%r = cast %p : varying s32";
  EXPECT_TRUE(has(cpu(Memory, "", halves), "multiply_low_halves("));
}

} // namespace
