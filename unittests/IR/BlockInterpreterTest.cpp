//===- BlockInterpreterTest.cpp - What threads of a block do together -----===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prefix sums of rows that a warp stages through shared memory, and the same with one thing left
// out or changed: each such fault is found, whatever the seed.
//
//===----------------------------------------------------------------------===//

#include "IRText.h"

#include "IR/BlockInterpreter.h"

#include "llvm/ADT/StringExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

constexpr unsigned RowCells = 4;
constexpr uint64_t BlockSeeds = 20;

/// A row of padded cells for each lane; two warps.
const char *const PrefixSums = R"(func "f" kernel threads 64 together row_wise {
  array @b : s32[4] parameter instance reads writes of b in memory
  array @t : s32[32, 4] local warp reads writes in shared pitch 5
  body() {
    %one = const 1 : s32
    %four = const 4 : s32
    %row = const 4 : s64
    %lane = lane : varying s64
    %has = has.instance : varying bool
    stage @t from @b
    wait
    barrier warp
    if %has {
      for %i : s32 = %one lt %four step %one () {
        %p = sub %i, %one : s32
        %before = cast %p : s64
        %at = cast %i : s64
        %x = load @t[%lane, %before; %row] access 0 : varying s32
        %y = load @t[%lane, %at; %row] access 1 : varying s32
        %s = add %y, %x : varying s32
        store @t[%lane, %at; %row], %s access 2
        yield
      } -> %end : s32
      yield
    } else {
      yield
    }
    barrier warp
    stage @b from @t
    return
  }
}
)";

/// `text` with the first `what` exchanged.
std::string with(const std::string &text, const std::string &what, const std::string &by) {
  const size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return std::string(text).replace(at, what.size(), by);
}
std::string withLast(const std::string &text, const std::string &what, const std::string &by) {
  const size_t at = text.rfind(what);
  EXPECT_NE(at, std::string::npos) << what;
  return std::string(text).replace(at, what.size(), by);
}

struct BlockOutcome {
  std::string text; // of the error, empty if none
  std::optional<InterpreterError::Kind> kind;
  std::vector<uint64_t> cells; // of the first array
};

BlockOutcome runBlocks(const std::string &text, uint64_t count, uint64_t seed,
                       uint64_t cells = RowCells) {
  Module module = parsed(text);
  EXPECT_EQ(verifyError(module), "");
  std::vector<ArrayData> arrays(1);
  for (uint64_t c = 0; c < count * cells; ++c)
    arrays[0].cells.push_back(c * c % 97);
  BlockOptions options;
  options.seed = seed;
  BlockOutcome outcome;
  if (auto error = interpretBlocks(module, module.functions[0], count, arrays, {}, options))
    handleAllErrors(std::move(error), [&](const InterpreterError &e) {
      outcome.kind = e.kind;
      outcome.text = e.text;
    });
  outcome.cells = arrays[0].cells;
  return outcome;
}

std::vector<uint64_t> prefixSums(uint64_t count) {
  std::vector<uint64_t> cells;
  for (uint64_t c = 0; c < count * RowCells; ++c)
    cells.push_back(c * c % 97 + (c % RowCells ? cells.back() : 0));
  return cells;
}

/// The fault is found in every order, and says so.
void expectFault(const std::string &text, InterpreterError::Kind kind, const std::string &message,
                 uint64_t count = 33) {
  for (uint64_t seed = 0; seed < BlockSeeds; ++seed) {
    const BlockOutcome outcome = runBlocks(text, count, seed);
    EXPECT_EQ(outcome.kind, kind) << "seed " << seed << ": " << outcome.text;
    EXPECT_TRUE(llvm::StringRef(outcome.text).contains(message)) << outcome.text;
  }
}

TEST(BlockInterpreter, AnyNumberOfInstances) {
  for (uint64_t count : {0u, 1u, 31u, 32u, 33u, 63u, 64u, 65u, 130u})
    for (uint64_t seed = 0; seed < 3; ++seed) {
      const BlockOutcome outcome = runBlocks(PrefixSums, count, seed);
      EXPECT_EQ(outcome.text, "") << count;
      EXPECT_EQ(outcome.cells, prefixSums(count)) << count;
    }
}

TEST(BlockInterpreter, TextIsReadBack) {
  const Module module = parsed(PrefixSums);
  EXPECT_EQ(printed(parsed(printed(module))), printed(module));
}

