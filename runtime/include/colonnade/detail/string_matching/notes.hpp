//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// notes.hpp: what a warp notes of the matches in its segment, row by row, and how they are written
// from that.
//
// In: the matches of rows; then, how many are before the segment. Out: positions. Invariant: a row
// is noted as a list of its matches, 16 bits each, or, where that would be longer, as a bit for
// each of its windows; so a segment's notes are at most an eighth of a byte a window, and nothing
// is matched twice. Rows lie behind each other; their numbers of matches say where and as what.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/block_scan.hpp>
#include <colonnade/detail/string_matching/job.hpp>
#include <colonnade/detail/string_matching/text.hpp>

namespace colonnade::detail {

/// Of rows of 32 * Windows windows.
template <uint32_t Windows> struct row_notes {
  static constexpr uint32_t windows = 32 * Windows, units = windows / 16; // at most, of 16 bits
  static constexpr uint32_t stored = units + 1;                           // and the number

  COLONNADE_KERNEL_CODE static uint32_t units_of(uint32_t matches) {
    return matches < units ? matches : units;
  }
};

/// The notes of one segment, of `rows` rows: their numbers of matches, which are not written if no
/// row has any, and behind them the units.
struct segment_notes {
  uint16_t *row_counts;
  uint32_t rows;
  COLONNADE_KERNEL_CODE uint16_t *units() const { return row_counts + rows; }
};

/// What a segment's counter holds: its number of matches, and whether a row has bits.
struct noted_count {
  static constexpr uint32_t has_bits = 1u << 31;
  COLONNADE_KERNEL_CODE static uint32_t matches(uint32_t counter) { return counter & ~has_bits; }
};

/// Notes rows, which ascend; called by all lanes. Between two calls all lanes have the same.
template <uint32_t Windows, class Machine> class note_taker {
  using row = row_notes<Windows>;

public:
  COLONNADE_KERNEL_CODE note_taker(const Machine &machine, const segment_notes &notes)
      : machine_(machine), notes_(notes) {}

  /// Bit i: at window begin + i of the segment.
  COLONNADE_KERNEL_CODE void add(uint32_t begin, uint32_t matches) {
    const uint32_t lanes = machine_.ballot(matches != 0);
    if (lanes == 0)
      return;
    if (used_ == 0) { // the first row with matches
      for (uint32_t r = machine_.lane(); r < notes_.rows; r += 32)
        notes_.row_counts[r] = 0;
      machine_.warp_sync();
    }
    if (machine_.count_ones(lanes) <= row::units &&
        machine_.ballot((matches & (matches - 1)) != 0) == 0)
      return put_singly(begin, matches, lanes);
    const uint32_t sum = warp_inclusive_sum(machine_, machine_.count_ones(matches)),
                   all = machine_.shuffle(sum, 31);
    if (machine_.lane() == 0)
      notes_.row_counts[begin / row::windows] = static_cast<uint16_t>(all);
    if (all > row::units) {
      put_bits(matches);
    } else {
      uint16_t *to = notes_.units() + used_ + (sum - machine_.count_ones(matches));
      for (uint32_t rest = matches; rest; rest &= rest - 1)
        *to++ = static_cast<uint16_t>(begin + machine_.first_one(rest));
    }
    used_ += row::units_of(all);
    found_ += all;
  }
  COLONNADE_KERNEL_CODE uint32_t counter() const {
    return found_ == used_ ? found_ : found_ | noted_count::has_bits;
  }

private:
  /// Where no lane has more than one, the lanes that have it say where it goes: nothing is added
  /// up from lane to lane.
  COLONNADE_KERNEL_CODE void put_singly(uint32_t begin, uint32_t matches, uint32_t lanes) {
    const uint32_t all = machine_.count_ones(lanes),
                   before = machine_.count_ones(lanes & ((1u << machine_.lane()) - 1));
    if (machine_.lane() == 0)
      notes_.row_counts[begin / row::windows] = static_cast<uint16_t>(all);
    if (matches)
      notes_.units()[used_ + before] = static_cast<uint16_t>(begin + machine_.first_one(matches));
    used_ += all;
    found_ += all;
  }
  COLONNADE_KERNEL_CODE void put_bits(uint32_t matches) const {
    uint16_t *const to = notes_.units() + used_;
    if constexpr (Windows == 16)
      to[machine_.lane()] = static_cast<uint16_t>(matches);
    else
      reinterpret_cast<uint8_t *>(to)[machine_.lane()] = static_cast<uint8_t>(matches);
    static_assert(Windows == 16 || Windows == 8);
  }

  const Machine &machine_;
  const segment_notes notes_;
  uint32_t used_ = 0, found_ = 0;
};

/// Where the matches of so many rows are put in order, in shared memory, of a warp. Two of every 66
/// entries stay free: so lanes that are 16, 32 or 64 entries apart write to different banks.
template <uint32_t Rows = 1> struct row_stage {
  static constexpr uint32_t line = 16; // positions in 128 bytes

  alignas(4) uint16_t entries[(512 * Rows + line) / 64 * 66 + 66];

  COLONNADE_KERNEL_CODE static uint32_t place(uint32_t i) { return i + i / 64 * 2; }
  /// Of a lane with 16 * Units windows: the number of each bit that is set, ascending up to entry
  /// `end`. All lanes have read what was there before, and see it afterwards.
  template <uint32_t Units = 1, class Machine>
  COLONNADE_KERNEL_CODE void put(const Machine &machine, uint32_t bits, uint32_t end) {
    static_assert(Units <= 2 && Units <= Rows);
    const uint32_t first = 16 * Units * machine.lane();
    while (bits) {
      const uint32_t last = highest_bit(bits); // one instruction; the first one takes two
      bits ^= 1u << last;
      entries[place(--end)] = static_cast<uint16_t>(first + last);
    }
    machine.warp_sync();
  }
  /// Of two entries, the first of which is even: one in each half.
  COLONNADE_KERNEL_CODE uint32_t two(uint32_t i) const {
    const uint16_t *const from = entries + place(i);
#if defined(__CUDA_ARCH__)
    return *reinterpret_cast<const uint32_t *>(from);
#else
    return from[0] | uint32_t{from[1]} << 16;
#endif
  }
};

/// Writes positions by a warp. Staged: rows of bits go through shared memory, and are then written
/// in order, two positions a lane, so that a warp writes whole lines; else each lane writes its
/// own, and there is no stage.
template <bool Staged, class Machine> class position_writer {
public:
  static constexpr uint32_t rows_together = 2;
  using stage_type = row_stage<rows_together>;

  /// stages: one for each warp of the block.
  COLONNADE_KERNEL_CODE position_writer(const Machine &machine, const matching_job &job,
                                        stage_type *stages)
      : machine_(machine), job_(job), stage_(Staged ? stages + machine.warp() : nullptr) {}

  COLONNADE_KERNEL_CODE void put(uint64_t place, uint64_t position) const {
    if (place < job_.capacity)
      job_.positions[place] = position;
  }
  /// Of a row of `count` matches, one a lane, each `unit` behind the position.
  COLONNADE_KERNEL_CODE void put_list(uint64_t place, uint64_t position, uint32_t unit,
                                      uint32_t count) const {
    if (machine_.lane() < count)
      put(place + machine_.lane(), position + unit);
  }
  /// Of rows: a lane has 16 * Units windows, bit i is that of its i-th; the first lane's first one
  /// is at the position. The first match is written to `place`. The number of matches.
  template <uint32_t Units>
  COLONNADE_KERNEL_CODE uint32_t put_bits(uint64_t place, uint64_t position, uint32_t bits) const {
    const uint32_t mine = machine_.count_ones(bits), sum = warp_inclusive_sum(machine_, mine),
                   count = machine_.shuffle(sum, 31);
    if (place >= job_.capacity)
      return count;
    if constexpr (!Staged) {
      position += 16 * Units * machine_.lane();
      place += sum - mine;
      for (uint32_t rest = bits; rest; rest &= rest - 1)
        put(place++, position + machine_.first_one(rest));
    } else {
      uint64_t *const to = job_.positions + place;
      const auto skipped =
          static_cast<uint32_t>(reinterpret_cast<uintptr_t>(to) / sizeof *to) % stage_type::line;
      const uint64_t room = job_.capacity - place;
      const uint32_t end = skipped + (room < count ? static_cast<uint32_t>(room) : count);
      if (count == 512 * Units) { // in order as they are
        write_lines(to - skipped, position - skipped, skipped, end,
                    [](uint32_t i) { return i | (i + 1) << 16; });
      } else {
        stage_->template put<Units>(machine_, bits, skipped + sum);
        write_lines(to - skipped, position, skipped, end,
                    [this](uint32_t i) { return stage_->two(i); });
        machine_.warp_sync(); // all have read
      }
    }
    return count;
  }

private:
  /// Entries [begin, end); the line begins at `to`. two(i): how far they are behind the position,
  /// that of entry i in the lower half, that of the next one in the higher.
  template <class Two>
  COLONNADE_KERNEL_CODE void write_lines(uint64_t *to, uint64_t position, uint32_t begin,
                                         uint32_t end, Two two) const {
    for (uint32_t i = 2 * machine_.lane(); i < end; i += 64) {
      const uint32_t entries = two(i);
      const uint64_t first = position + (entries & 0xffff), second = position + (entries >> 16);
      if (i >= begin && i + 1 < end)
        write_two(to + i, first, second);
      else if (i >= begin)
        to[i] = first;
      else if (i + 1 == begin && begin < end)
        to[i + 1] = second;
    }
  }
  /// To a multiple of 16.
  COLONNADE_KERNEL_CODE static void write_two(uint64_t *to, uint64_t first, uint64_t second) {
#if defined(__CUDA_ARCH__)
    *reinterpret_cast<ulonglong2 *>(to) = make_ulonglong2(first, second);
#else
    to[0] = first, to[1] = second;
#endif
  }

  const Machine &machine_;
  const matching_job &job_;
  stage_type *const stage_;
};

/// Rows of a segment that are written together: one, or two that are noted as bits.
struct noted_rows {
  uint32_t number, rows, matches, before; // before: matches << 16 | units
  uint32_t bits;                          // this lane's, or its unit of a list
};

/// Writes the matches of a segment, of which some rows are noted as bits, by put_bits and put_list,
/// as position_writer has them, called by all lanes.
template <uint32_t Windows, class Machine, class Writer> class row_writer {
  using row = row_notes<Windows>;
  static constexpr uint32_t together = Writer::rows_together;
  static_assert(together == 1 || together == 2);

public:
  COLONNADE_KERNEL_CODE row_writer(const Machine &machine, Writer &writer)
      : machine_(machine), writer_(writer) {}

  /// position: of the segment's first window.
  COLONNADE_KERNEL_CODE void write(const segment_notes &notes, uint64_t position,
                                   uint64_t place) const {
    const uint16_t *units = notes.units();
    for (uint32_t first = 0; first < notes.rows; first += 32) {
      const uint32_t r = first + machine_.lane(),
                     matches = r < notes.rows ? notes.row_counts[r] : 0;
      const uint64_t at = position + uint64_t{first} * row::windows;
      const uint32_t all = together > 1 && machine_.ballot(matches <= row::units) == 0
                               ? write_bits(units, at, place)
                               : write_mixed(units, matches, position, at, place);
      place += all >> 16;
      units += all & 0xffff;
    }
  }

private:
  /// Of 32 rows, all of which are bits: their matches << 16 | units.
  COLONNADE_KERNEL_CODE uint32_t write_bits(const uint16_t *units, uint64_t position,
                                            uint64_t place) const {
    uint32_t all = 0, next = two_rows(units);
    if constexpr (together > 1)
      for (uint32_t r = 0; r < 32; r += 2) {
        const uint32_t bits = next;
        if (r + 2 < 32) // arrive while these are written
          next = two_rows(units + (r + 2) * row::units);
        all += writer_.template put_bits<2>(place + all, position + r * row::windows, bits);
      }
    return all << 16 | 32 * row::units;
  }
  /// Of 32 rows, of which lane r has the number of matches of row r.
  COLONNADE_KERNEL_CODE uint32_t write_mixed(const uint16_t *units, uint32_t matches,
                                             uint64_t position, uint64_t rows_at,
                                             uint64_t place) const {
    const uint32_t lane = machine_.lane(), mine = matches << 16 | row::units_of(matches),
                   sum = warp_inclusive_sum(machine_, mine);
    uint32_t asking = machine_.ballot(matches != 0), pairs = machine_.ballot(matches > row::units);
    pairs &= pairs >> 1;
    // The units of the next rows arrive while those of these are written.
    const auto take = [&] {
      const uint32_t leader = machine_.first_one(asking) % 32;
      noted_rows r{leader, 1, machine_.shuffle(matches, leader),
                   machine_.shuffle(sum - mine, leader), 0};
      const uint16_t *const from = units + (r.before & 0xffff);
      if (together > 1 && (pairs & asking) >> leader & 1) {
        r.rows = 2;
        r.bits = two_rows(from);
        asking &= ~(2u << leader);
      } else if (lane < row::units_of(r.matches)) {
        r.bits = from[lane];
      }
      asking &= asking - 1;
      return r;
    };
    noted_rows next = asking ? take() : noted_rows{};
    while (next.rows) {
      const noted_rows now = next;
      next = asking ? take() : noted_rows{};
      const uint64_t to = place + (now.before >> 16), at = rows_at + now.number * row::windows;
      if (now.matches <= row::units)
        writer_.put_list(to, position, now.bits, now.matches);
      else if (now.rows == 1)
        writer_.template put_bits<1>(to, at, now.bits);
      else if constexpr (together > 1)
        writer_.template put_bits<2>(to, at, now.bits);
    }
    return machine_.shuffle(sum, 31);
  }
  /// Two units a lane, of the lanes that have some.
  COLONNADE_KERNEL_CODE uint32_t two_rows(const uint16_t *units) const {
    const uint32_t lane = machine_.lane();
    return lane < row::units ? units[2 * lane] | uint32_t{units[2 * lane + 1]} << 16 : 0;
  }

  const Machine &machine_;
  Writer &writer_;
};

} // namespace colonnade::detail
