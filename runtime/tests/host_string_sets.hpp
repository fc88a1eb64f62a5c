//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_string_sets.hpp: sets of patterns on the host: the kernels' code under random schedules,
// with planted faults.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_machine.hpp"
#include "string_set_cases.hpp"
#include "text_watch.hpp"

#include <colonnade/detail/string_matching/sets/anchored_results.hpp>
#include <colonnade/detail/string_matching/sets/build.hpp>
#include <colonnade/detail/string_matching/sets/build_anchors.hpp>
#include <colonnade/detail/string_matching/sets/build_resident.hpp>
#include <colonnade/detail/string_matching/sets/frequency.hpp>
#include <colonnade/detail/string_matching/sets/resident_results.hpp>
#include <colonnade/detail/string_matching/sets/results.hpp>
#include <colonnade/detail/string_matching/sets/sums.hpp>
#include <colonnade/string_matching_sets_tuning.hpp>

namespace colonnade::testing {

struct string_set_faults {
  faults machine;
  bool no_neighbour = false;  // a lane's windows do not begin in the bytes of the lane before
  bool lost_word = false;     // a word that the filters have is missing
  bool lost_pair = false;     // the filter of pairs has nothing
  bool lost_four = false;     // the filter of first four bytes has nothing
  bool lost_place = false;    // keys in shared memory are looked for elsewhere
  bool lost_short = false;    // a short pattern has one pattern less
  bool lost_run = false;      // patterns that are one byte again and again are not counted
  bool moved_anchor = false;  // anchors are elsewhere in their members
  bool other_byte = false;    // what is compared around anchors differs in its first byte
  bool lost_chain = false;    // chains behind others with one anchor are not looked at
  bool lost_step = false;     // a step among members with one beginning is missing
  bool stale_counter = false; // of segments: one is taken already
  bool lost_prefixes = false; // members do not know which others are their prefixes
  bool lost_segment = false;  // the text's last one
  bool lost_tail = false;     // the text's last byte
};

class host_set_machine : public host_machine {
public:
  host_set_machine(const host_machine &machine, const string_set_faults &planted)
      : host_machine(machine), planted_(planted) {}
  template <class T> T shuffle(T value, uint32_t from) const {
    const T other = host_machine::shuffle(value, from);
    return planted_.no_neighbour && from == lane() + 31 ? value : other;
  }

private:
  string_set_faults planted_;
};

/// A block has two warps, a segment two steps of two rows. Filters are so small that some other
/// words pass.
struct small_set_tuning {
  static constexpr string_set_tuning value{64, 2, 1, 40, 1, 64, 40, 64, 64};
};

struct host_set_matches {
  uint64_t count = 0, number = 0;
  std::vector<uint64_t> each;
  std::vector<set_match> matches; // as many as there is room for
  device_status status;
  std::string complaints;
};

class host_set_matching {
public:
  /// misaligned: by so many bytes the text begins after a multiple of 16; there are others around
  /// it, which continue matches.
  host_set_matching(const string_set_case &c, uint32_t misaligned, unsigned seed,
                    const string_set_faults &planted = {})
      : seed_(seed), planted_(planted), built_(c.given().data(), count_of(c), c.fold_case),
        resident_(built_.keys, built_.tables.key_lengths, built_.tables.fold),
        anchored_(built_, seed % 2 ? 0 : detail::anchor_builder::most_few),
        text_(c.text.size() + 64) {
    uint8_t *const text = aligned(text_) + 16 + misaligned;
    for (uint64_t i = 0; i < text_.size(); ++i)
      text_[i] = c.patterns[0][i % c.patterns[0].size()];
    std::copy(c.text.begin(), c.text.end(), text);
    if (planted.lost_prefixes)
      for (detail::set_member &m : built_.members)
        m.parent = m.jump = detail::no_member;
    if (planted.lost_step)
      for (detail::set_step &step : built_.steps)
        step.length_depth = 0;
    job_.text = text;
    watch_ = {text_, text, c.text.size()};
    job_.num_items = c.text.size() - planted.lost_tail;
    job_.set = built_.tables;
    job_.set.keys = built_.keys.data();
    job_.set.steps = built_.steps.data();
    job_.set.members = built_.members.data();
    job_.set.lists = built_.lists.data();
    job_.set.bytes = built_.bytes.data();
    if (planted.lost_pair) {
      resident_.pairs.assign(resident_.pairs.size(), 0);
      anchored_.keys.pairs.assign(anchored_.keys.pairs.size(), 0);
    }
    if (planted.lost_four)
      anchored_.beginnings.assign(anchored_.beginnings.size(), 0);
    if (planted.lost_place)
      for (uint8_t &displacement : resident_.displacements)
        ++displacement;
    job_.set.resident = {resident_.pairs.data(),   resident_.displacements.data(),
                         resident_.counted.data(), resident_.members.data(),
                         resident_.multipliers,    resident_.has_undecided};
    for (detail::set_anchor &anchor : anchored_.anchors) {
      anchor.offset += planted.moved_anchor;
      anchor.bytes[0] ^= planted.other_byte;
      anchor.follows &= !planted.lost_chain;
    }
    if (planted.lost_run)
      anchored_.runs.word = 0;
    if (has_short_anchored())
      anchored_.shorts[0].patterns[0].count -= planted.lost_short;
    job_.set.anchored = {anchored_.anchors.data(), anchored_.beginnings.data(),
                         anchored_.shorts.data(),  &anchored_.runs,
                         anchored_.kind,           anchored_.are_few};
    job_.set.anchor_keys = {anchored_.keys.pairs.data(),   anchored_.keys.displacements.data(),
                            anchored_.keys.counted.data(), nullptr,
                            anchored_.keys.multipliers,    0};
    job_.is_frequent = &is_frequent_;
    job_.rounds = rounds;
    const uint64_t segment_bytes = rounds * 2 * detail::row_bytes;
    job_.num_segments =
        (job_.num_items + 15 + detail::resident_before + segment_bytes - 1) / segment_bytes -
        planted.lost_segment;
  }

