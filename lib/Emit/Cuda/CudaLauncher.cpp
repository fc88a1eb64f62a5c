//===- CudaLauncher.cpp - Which kernel runs a launch, and how -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/Cuda/CudaLauncher.h"

#include "Emit/Cxx/ExtentText.h"

#include "llvm/ADT/StringExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

static constexpr Layouts OwnLayouts[] = {Layouts::Rows, Layouts::Columns};

CudaLauncher::LayoutKernels CudaLauncher::kernelsOf(Layouts layouts) {
  LayoutKernels of{{}, &kernels_.front()};
  for (const FewInstances &few :
       input_.backEndKernels("cuda")->few[layouts == Layouts::Rows ? 0 : 1])
    of.few.push_back({few.most, &kernels_[few.kernel]});
  for (CudaKernel &kernel : llvm::reverse(kernels_))
    if (kernel.shape().layouts == layouts)
      of.many = &kernel;
  return of;
}

bool CudaLauncher::isReplaced(const CudaKernel &kernel) {
  if (&kernel != &kernels_.front() || kernels_.size() == 1)
    return false;
  const auto isOwn = [&](const CudaKernel *each) {
    return each != &kernel && !each->asksForShared();
  };
  return input_.isMeasured || llvm::all_of(OwnLayouts, [&](Layouts layouts) {
           const LayoutKernels of = kernelsOf(layouts);
           return isOwn(of.many) &&
                  llvm::all_of(of.few, [&](const auto &each) { return isOwn(each.second); });
         });
}

void CudaLauncher::print() {
  out_.line("template <class Layout>");
  out_.open("status launch(const raw_arguments &arguments, cudaStream_t stream,"
            " device_status *d_status)");
  out_.line("if (arguments.count == 0)");
  out_.line("  return status::success();");
  unsigned others = 0; // what follows is for layouts without a kernel of their own alone
  const bool isReplaced = this->isReplaced(kernels_.front());
  const bool needsFirst = !isReplaced || input_.isMeasured; // that, or that there is none
  for (Layouts layouts : OwnLayouts) {
    const LayoutKernels of = kernelsOf(layouts);
    const bool isOwn = of.many != &kernels_.front();
    if (!isOwn && of.few.empty())
      continue;
    if (!needsFirst && layouts == Layouts::Columns) {
      launchOf(of);
      break;
    }
    out_.open(std::string("if constexpr (Layout::kind ") +
              (layouts == Layouts::Rows ? "==" : "!=") + " layout::row_wise)");
    launchOf(of);
    if (isOwn && !of.many->asksForShared()) {
      out_.reopen("} else {");
      ++others;
    } else {
      out_.close();
    }
  }
  if (!isReplaced)
    launchOf(kernels_.front());
  else if (needsFirst)
    out_.line(
        "return status::failure(status_code::no_backend, \"this GPU does not run the plan\");");
  for (; others > 0; --others)
    out_.close();
  out_.close();
  out_.blank();
}

void CudaLauncher::launchOf(const LayoutKernels &of) {
  for (const auto &[most, kernel] : of.few) {
    out_.open("if (arguments.count <= " + std::to_string(most) + ")");
    launchOrGoOn(*kernel);
    out_.close();
  }
  if (of.many != &kernels_.front())
    launchOrGoOn(*of.many);
}

void CudaLauncher::launchOrGoOn(CudaKernel &kernel) {
  if (kernel.asksForShared())
    launchIfAllowed(kernel);
  else
    launchOf(kernel);
}

void CudaLauncher::launchIfAllowed(CudaKernel &kernel) {
  out_.line("bool is_allowed = false;");
  out_.line("if (status s = allow_shared_memory(" + kernel.nameOfLayout() + ", " +
            kernel.sharedBytes() + ", is_allowed); !s)");
  out_.line("  return s;");
  out_.open("if (is_allowed)");
  launchOf(kernel);
  out_.close();
}

void CudaLauncher::launchOf(CudaKernel &kernel) {
  const bool isFixed = kernel.hasScratch() || kernel.shape().together;
  out_.line((isFixed ? "constexpr unsigned threads = " : "unsigned threads = ") + kernel.threads() +
            ";");
  if (kernel.hasScratch())
    return scratchLaunch(kernel);
  if (!isFixed) {
    out_.line("if (status s = spread_threads(arguments.count, threads); !s)");
    out_.line("  return s;");
  }
  out_.line("const uint64_t blocks = blocks_for(arguments.count, " +
            (kernel.shape().team > 1 ? kernel.instances() : "threads") + ");");
  out_.line("if (blocks > 0x7fffffff)");
  out_.line("  return status::failure(status_code::invalid_argument, \"too many instances\");");
  launchBlocks(kernel);
}

void CudaLauncher::launchBlocks(const CudaKernel &kernel) {
  out_.line(kernel.nameOfLayout() + "<<<static_cast<unsigned>(blocks), threads, " +
            (kernel.asksForShared() ? kernel.sharedBytes() : "0") + ", stream>>>(");
  out_.line("    " + llvm::join(kernel.launchArguments, ", ") + ");");
  out_.line("return cuda_status(cudaPeekAtLastError(), \"launching " + kernel.function.name +
            "\");");
}

void CudaLauncher::scratchLaunch(CudaKernel &kernel) {
  out_.line("// As many threads as can run at once; each keeps its local arrays in scratch.");
  out_.line("uint64_t blocks = 0;");
  out_.line("if (status s = resident_blocks(bulk_kernel<Layout>, threads, blocks); !s)");
  out_.line("  return s;");
  out_.line("blocks = std::min(blocks, blocks_for(arguments.count, threads));");
  out_.line("[[maybe_unused]] const scalar_bits *const scalars = arguments.scalars;");
  std::vector<SizeExpr> extents;
  for (const Array &array : kernel.function.arrays)
    if (isScratch(array))
      llvm::append_range(extents, array.extents);
  declareExtentVariables(kernel.function, extents, out_);
  out_.line("scratch_memory memory(stream);");
  for (size_t a = 0; a < kernel.function.arrays.size(); ++a)
    if (isScratch(kernel.function.arrays[a]))
      allocateScratch(ArrayId(a), kernel);
  launchBlocks(kernel);
}

void CudaLauncher::allocateScratch(ArrayId id, CudaKernel &kernel) {
  const Array &array = kernel.function.array(id);
  CxxExpr cells{"checked_extent(1)", Precedence::Primary};
  for (const SizeExpr &extent : array.extents)
    cells = binaryExpr(cells, "*", checkedExtent(extent), Precedence::Multiplicative);
  const std::string name = kernel.body.cellsName(id), memory = kernel.body.memoryName(id);
  out_.line("void *" + memory + " = nullptr;");
  out_.line("uint64_t " + name + " = 0;");
  out_.line("if (status s = memory.allocate(" + cells.text + ", blocks * threads, " +
            std::to_string(sizeBytes(array.cell)) + ", " + name + ", " + memory + "); !s)");
  out_.line("  return s;");
}
