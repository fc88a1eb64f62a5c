//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_machine.hpp: runs kernel code on the host, under random schedules.
//
// The other side of device_machine.cuh. Every thread of a block is a fibre; a
// fibre runs until it meets a collective or touches a word that blocks exchange,
// then a seeded random choice says which fibre goes on; now and then a block stalls. Between two
// collectives the lanes of a warp therefore run in any order: code that relies on lanes marching
// together without saying so gives different results under different seeds. Blocks start in order,
// `resident` at a time, as on a GPU.
//
// Found and reported in `complaints`: lanes of a warp in different collectives, a
// barrier that some threads never reach, a grid in which nobody can go on, a byte
// written beyond a block's shared memory. Shared memory starts as garbage.
//
// Faults can be planted: see `faults`. What runs most, but is no template, is in host_machine.cpp,
// which is compiled once, and optimised.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <random> // for the cases of all that include this
#include <string>
#include <type_traits>
#include <ucontext.h>
#include <vector>

namespace colonnade::testing {

struct faults {
  bool drop_warp_sync = false;  // warp_sync does nothing
  bool drop_block_sync = false; // block_sync does nothing
  bool torn_words = false;      // store_word shows the state before the count
  bool drop_copy_wait = false;  // wait_for_copies does nothing
  bool drop_fence = false;      // what a thread adds to global memory arrives when it ends
  bool drop_team_wait = false;  // team_wait does nothing
};

/// The numbers of std::mt19937 (Matsumoto and Nishimura, 1998). That of libstdc++ has words of 64
/// bits, and took a third of the time of string matching's tests.
class mersenne_twister {
public:
  explicit mersenne_twister(uint32_t seed);
  uint32_t operator()();

private:
  static constexpr uint32_t words = 624;

  void fill();

  uint32_t state_[words];
  uint32_t next_ = words;
};

/// Each with an end of line.
std::string joined(const std::vector<std::string> &lines);

class host_grid;
struct host_block;

/// One thread's view; the calls are those of device_machine.
class host_machine {
public:
  host_machine(host_grid *grid, host_block *block, uint32_t thread)
      : grid_(grid), block_(block), thread_(thread) {}

  uint32_t thread() const { return thread_; }
  uint32_t lane() const { return thread_ % 32; }
  uint32_t warp() const { return thread_ / 32; }
  uint32_t num_threads() const;
  uint32_t block() const;
  uint32_t num_blocks() const;

  void block_sync() const;
  void warp_sync() const;
  uint32_t ballot(bool predicate) const;
  uint32_t same_bit(uint32_t value, uint32_t mask) const {
    const uint32_t ones = ballot((value & mask) != 0);
    return value & mask ? ones : ~ones;
  }
  uint32_t match(uint32_t value) const;
  template <class T> T shuffle(T value, uint32_t from) const {
    return static_cast<T>(exchange('s', static_cast<uint64_t>(value))[from % 32]);
  }
  template <class T> T shuffle_up(T value, uint32_t distance) const {
    const uint64_t *values = exchange('u', static_cast<uint64_t>(value));
    return lane() < distance ? value : static_cast<T>(values[lane() - distance]);
  }
  template <class T> T shuffle_xor(T value, uint32_t mask) const {
    return static_cast<T>(exchange('x', static_cast<uint64_t>(value))[(lane() ^ mask) % 32]);
  }
  /// The largest of all lanes.
  uint32_t largest(uint32_t value) const;
  static uint32_t count_ones(uint32_t x) { return static_cast<uint32_t>(__builtin_popcount(x)); }
  static uint32_t first_one(uint32_t x) { return x ? static_cast<uint32_t>(__builtin_ctz(x)) : 32; }

  void add_shared(uint32_t *counter, uint32_t value) const { *counter += value; }
  uint32_t take_shared(uint32_t *counter) const { return yield(), (*counter)++; }
  template <class T> void add_global(T *counter, std::type_identity_t<T> value) const {
    yield();
    if (drops_fence())
      add_late([=] { *counter += value; });
    else
      *counter += value;
  }
  uint64_t take_global(uint64_t *counter, uint64_t value) const {
    yield();
    return (*counter += value) - value;
  }
  void min_global(uint64_t *word, uint64_t value) const { *word = value < *word ? value : *word; }
  uint32_t take_ticket(uint32_t *counter) const { return yield(), (*counter)++; }
  uint32_t load_word(const uint32_t *word) const { return yield(), *word; }
  void store_word(uint32_t *word, uint32_t value) const;
  uint64_t load_counter(const uint64_t *counter) const { return *counter; }
  void device_fence() const {}
  uint32_t team_rank() const;
  uint32_t team_size() const;
  void team_arrive() const;
  void team_wait() const;
  template <class T> T *of_teammate(T *shared, uint32_t rank) const {
    return static_cast<T *>(shared_of_teammate(shared, rank));
  }
  /// The bytes arrive when the thread waits for them.
  template <uint32_t Bytes> void copy_async(void *shared, const void *global) const {
    copies_.push_back({static_cast<char *>(shared), static_cast<const char *>(global), Bytes});
  }
  void wait_for_copies() const;
  void wait_for_previous_kernel() const {}
  void let_next_kernel_start() const {}

private:
  /// Every lane's value, once all 32 lanes are here.
  const uint64_t *exchange(char operation, uint64_t value) const;
  void yield() const;
  void *shared_of_teammate(void *shared, uint32_t rank) const;
  bool drops_fence() const;
  void add_late(std::function<void()> add) const;

