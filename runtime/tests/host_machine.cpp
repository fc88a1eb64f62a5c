//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_machine.cpp: the scheduler of fibres, and what they wait for. See host_machine.hpp.
//
//===----------------------------------------------------------------------===//
#include "host_machine.hpp"

namespace colonnade::testing {

std::string joined(const std::vector<std::string> &lines) {
  std::string all;
  for (const std::string &line : lines)
    all += line + "\n";
  return all;
}
std::string host_grid::all_complaints() const { return joined(complaints); }

void host_grid::run_body(uint32_t blocks, uint32_t threads, size_t shared_bytes, const void *body,
                         call call, uint32_t team) {
  num_blocks_ = blocks;
  threads_ = threads;
  team_ = team;
  body_ = body;
  call_ = call;
  blocks_.clear();
  ready_.clear(); // of a run that was given up
  uint32_t next = 0;
  while (next < blocks || !blocks_.empty()) {
    while (next < blocks && (blocks_.size() < resident_ || next % team != 0))
      start_block(next++, shared_bytes);
    if (!choose())
      return complain(ready_.empty() ? "nobody can go on" : "no end in sight");
    if (_setjmp(scheduler_) == 0 || current_->at == state::fresh)
      go_on();
    if (current_->at == state::finished)
      finish(current_);
  }
}

void host_grid::start_block(uint32_t index, size_t shared_bytes) {
  auto b = std::make_unique<host_block>();
  b->index = index;
  if (index % team_ == 0)
    last_team_ = std::make_shared<host_team>();
  b->team = last_team_;
  b->warps.resize(threads_ / 32);
  b->shared.assign(shared_bytes + red_zone + 16, static_cast<char>(0xa5));
  b->shared_begin =
      b->shared.data() + (16 - reinterpret_cast<uintptr_t>(b->shared.data()) % 16) % 16;
  b->fibres.reserve(threads_);
  for (uint32_t t = 0; t < threads_; ++t) {
    b->fibres.emplace_back(host_machine(this, b.get(), t));
    b->fibres.back().stack = take_stack();
    ready_.push_back(&b->fibres.back());
  }
  for (size_t i = 0; i < shared_bytes; ++i)
    b->shared_begin[i] = static_cast<char>(random());
  shared_bytes_ = shared_bytes;
  blocks_.push_back(std::move(b));
}

/// The fibre that runs next; false if none is ready, or too many have run.
bool host_grid::choose() {
  if (ready_.empty() || steps_ > max_steps)
    return false;
  if (steps_ % 4096 == 0) // for a while one block hardly gets on
    stalled_ = blocks_[random_index(blocks_.size())].get();
  ++steps_;
  uint32_t chosen = random_index(ready_.size());
  for (int i = 0; i < 8 && ready_[chosen]->machine.block_ == stalled_; ++i)
    chosen = random_index(ready_.size());
  current_ = ready_[chosen];
  ready_[chosen] = ready_.back();
  ready_.pop_back();
  return true;
}
/// Runs the chosen fibre.
void host_grid::go_on() {
  if (current_->at == state::fresh)
    begin(current_);
  else
    _longjmp(current_->resume, 1);
}
uint32_t host_grid::random() { return random_(); }
/// Of 32 bits: this division is most of a step's time.
uint32_t host_grid::random_index(size_t size) { return random() % static_cast<uint32_t>(size); }

mersenne_twister::mersenne_twister(uint32_t seed) {
  state_[0] = seed;
  for (uint32_t i = 1; i < words; ++i)
    state_[i] = 1812433253u * (state_[i - 1] ^ state_[i - 1] >> 30) + i;
}
uint32_t mersenne_twister::operator()() {
  if (next_ == words)
    fill();
  uint32_t word = state_[next_++];
  word ^= word >> 11;
  word ^= word << 7 & 0x9d2c5680u;
  word ^= word << 15 & 0xefc60000u;
  return word ^ word >> 18;
}
/// In two loops, which the compiler makes vectors of.
void mersenne_twister::fill() {
  constexpr uint32_t middle = 397;
  const auto twisted = [this](uint32_t i, uint32_t after) {
    const uint32_t word = (state_[i] & 0x80000000u) | (state_[after] & 0x7fffffffu);
    return word >> 1 ^ (word & 1 ? 0x9908b0dfu : 0);
  };
  for (uint32_t i = 0; i < words - middle; ++i)
    state_[i] = state_[i + middle] ^ twisted(i, i + 1);
  for (uint32_t i = words - middle; i + 1 < words; ++i)
    state_[i] = state_[i - (words - middle)] ^ twisted(i, i + 1);
  state_[words - 1] = state_[middle - 1] ^ twisted(words - 1, 0);
  next_ = 0;
}

void host_grid::begin(host_fibre *f) {
  active() = this;
  host_stack &stack = *f->stack;
  if (stack.is_entered)
    _longjmp(stack.next, 1);
  stack.is_entered = true;
  getcontext(&stack.start);
  stack.start.uc_stack.ss_sp = stack.memory.get();
  stack.start.uc_stack.ss_size = host_stack::bytes;
  stack.start.uc_link = nullptr;
  makecontext(&stack.start, reinterpret_cast<void (*)()>(&host_grid::enter), 0);
  setcontext(&stack.start);
}
host_grid *&host_grid::active() {
  static thread_local host_grid *grid = nullptr;
  return grid;
}
void host_grid::enter() {
  for (;;) {
    host_grid *grid = active();
    host_fibre *f = grid->current_;
    grid->call_(grid->body_, f->machine, f->machine.block_->shared_begin);
    f->at = state::finished;
    if (_setjmp(f->stack->next) == 0)
      _longjmp(grid->scheduler_, 1);
  }
}
std::vector<std::unique_ptr<host_stack>> &host_grid::spare_stacks() {
  static thread_local std::vector<std::unique_ptr<host_stack>> stacks;
  return stacks;
}
std::unique_ptr<host_stack> host_grid::take_stack() {
  if (spare_stacks().empty())
    return std::make_unique<host_stack>();
  std::unique_ptr<host_stack> stack = std::move(spare_stacks().back());
  spare_stacks().pop_back();
  return stack;
}
void host_grid::finish(host_fibre *f) {
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
/// Leaves the running fibre, ready or waiting, for the next one; fresh ones start from the
/// scheduler's stack.
void host_grid::leave(state at) {
  host_fibre *f = current_;
  f->at = at;
  if (at == state::ready)
    ready_.push_back(f);
  if (_setjmp(f->resume) != 0)
    return;
  if (!choose() || current_->at == state::fresh)
    _longjmp(scheduler_, 1);
  go_on();
}
void host_grid::wake(host_fibre *f) {
  if (f == current_)
    return;
  f->at = state::ready;
  ready_.push_back(f);
}

uint32_t host_machine::block() const { return block_->index; }
uint32_t host_machine::num_threads() const { return grid_->threads_; }
uint32_t host_machine::num_blocks() const { return grid_->num_blocks_; }
void host_machine::yield() const { grid_->leave(host_fibre::state::ready); }

uint32_t host_machine::team_rank() const { return block_->index % grid_->team_; }
uint32_t host_machine::team_size() const { return grid_->team_; }
void host_machine::team_arrive() const {
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
void host_machine::team_wait() const {
  if (grid_->planted_.drop_team_wait)
    return yield();
  host_team &t = *block_->team;
  if (t.phases >= team_arrivals_)
    return yield();
  t.waiting.push_back(grid_->current_);
  grid_->leave(host_fibre::state::waiting);
}
void *host_machine::shared_of_teammate(void *shared, uint32_t rank) const {
  yield();
  const uint32_t index = block_->index - team_rank() + rank;
  const auto offset = static_cast<const char *>(shared) - block_->shared_begin;
  for (const auto &b : grid_->blocks_)
    if (b->index == index)
      return b->shared_begin + offset;
  grid_->complain("a teammate's shared memory is gone");
  return shared;
}

void host_machine::wait_for_copies() const {
  if (grid_->planted_.drop_copy_wait)
    return;
  for (const pending_copy &c : copies_)
    std::memcpy(c.to, c.from, c.bytes);
  copies_.clear();
}

void host_machine::warp_sync() const {
  if (!grid_->planted_.drop_warp_sync)
    exchange('w', 0);
}

bool host_machine::drops_fence() const { return grid_->planted_.drop_fence; }
void host_machine::add_late(std::function<void()> add) const {
  grid_->current_->late.push_back(std::move(add));
}

void host_machine::store_word(uint32_t *word, uint32_t value) const {
  yield();
  if (grid_->planted_.torn_words) {
    *word = (value & 0xc0000000u) | (*word & 0x3fffffffu);
    yield();
  }
  *word = value;
}

void host_machine::block_sync() const {
  if (grid_->planted_.drop_block_sync)
    return yield();
  if (++block_->arrived < grid_->threads_)
    return grid_->leave(host_fibre::state::waiting);
  block_->arrived = 0;
  for (host_fibre &f : block_->fibres)
    grid_->wake(&f);
  grid_->leave(host_fibre::state::ready);
}

uint32_t host_machine::ballot(bool predicate) const {
  const uint64_t *values = exchange('b', predicate);
  uint32_t result = 0;
  for (uint32_t l = 0; l < 32; ++l)
    result |= static_cast<uint32_t>(values[l]) << l;
  return result;
}
uint32_t host_machine::match(uint32_t value) const {
  const uint64_t *values = exchange('m', value);
  uint32_t result = 0;
  for (uint32_t l = 0; l < 32; ++l)
    result |= uint32_t{values[l] == value} << l;
  return result;
}
uint32_t host_machine::largest(uint32_t value) const {
  const uint64_t *values = exchange('l', value);
  uint32_t result = 0;
  for (uint32_t l = 0; l < 32; ++l)
    result = values[l] > result ? static_cast<uint32_t>(values[l]) : result;
  return result;
}

const uint64_t *host_machine::exchange(char operation, uint64_t value) const {
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
    grid_->wake(&block_->fibres[warp() * 32 + l]);
  grid_->leave(host_fibre::state::ready);
  return w.out;
}

} // namespace colonnade::testing