/// Which of two threads was first decides how the fault shows; that it shows, nothing decides.
void expectRace(const std::string &text) {
  for (uint64_t seed = 0; seed < BlockSeeds; ++seed) {
    const BlockOutcome outcome = runBlocks(text, 33, seed);
    EXPECT_NE(outcome.text, "") << "seed " << seed;
    const llvm::StringRef message = outcome.text;
    EXPECT_TRUE(message.contains("no barrier lies between") ||
                message.contains("is read before it is written"))
        << outcome.text;
  }
}

TEST(BlockInterpreter, DroppedBarriers) {
  expectRace(with(PrefixSums, "    barrier warp\n", ""));
  expectRace(withLast(PrefixSums, "    barrier warp\n", ""));
}

TEST(BlockInterpreter, DroppedWait) {
  expectFault(with(PrefixSums, "    wait\n", ""), InterpreterError::Kind::Race, "is staging");
}

TEST(BlockInterpreter, DroppedStage) {
  expectFault(with(PrefixSums, "    stage @t from @b\n", ""), InterpreterError::Kind::Undefined,
              "is read before it is written");
}

TEST(BlockInterpreter, BorderIsNotGuarded) {
  expectFault(with(PrefixSums, "if %has {", "%all = const true : bool\n if %all {"),
              InterpreterError::Kind::Undefined, "is read before it is written");
}

TEST(BlockInterpreter, SubscriptLeavesItsRow) {
  expectFault(with(PrefixSums, "%four = const 4", "%four = const 5"),
              InterpreterError::Kind::Undefined, "subscript 4 of 't', 4 cells");
}

TEST(BlockInterpreter, BarrierInDivergentFlow) {
  expectFault(with(PrefixSums, "    if %has {\n", "    if %has {\n barrier warp\n"),
              InterpreterError::Kind::Divergence, "barrier in divergent flow");
}

/// The warps of a block exchange cells: a barrier of warps is not enough.
const char *const Exchange = R"(func "f" kernel threads 64 together row_wise {
  array @b : s32[4] parameter instance reads writes of b in memory
  array @t : s32[64, 4] local block reads writes in shared
  body() {
    stage @t from @b
    wait
    barrier block
    %last = const 63 : s64
    %row = const 4 : s64
    %zero = const 0 : s64
    %lane = lane : varying s64
    %warp = warp : varying s64
    %k = const 32 : s64
    %first = mul %warp, %k : varying s64
    %thread = add %first, %lane : varying s64
    %other = sub %last, %thread : varying s64
    %x = load @t[%other, %zero; %row] access 0 : varying s32
    store @b[%zero], %x access 1
    return
  }
}
)";

TEST(BlockInterpreter, WarpsExchange) {
  for (uint64_t seed = 0; seed < BlockSeeds; ++seed) {
    const BlockOutcome outcome = runBlocks(Exchange, 128, seed);
    EXPECT_EQ(outcome.text, "");
    for (uint64_t i = 0; i < 128; ++i) {
      const uint64_t from = (i / 64 * 64 + 63 - i % 64) * RowCells;
      EXPECT_EQ(outcome.cells[i * RowCells], from * from % 97);
    }
  }
}

/// Neighbours' rows two apart: those of the first 32 instances, and the others' between them.
TEST(BlockInterpreter, RowsThatAreSpread) {
  const std::string spread = with(Exchange, "in shared\n", "in shared spread 2\n");
  for (uint64_t seed = 0; seed < BlockSeeds; ++seed) {
    const BlockOutcome outcome = runBlocks(spread, 128, seed);
    EXPECT_EQ(outcome.text, "");
    for (uint64_t i = 0; i < 128; ++i) {
      const uint64_t row = 63 - i % 64, instance = row / 2 + row % 2 * 32,
                     from = (i / 64 * 64 + instance) * RowCells;
      EXPECT_EQ(outcome.cells[i * RowCells], from * from % 97);
    }
  }
}

TEST(BlockInterpreter, BarrierOfWarpsBetweenWarps) {
  expectFault(with(Exchange, "barrier block", "barrier warp"), InterpreterError::Kind::Race,
              "no barrier lies between", 128);
}

TEST(BlockInterpreter, ThreadsWithoutAnInstance) {
  expectFault(Exchange, InterpreterError::Kind::Undefined, "", 100);
}

TEST(BlockInterpreter, RowsThatOverlapAreRefused) {
  EXPECT_EQ(verifyError(parsed(with(PrefixSums, "pitch 5", "pitch 3"))),
            "'f': rows of array 't' overlap\n");
  EXPECT_EQ(verifyError(parsed(with(PrefixSums, "pitch 5", "pitch 5 spread 3"))),
            "'f': rows of array 't' cannot lie 3 apart\n");
  EXPECT_NE(verifyError(parsed(with(PrefixSums, " together", ""))), "");
  EXPECT_NE(verifyError(parsed(with(PrefixSums, "threads 64", "threads 40"))), "");
  EXPECT_NE(verifyError(parsed(with(PrefixSums, "s32[32, 4] local", "s32[32, 3] local"))), "");
}

