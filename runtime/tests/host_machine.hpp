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
// Faults can be planted: see `faults`.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <csetjmp>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
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
  uint32_t ballot(bool predicate) const {
    const uint64_t *values = exchange('b', predicate);
    uint32_t result = 0;
    for (uint32_t l = 0; l < 32; ++l)
      result |= static_cast<uint32_t>(values[l]) << l;
    return result;
  }
  uint32_t same_bit(uint32_t value, uint32_t mask) const {
    const uint32_t ones = ballot((value & mask) != 0);
    return value & mask ? ones : ~ones;
  }
  uint32_t match(uint32_t value) const {
    const uint64_t *values = exchange('m', value);
    uint32_t result = 0;
    for (uint32_t l = 0; l < 32; ++l)
      result |= uint32_t{values[l] == value} << l;
    return result;
  }
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
  uint32_t largest(uint32_t value) const {
    const uint64_t *values = exchange('l', value);
    uint32_t result = 0;
    for (uint32_t l = 0; l < 32; ++l)
      result = values[l] > result ? static_cast<uint32_t>(values[l]) : result;
    return result;
  }
  static uint32_t count_ones(uint32_t x) { return static_cast<uint32_t>(__builtin_popcount(x)); }
  static uint32_t first_one(uint32_t x) { return x ? static_cast<uint32_t>(__builtin_ctz(x)) : 32; }

  void add_shared(uint32_t *counter, uint32_t value) const { *counter += value; }
  uint32_t take_shared(uint32_t *counter) const { return yield(), (*counter)++; }
  template <class T> void add_global(T *counter, std::type_identity_t<T> value) const;
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
  template <class T> T *of_teammate(T *shared, uint32_t rank) const;
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

struct host_fibre {
  enum class state : uint8_t { fresh, ready, waiting, finished };
  state at = state::fresh;
  ucontext_t start;
  jmp_buf resume;
  std::unique_ptr<char[]> stack;
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
  std::vector<std::unique_ptr<host_fibre>> fibres;
  std::vector<host_warp> warps;
  std::vector<char> shared; // with a red zone behind
  char *shared_begin = nullptr;
};

/// Runs a kernel: body(machine, shared memory) once per thread.
class host_grid {
public:
  using body = std::function<void(const host_machine &, char *shared)>;
  static constexpr size_t red_zone = 64, stack_bytes = 64 * 1024;
  static constexpr uint64_t max_steps = 8'000'000; // the largest test takes about half

  explicit host_grid(unsigned seed, uint32_t resident = 3, faults planted = {})
      : planted_(planted), random_(seed), resident_(resident) {}

  std::vector<std::string> complaints;
  /// One a line.
  std::string all_complaints() const {
    std::string all;
    for (const std::string &c : complaints)
      all += c + "\n";
    return all;
  }

  /// team: blocks of a team; blocks are a multiple of it.
  void run(uint32_t blocks, uint32_t threads, size_t shared_bytes, body kernel, uint32_t team = 1) {
    num_blocks_ = blocks;
    threads_ = threads;
    team_ = team;
    kernel_ = std::move(kernel);
    blocks_.clear();
    ready_.clear(); // of a run that was given up
    uint32_t next = 0;
    while (next < blocks || !blocks_.empty()) {
      while (next < blocks && (blocks_.size() < resident_ || next % team != 0))
        start_block(next++, shared_bytes);
      if (!step())
        return complain("nobody can go on");
      if (++steps_ > max_steps)
        return complain("no end in sight");
    }
  }

private:
  friend class host_machine;
  using state = host_fibre::state;