  struct pending_copy {
    char *to;
    const char *from;
    uint32_t bytes;
  };
  mutable std::vector<pending_copy> copies_;
  mutable uint64_t team_arrivals_ = 0; // of this thread

  friend class host_grid;
  host_grid *grid_;
  host_block *block_;
  uint32_t thread_;
};

/// Once entered it is entered no more: the fibre that ends waits there for the next one's kernel.
struct host_stack {
  static constexpr size_t bytes = 64 * 1024;
  std::unique_ptr<char[]> memory{new char[bytes]};
  bool is_entered = false;
  ucontext_t start; // not on a stack: a frame that is never returned from troubles sanitizers
  jmp_buf next;
};

struct host_fibre {
  enum class state : uint8_t { fresh, ready, waiting, finished };
  state at = state::fresh;
  jmp_buf resume;
  std::unique_ptr<host_stack> stack;
  std::vector<std::function<void()>> late; // additions without their fence
  host_machine machine;
  explicit host_fibre(host_machine m) : machine(m) {}
};

struct host_warp {
  uint32_t arrived = 0;
  char operation = 0;
  uint64_t in[32], out[32];
};

/// Blocks that run at once and share a barrier.
struct host_team {
  uint32_t arrived = 0;
  uint64_t phases = 0; // in which all have arrived
  std::vector<host_fibre *> waiting;
};

struct host_block {
  uint32_t index = 0, arrived = 0, finished = 0;
  std::shared_ptr<host_team> team;
  std::vector<host_fibre> fibres;
  std::vector<host_warp> warps;
  std::vector<char> shared; // with a red zone behind
  char *shared_begin = nullptr;
};

/// Runs a kernel: body(machine, shared memory) once per thread.
class host_grid {
public:
  static constexpr size_t red_zone = 64;
  static constexpr uint64_t max_steps = 8'000'000; // the largest test takes about half

  explicit host_grid(unsigned seed, uint32_t resident = 3, faults planted = {})
      : planted_(planted), random_(seed), resident_(resident) {}

  std::vector<std::string> complaints;
  /// One a line.
  std::string all_complaints() const;

  /// team: blocks of a team; blocks are a multiple of it.
  template <class Body>
  void run(uint32_t blocks, uint32_t threads, size_t shared_bytes, const Body &body,
           uint32_t team = 1) {
    run_body(
        blocks, threads, shared_bytes, &body,
        [](const void *of, const host_machine &m, char *shared) {
          (*static_cast<const Body *>(of))(m, shared);
        },
        team);
  }

private:
  friend class host_machine;
  using state = host_fibre::state;
  using call = void (*)(const void *body, const host_machine &, char *shared);

  void run_body(uint32_t blocks, uint32_t threads, size_t shared_bytes, const void *body, call call,
                uint32_t team);
  void start_block(uint32_t index, size_t shared_bytes);
  bool choose();
  void go_on();
  uint32_t random();
  uint32_t random_index(size_t size);
  void begin(host_fibre *f);
  static host_grid *&active();
  static void enter();
  static std::vector<std::unique_ptr<host_stack>> &spare_stacks();
  static std::unique_ptr<host_stack> take_stack();
  void finish(host_fibre *f);
  void leave(state at);
  void wake(host_fibre *f);
  void complain(std::string what) { complaints.push_back(std::move(what)); }

  faults planted_;
  mersenne_twister random_;
  uint32_t resident_, num_blocks_ = 0, threads_ = 0, team_ = 1;
  std::shared_ptr<host_team> last_team_;
  size_t shared_bytes_ = 0;
  uint64_t steps_ = 0;
  const host_block *stalled_ = nullptr;
  const void *body_ = nullptr;
  call call_ = nullptr;
  std::vector<std::unique_ptr<host_block>> blocks_;
  std::vector<host_fibre *> ready_;
  host_fibre *current_ = nullptr;
  jmp_buf scheduler_;
};

} // namespace colonnade::testing