/// Rows of two cells, one half after the other: the halves change places.
const char *const Halves = R"(func "f" kernel threads 64 together row_wise {
  array @b : s32[4] parameter instance reads writes of b in memory
  array @t : s32[32, 2] local warp reads writes in shared pitch 3
  array @u : s32[32, 2] local warp reads writes in shared pitch 3
  body() {
    %zero = const 0 : s64
    %half = const 2 : s64
    stage @t from @b at %zero
    stage @u from @b at %half
    wait
    barrier warp
    stage @b from @u at %zero
    stage @b from @t at %half
    return
  }
}
)";

TEST(BlockInterpreter, RowsThatHoldAPart) {
  for (uint64_t count : {1u, 32u, 33u, 100u}) {
    const BlockOutcome outcome = runBlocks(Halves, count, count);
    EXPECT_EQ(outcome.text, "") << count;
    for (uint64_t c = 0; c < count * RowCells; ++c) {
      const uint64_t from = c % RowCells < 2 ? c + 2 : c - 2;
      EXPECT_EQ(outcome.cells[c], from * from % 97) << c;
    }
  }
}

TEST(BlockInterpreter, RowsThatHoldWhatThereIsNotAreRefused) {
  EXPECT_NE(verifyError(parsed(with(Halves, "%half = const 2", "%half = const 3"))), "");
  EXPECT_NE(verifyError(parsed(with(Halves, "%half = const 2", "%half = const -1"))), "");
  EXPECT_NE(verifyError(parsed(with(Halves, " at %zero", ""))), "");
  EXPECT_NE(verifyError(parsed(with(Halves, " row_wise", ""))), "");
  expectFault(
      with(Halves, "%half = const 2 : s64", "%k = const 3 : s64\n%half = add %k, %zero : s64"),
      InterpreterError::Kind::Undefined, "no 2 cells from 3 on");
}

/// Of columns any cells are copied: the first one, which nothing stores to, stays.
TEST(BlockInterpreter, RowsOfSomeCells) {
  const std::string columns = with(PrefixSums, "row_wise", "column_wise"),
                    back = "stage @b from @t",
                    all = withLast(columns, back, back + " cells 1 to 3");
  for (uint64_t count : {1u, 33u, 100u})
    EXPECT_EQ(runBlocks(all, count, count).cells, prefixSums(count)) << count;
  const BlockOutcome less =
      runBlocks(withLast(columns, back, back + " cells 1 to 1, 3 to 3"), 2, 1);
  EXPECT_EQ(less.text, "");
  std::vector<uint64_t> expected = prefixSums(2);
  expected[2] = 4;
  expected[6] = 36;
  EXPECT_EQ(less.cells, expected);
  const std::string in = "stage @t from @b";
  expectFault(with(columns, in, in + " cells 0 to 1, 3 to 3"), InterpreterError::Kind::Undefined,
              "of 't' is read before it is written");
  expectFault(with(with(columns, in, in + " cells 0 to 2"), "%four = const 4", "%four = const 3"),
              InterpreterError::Kind::Undefined, "of 't' is read before it is written");
  EXPECT_EQ(printed(parsed(printed(parsed(all)))), printed(parsed(all)));
}

TEST(BlockInterpreter, CellsThatAreNotThereAreRefused) {
  const auto breach = [](const std::string &layout, const std::string &cells) {
    const std::string in = "stage @t from @b";
    return verifyError(
        parsed(with(with(PrefixSums, "row_wise", layout), in, in + " cells " + cells)));
  };
  EXPECT_EQ(breach("column_wise", "0 to 0, 2 to 3"), "");
  for (const char *cells : {"0 to 4", "2 to 1", "0 to 1, 1 to 2", "2 to 3, 0 to 0"})
    EXPECT_NE(breach("column_wise", cells), "") << cells;
  EXPECT_NE(breach("row_wise", "0 to 2"), ""); // no whole sector
}