  void start_block(uint32_t index, size_t shared_bytes) {
    auto b = std::make_unique<host_block>();
    b->index = index;
    if (index % team_ == 0)
      last_team_ = std::make_shared<host_team>();
    b->team = last_team_;
    b->warps.resize(threads_ / 32);
    b->shared.assign(shared_bytes + red_zone + 16, static_cast<char>(0xa5));
    b->shared_begin =
        b->shared.data() + (16 - reinterpret_cast<uintptr_t>(b->shared.data()) % 16) % 16;
    for (uint32_t t = 0; t < threads_; ++t) {
      b->fibres.push_back(std::make_unique<host_fibre>(host_machine(this, b.get(), t)));
      b->fibres.back()->stack = take_stack();
      ready_.push_back(b->fibres.back().get());
    }
    for (size_t i = 0; i < shared_bytes; ++i)
      b->shared_begin[i] = static_cast<char>(random_());
    shared_bytes_ = shared_bytes;
    blocks_.push_back(std::move(b));
  }

  /// Runs one fibre until it stops; false if none is ready.
  bool step() {
    if (ready_.empty())
      return false;
    if (steps_ % 4096 == 0) // for a while one block hardly gets on
      stalled_ = blocks_[random_index(blocks_.size())].get();
    uint32_t chosen = random_index(ready_.size());
    for (int i = 0; i < 8 && ready_[chosen]->machine.block_ == stalled_; ++i)
      chosen = random_index(ready_.size());
    current_ = ready_[chosen];
    ready_[chosen] = ready_.back();
    ready_.pop_back();
    if (_setjmp(scheduler_) == 0) {
      if (current_->at == state::fresh)
        begin(current_);
      else
        _longjmp(current_->resume, 1);
    }
    if (current_->at == state::finished)
      finish(current_);
    return true;
  }
  /// Of 32 bits: this division is most of a step's time.
  uint32_t random_index(size_t size) {
    return static_cast<uint32_t>(random_()) % static_cast<uint32_t>(size);
  }
  void begin(host_fibre *f) {
    getcontext(&f->start);
    f->start.uc_stack.ss_sp = f->stack.get();
    f->start.uc_stack.ss_size = stack_bytes;
    f->start.uc_link = nullptr;
    active() = this;
    makecontext(&f->start, reinterpret_cast<void (*)()>(&host_grid::enter), 0);
    setcontext(&f->start);
  }
  static host_grid *&active() {
    static thread_local host_grid *grid = nullptr;
    return grid;
  }
  static void enter() {
    host_grid *grid = active();
    host_fibre *f = grid->current_;
    grid->kernel_(f->machine, f->machine.block_->shared_begin);
    f->at = state::finished;
    _longjmp(grid->scheduler_, 1);
  }
  static std::vector<std::unique_ptr<char[]>> &spare_stacks() {
    static thread_local std::vector<std::unique_ptr<char[]>> stacks;
    return stacks;
  }
  static std::unique_ptr<char[]> take_stack() {
    if (spare_stacks().empty())
      return std::unique_ptr<char[]>(new char[stack_bytes]);
    std::unique_ptr<char[]> stack = std::move(spare_stacks().back());
    spare_stacks().pop_back();
    return stack;
  }
  void finish(host_fibre *f) {
    host_block *b = f->machine.block_;
    for (const auto &add : f->late)
      add();
    spare_stacks().push_back(std::move(f->stack));
    if (++b->finished < threads_)
      return;
    for (size_t i = 0; i < red_zone; ++i)
      if (b->shared_begin[shared_bytes_ + i] != static_cast<char>(0xa5))
        complain("written beyond shared memory");
    for (size_t i = 0; i < blocks_.size(); ++i)
      if (blocks_[i].get() == b) {
        blocks_[i] = std::move(blocks_.back());
        blocks_.pop_back();
        return;
      }
  }
  /// Leaves the running fibre, ready or waiting.
  void leave(state at) {
    host_fibre *f = current_;
    f->at = at;
    if (at == state::ready)
      ready_.push_back(f);
    if (_setjmp(f->resume) == 0)
      _longjmp(scheduler_, 1);
  }
  void wake(host_fibre *f) {
    if (f == current_)
      return;
    f->at = state::ready;
    ready_.push_back(f);
  }
  void complain(std::string what) { complaints.push_back(std::move(what)); }