  /// Whether the set has keys for shared memory.
  bool has_resident() const { return !resident_.displacements.empty(); }

  bool has_anchors() const { return !anchored_.anchors.empty(); }
  detail::anchor_kind kind_of_anchors() const { return anchored_.kind; }

  /// How many matches there are by anchors.
  host_set_matches count_by_anchors() {
    host_set_matches found;
    complaints_.clear();
    job_.num_matches = &found.count;
    using enum detail::anchor_kind;
    if (anchored_.kind == eights)
      run_anchored<eights, detail::resident_keys>();
    else if (anchored_.kind == longer)
      anchored_.are_few ? run_anchored<longer, detail::few_keys>()
                        : run_anchored<longer, detail::resident_keys>();
    else
      anchored_.are_few ? run_anchored<mixed, detail::few_keys>()
                        : run_anchored<mixed, detail::resident_keys>();
    found.complaints = complaints_;
    return found;
  }
  /// By filters, or by keys in shared memory.
  host_set_matches match(uint64_t capacity, bool resident = false) {
    is_frequent_ = resident;
    complaints_.clear();
    if (resident)
      return match_by(capacity, [this](auto result) { run_resident<decltype(result)::value>(); });
    // So small, and halved, that some other words pass.
    if (!built_.has_short)
      return match_kind<detail::set_filters<7, 6, 0>>(capacity);
    if (built_.has_long)
      return match_kind<detail::set_filters<7, 5, 4>>(capacity);
    return match_kind<detail::set_filters<0, 0, 4>>(capacity);
  }
  /// Whether so many of the sampled positions have a key, or are in words that pass.
  bool is_frequent(uint32_t least, bool words = false) {
    const std::vector<uint32_t> filters = built_.filters<detail::long_filters>();
    job_.set.filters = filters.data();
    job_.samples_words = words;
    job_.least_frequent = least;
    is_frequent_ = 2;
    run<uint32_t>(1, threads, [&](const auto &machine, uint32_t &hits) {
      detail::sample_frequency(machine, job_, hits);
    });
    return is_frequent_ == 1 && complaints_.empty();
  }

private:
  template <detail::set_result Result>
  using result_of = std::integral_constant<detail::set_result, Result>;