/// Two instances a block, each with a team of two warps: member m takes the cell of member 63 - m,
/// which is in the other warp.
const char *const Teams = R"(func "f" kernel threads 128 together row_wise team 64 {
  array @b : s32[64] parameter instance reads writes of b in memory
  array @t : s32[2, 64] local block reads writes in shared
  body() {
    %row = const 64 : s64
    %last = const 63 : s64
    %two = const 2 : s64
    %warp = warp : varying s64
    %member = member : varying s64
    %has = has.instance : varying bool
    %own = div %warp, %two : varying s64
    if %has {
      %x = load @b[%member] access 0 : varying s32
      store @t[%own, %member; %row], %x access 1
      barrier instance
      %other = sub %last, %member : varying s64
      %y = load @t[%own, %other; %row] access 2 : varying s32
      store @b[%member], %y access 3
      yield
    } else {
      yield
    }
    return
  }
}
)";

BlockOutcome runTeams(const std::string &text, uint64_t count, uint64_t seed) {
  return runBlocks(text, count, seed, 64);
}

TEST(BlockInterpreter, TeamsOfSeveralWarps) {
  EXPECT_EQ(printed(parsed(printed(parsed(Teams)))), printed(parsed(Teams)));
  for (uint64_t count : {1u, 2u, 3u, 5u})
    for (uint64_t seed = 0; seed < BlockSeeds; ++seed) {
      const BlockOutcome outcome = runTeams(Teams, count, seed);
      EXPECT_EQ(outcome.text, "");
      for (uint64_t c = 0; c < count * 64; ++c) {
        const uint64_t from = c / 64 * 64 + 63 - c % 64;
        EXPECT_EQ(outcome.cells[c], from * from % 97);
      }
    }
}

/// A warp's barrier does not do, as cells are the other warp's; a block's is not reached by a team
/// without an instance.
TEST(BlockInterpreter, BarriersOfTeamsOfSeveralWarps) {
  const std::string barrier = "      barrier instance\n";
  for (uint64_t seed = 0; seed < BlockSeeds; ++seed) {
    for (const char *instead : {"", "barrier warp\n"})
      EXPECT_NE(runTeams(with(Teams, barrier, instead), 2, seed).text, "");
    const std::string ofBlock = with(Teams, barrier, "barrier block\n");
    EXPECT_EQ(runTeams(ofBlock, 2, seed).text, "");
    EXPECT_EQ(runTeams(ofBlock, 3, seed).kind, InterpreterError::Kind::Divergence);
  }
}

/// Two lanes of a warp that is a part of a team: a barrier of the warp does.
TEST(BlockInterpreter, BarrierOfAWarpInATeam) {
  const std::string inWarp =
      with(with(Teams, "barrier instance", "barrier warp"), "%other = sub %last, %member",
           "%one = const 1 : s64\n %other = xor %one, %member");
  for (uint64_t seed = 0; seed < BlockSeeds; ++seed)
    EXPECT_EQ(runTeams(inWarp, 3, seed).text, "");
}

TEST(BlockInterpreter, TeamsAreWholeWarpsOrPartsOfOne) {
  const auto breach = [](const char *shape) {
    return verifyError(parsed(with(Teams, "threads 128 together row_wise team 64", shape)));
  };
  EXPECT_EQ(breach("threads 128 together row_wise team 64"), "");
  for (auto [shape, what] :
       {std::pair("threads 96 together row_wise team 48", "neither whole warps"),
        {"threads 96 together row_wise team 64", "no whole teams"},
        {"threads 1024 together row_wise team 64", "more teams of several warps than barriers"}})
    EXPECT_TRUE(llvm::StringRef(breach(shape)).contains(what)) << breach(shape);
}

/// The interpreter of one thread has no block.
TEST(BlockInterpreter, NeedsABlock) {
  const Module module = parsed(PrefixSums);
  std::vector<ArrayData> arrays(2);
  llvm::Error error = interpret(module, module.functions[0], arrays, {});
  ASSERT_TRUE(bool(error));
  EXPECT_TRUE(llvm::StringRef(llvm::toString(std::move(error))).contains("kernel of blocks"));
}

/// Arrays in registers are moved before and after the body, where nothing asks for an instance.
TEST(BlockInterpreter, CallersRegistersAreRefused) {
  EXPECT_NE(verifyError(parsed(with(PrefixSums, "of b in memory\n",
                                    "of b in memory\n  array @c : s32[4] parameter instance "
                                    "reads writes of c in registers loaded\n"))),
            "");
}

/// Two threads of different blocks never meet; a thread writes another's row.
TEST(BlockInterpreter, TwoThreadsWriteACell) {
  expectFault(with(PrefixSums, "store @t[%lane, %at; %row], %s access 2",
                   "%k0 = const 0 : s64\n store @t[%k0, %at; %row], %s access 2"),
              InterpreterError::Kind::Race, "no barrier lies between");
}

} // namespace