  faults planted_;
  std::mt19937 random_;
  uint32_t resident_, num_blocks_ = 0, threads_ = 0, team_ = 1;
  std::shared_ptr<host_team> last_team_;
  size_t shared_bytes_ = 0;
  uint64_t steps_ = 0;
  const host_block *stalled_ = nullptr;
  body kernel_;
  std::vector<std::unique_ptr<host_block>> blocks_;
  std::vector<host_fibre *> ready_;
  host_fibre *current_ = nullptr;
  jmp_buf scheduler_;
};

inline uint32_t host_machine::block() const { return block_->index; }
inline uint32_t host_machine::num_threads() const { return grid_->threads_; }
inline uint32_t host_machine::num_blocks() const { return grid_->num_blocks_; }
inline void host_machine::yield() const { grid_->leave(host_fibre::state::ready); }

inline uint32_t host_machine::team_rank() const { return block_->index % grid_->team_; }
inline uint32_t host_machine::team_size() const { return grid_->team_; }
inline void host_machine::team_arrive() const {
  yield();
  host_team &t = *block_->team;
  ++team_arrivals_;
  if (++t.arrived < grid_->threads_ * grid_->team_)
    return;
  t.arrived = 0;
  ++t.phases;
  for (host_fibre *f : t.waiting)
    grid_->wake(f);
  t.waiting.clear();
}
inline void host_machine::team_wait() const {
  if (grid_->planted_.drop_team_wait)
    return yield();
  host_team &t = *block_->team;
  if (t.phases >= team_arrivals_)
    return yield();
  t.waiting.push_back(grid_->current_);
  grid_->leave(host_fibre::state::waiting);
}
template <class T> T *host_machine::of_teammate(T *shared, uint32_t rank) const {
  yield();
  const uint32_t index = block_->index - team_rank() + rank;
  const auto offset = reinterpret_cast<const char *>(shared) - block_->shared_begin;
  for (const auto &b : grid_->blocks_)
    if (b->index == index)
      return reinterpret_cast<T *>(b->shared_begin + offset);
  grid_->complain("a teammate's shared memory is gone");
  return shared;
}

inline void host_machine::wait_for_copies() const {
  if (grid_->planted_.drop_copy_wait)
    return;
  for (const pending_copy &c : copies_)
    std::memcpy(c.to, c.from, c.bytes);
  copies_.clear();
}

inline void host_machine::warp_sync() const {
  if (!grid_->planted_.drop_warp_sync)
    exchange('w', 0);
}

template <class T> void host_machine::add_global(T *counter, std::type_identity_t<T> value) const {
  yield();
  if (grid_->planted_.drop_fence)
    grid_->current_->late.push_back([=] { *counter += value; });
  else
    *counter += value;
}

inline void host_machine::store_word(uint32_t *word, uint32_t value) const {
  yield();
  if (grid_->planted_.torn_words) {
    *word = (value & 0xc0000000u) | (*word & 0x3fffffffu);
    yield();
  }
  *word = value;
}

inline void host_machine::block_sync() const {
  if (grid_->planted_.drop_block_sync)
    return yield();
  if (++block_->arrived < grid_->threads_)
    return grid_->leave(host_fibre::state::waiting);
  block_->arrived = 0;
  for (auto &f : block_->fibres)
    grid_->wake(f.get());
  grid_->leave(host_fibre::state::ready);
}

inline const uint64_t *host_machine::exchange(char operation, uint64_t value) const {
  host_warp &w = block_->warps[warp()];
  if (w.arrived == 0)
    w.operation = operation;
  else if (w.operation != operation)
    grid_->complain("lanes of a warp in different collectives");
  w.in[lane()] = value;
  if (++w.arrived < 32) {
    grid_->leave(host_fibre::state::waiting);
    return w.out;
  }
  w.arrived = 0;
  std::memcpy(w.out, w.in, sizeof w.out);
  for (uint32_t l = 0; l < 32; ++l)
    grid_->wake(block_->fibres[warp() * 32 + l].get());
  grid_->leave(host_fibre::state::ready);
  return w.out;
}

} // namespace colonnade::testing