  static constexpr uint32_t threads = small_set_tuning::value.threads, rounds = 2;
  static constexpr uint64_t poison = 0xa5a5a5a5a5a5a5a5u;

  static uint32_t count_of(const string_set_case &c) {
    return static_cast<uint32_t>(c.patterns.size());
  }
  static uint8_t *aligned(std::vector<uint8_t> &bytes) {
    const uintptr_t at = reinterpret_cast<uintptr_t>(bytes.data());
    return bytes.data() + (16 - at % 16) % 16;
  }
  template <class Storage, class Body>
  void run(uint32_t blocks, uint32_t block_threads, Body body) {
    host_grid grid(seed_++, 3, planted_.machine);
    watch_.begin();
    grid.run(blocks, block_threads, sizeof(Storage),
             [&](const host_machine &machine, char *shared) {
               const host_set_machine here(machine, planted_);
               body(here, *reinterpret_cast<Storage *>(shared));
             });
    complaints_ += grid.all_complaints() + text_watch::ended();
  }
  /// Blocks that walk through three segments, about.
  template <class Memory, class Body> void run_warps(Body body) {
    uint64_t next_segment = planted_.stale_counter;
    job_.next_segment = &next_segment;
    run<Memory>(static_cast<uint32_t>(job_.num_segments + 5) / 6, threads, body);
  }
  template <class Filters, detail::set_result Result> void run_filters() {
    run_warps<detail::set_memory<small_set_tuning, Filters>>(
        [&](const auto &machine, auto &memory) {
          detail::fill_filters<1>(machine, job_.set, memory.filters);
          detail::set_warps<small_set_tuning, Filters, host_set_machine>(machine, job_, memory)
              .template search<Result>();
        });
  }
  template <detail::set_result Result> void run_resident() {
    run_warps<detail::resident_memory<small_set_tuning>>([&](const auto &machine, auto &memory) {
      detail::fill_resident(machine, job_.set.resident, Result == detail::set_result::each,
                            memory.block);
      detail::resident_warps<small_set_tuning, host_set_machine>(machine, job_, memory)
          .template search<Result>();
    });
  }

  template <detail::anchor_kind Kind, class Keys> void run_anchored() {
    run_warps<detail::anchored_memory<small_set_tuning, Kind, Keys>>([&](const auto &machine,
                                                                         auto &memory) {
      detail::fill_anchored(machine, job_.set, memory.block);
      detail::anchored_warps<small_set_tuning, Kind, Keys, host_set_machine>(machine, job_, memory)
          .count();
    });
  }
  bool has_short_anchored() const { return has_anchors() && anchored_.has_short(); }

  template <class Filters> host_set_matches match_kind(uint64_t capacity) {
    std::vector<uint32_t> filters = built_.filters<Filters>();
    if (planted_.lost_word)
      *std::find_if(filters.begin(), filters.end(), [](uint32_t w) { return w != 0; }) = 0;
    job_.set.filters = filters.data();
    return match_by(capacity,
                    [this](auto result) { run_filters<Filters, decltype(result)::value>(); });
  }
  /// search(result_of<...>): by all blocks.
  template <class Search> host_set_matches match_by(uint64_t capacity, Search search) {
    host_set_matches found;
    job_.num_matches = &found.count;
    search(result_of<detail::set_result::count>{});
    tally(found, search);
    list(found, capacity, search);
    found.complaints = complaints_;
    return found;
  }
  template <class Search> void tally(host_set_matches &found, Search search) {
    std::vector<uint64_t> members(detail::tally_copies * job_.set.num_members);
    found.each.assign(job_.set.num_patterns, 0);
    job_.num_matches = found.each.data();
    job_.member_counts = members.data();
    search(result_of<detail::set_result::each>{});
    run<uint64_t>((job_.set.num_members + 1) / 2, threads,
                  [&](const auto &machine, auto &) { detail::share_tally(machine, job_); });
  }
  template <class Search> void list(host_set_matches &found, uint64_t capacity, Search search) {
    const uint64_t segments = job_.num_segments, row_units = detail::row_notes<16>::stored;
    std::vector<uint32_t> matches(segments, 0xa5a5a5a5u), noted(segments, 0xa5a5a5a5u);
    std::vector<uint16_t> slots(segments * rounds * 2 * row_units, 0xa5a5u);
    std::vector<uint64_t> groups((segments + 31) / 32, poison), positions(capacity + 1, poison);
    std::vector<uint32_t> patterns(capacity + 1, 0xa5a5a5a5u);
    job_.num_matches = &found.number;
    job_.positions = positions.data();
    job_.patterns = patterns.data();
    job_.capacity = capacity;
    job_.status = &found.status;
    job_.segment_matches = matches.data();
    job_.segment_positions = noted.data();
    job_.slots = slots.data();
    job_.groups = groups.data();
    search(result_of<detail::set_result::matches>{});
    run<detail::block_offsets_storage<uint64_t, threads>>(
        1, threads, [&](const auto &machine, auto &shared) {
          detail::place_groups<threads>(machine, job_, shared);
        });
    run<detail::set_stages<small_set_tuning>>(
        static_cast<uint32_t>(segments + 5) / 6, threads, [&](const auto &machine, auto &shared) {
          detail::set_write_warps<small_set_tuning, host_set_machine>(machine, job_, shared)
              .write();
        });
    if (positions[capacity] != poison || patterns[capacity] != 0xa5a5a5a5u)
      complaints_ += "written beyond the matches\n";
    for (uint64_t i = 0; i < std::min(capacity, found.number); ++i)
      found.matches.push_back({positions[i], patterns[i]});
  }

  unsigned seed_;
  const string_set_faults planted_;
  detail::set_builder built_;
  detail::resident_builder resident_;
  detail::anchor_builder anchored_;
  uint32_t is_frequent_ = 0;
  std::vector<uint8_t> text_;
  text_watch watch_;
  detail::set_job job_{};
  std::string complaints_;
};

inline std::string wrong_set_result(const string_set_case &c, const std::vector<set_match> &right,
                                    const host_set_matches &found, uint64_t capacity) {
  if (!found.complaints.empty())
    return found.complaints;
  if (found.count != right.size() || found.number != right.size())
    return "number";
  std::vector<uint64_t> each(c.patterns.size());
  for (const set_match &m : right)
    ++each[m.pattern];
  if (found.each != each)
    return "number of each";
  const auto room = static_cast<int64_t>(std::min<uint64_t>(capacity, right.size()));
  if (found.matches != std::vector<set_match>(right.begin(), right.begin() + room))
    return "matches";
  const bool told =
      found.status.error() == data_error::buffer_too_small && found.status.detail() == right.size();
  return (right.size() > capacity ? told : found.status.ok()) ? "" : "status";
}

/// Empty if right, by filters, and by anchors and by keys in shared memory if the set has them.
inline std::string wrong_set_matches(const string_set_case &c, uint32_t misaligned,
                                     uint64_t capacity, unsigned seed,
                                     const string_set_faults &planted = {}) {
  const std::vector<set_match> right = naive_matches(c);
  host_set_matching matching(c, misaligned, seed, planted);
  const std::string wrong = wrong_set_result(c, right, matching.match(capacity), capacity);
  if (!wrong.empty())
    return wrong;
  if (matching.has_anchors()) {
    const host_set_matches found = matching.count_by_anchors();
    if (!found.complaints.empty() || found.count != right.size())
      return "anchors: " + found.complaints;
  }
  if (!matching.has_resident())
    return "";
  const std::string wrong_resident =
      wrong_set_result(c, right, matching.match(capacity, true), capacity);
  return wrong_resident.empty() ? "" : "keys in shared memory: " + wrong_resident;
}

} // namespace colonnade::testing
