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

  /// Bit i: at window begin + i of the segment; any lane has some.
  COLONNADE_KERNEL_CODE void add(uint32_t begin, uint32_t matches) {
    if (used_ == 0) { // the first row with matches
      for (uint32_t r = machine_.lane(); r < notes_.rows; r += 32)
        notes_.row_counts[r] = 0;
      machine_.warp_sync();
    }
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

/// Where the matches of a row are put in order, in shared memory, of a warp. Two of every 66
/// entries stay free: so lanes that are 16 entries apart write to different banks.
struct row_stage {
  static constexpr uint32_t line = 16; // positions in 128 bytes

  alignas(4) uint16_t entries[(512 + line) / 64 * 66 + 66];

  COLONNADE_KERNEL_CODE static uint32_t place(uint32_t i) { return i + i / 64 * 2; }
  /// 16 * lane + i for each bit i of each lane, ascending, from entry `first` on. All lanes have
  /// read what was there before, and see it afterwards.
  template <class Machine>
  COLONNADE_KERNEL_CODE void put(const Machine &machine, uint32_t bits, uint32_t first) {
    const uint32_t mine = machine.count_ones(bits);
    uint32_t entry = first + warp_inclusive_sum(machine, mine) - mine;
    for (uint32_t rest = bits; rest; rest &= rest - 1)
      entries[place(entry++)] =
          static_cast<uint16_t>(16 * machine.lane() + machine.first_one(rest));
    machine.warp_sync();
  }
};

/// Writes positions by a warp. Staged: rows of bits go through shared memory, and are then written
/// in order, two positions a lane, so that a warp writes whole lines; else each lane writes its
/// own, and there is no stage.
template <bool Staged, class Machine> class position_writer {
public:
  /// stages: one for each warp of the block.
  COLONNADE_KERNEL_CODE position_writer(const Machine &machine, const matching_job &job,
                                        row_stage *stages)
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
  /// Of a row of `count` matches: bit i is at position + 16 * lane + i; the first one is written
  /// to `place`.
  COLONNADE_KERNEL_CODE void put_bits(uint64_t place, uint64_t position, uint32_t bits,
                                      uint32_t count) const {
    if constexpr (!Staged) {
      const uint32_t mine = machine_.count_ones(bits);
      position += 16 * machine_.lane();
      place += warp_inclusive_sum(machine_, mine) - mine;
      for (uint32_t rest = bits; rest; rest &= rest - 1)
        put(place++, position + machine_.first_one(rest));
    } else {
      if (place >= job_.capacity)
        return;
      uint64_t *const to = job_.positions + place;
      const auto skipped =
          static_cast<uint32_t>(reinterpret_cast<uintptr_t>(to) / sizeof *to) % row_stage::line;
      stage_->put(machine_, bits, skipped);
      const uint64_t room = job_.capacity - place;
      write_stage(to - skipped, position, skipped,
                  skipped + (room < count ? static_cast<uint32_t>(room) : count));
      machine_.warp_sync(); // all have read
    }
  }

private:
  /// Entries [begin, end); the line begins at `to`.
  COLONNADE_KERNEL_CODE void write_stage(uint64_t *to, uint64_t position, uint32_t begin,
                                         uint32_t end) const {
    for (uint32_t i = 2 * machine_.lane(); i < end; i += 64) {
      const uint16_t *const pair = stage_->entries + row_stage::place(i);
      if (i >= begin && i + 1 < end)
        write_two(to + i, position + pair[0], position + pair[1]);
      else if (i >= begin)
        to[i] = position + pair[0];
      else if (i + 1 == begin && begin < end)
        to[i + 1] = position + pair[1];
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
  row_stage *const stage_;
};

/// Writes the matches of a segment, of which some rows are noted as bits, by put_bits and put_list,
/// as position_writer has them, called by all lanes. position: of the segment's first window.
template <uint32_t Windows, class Machine, class Writer>
COLONNADE_KERNEL_CODE void write_rows(const Machine &machine, const segment_notes &notes,
                                      Writer &writer, uint64_t position, uint64_t place) {
  using row = row_notes<Windows>;
  struct noted_row {
    uint32_t number, matches, before; // before: matches << 16 | units
    uint32_t unit;                    // this lane's
  };
  const uint32_t lane = machine.lane();
  const uint16_t *units = notes.units();
  for (uint32_t first = 0; first < notes.rows; first += 32) {
    const uint32_t matches = first + lane < notes.rows ? notes.row_counts[first + lane] : 0,
                   mine = matches << 16 | row::units_of(matches),
                   sum = warp_inclusive_sum(machine, mine);
    // The units of the next row arrive while those of this one are written.
    const auto get = [&](uint32_t asking) {
      const uint32_t leader = machine.first_one(asking) % 32;
      noted_row r{first + leader, machine.shuffle(matches, leader),
                  machine.shuffle(sum - mine, leader), 0};
      if (asking && lane < row::units_of(r.matches))
        r.unit = units[(r.before & 0xffff) + lane];
      return r;
    };
    uint32_t asking = machine.ballot(matches != 0);
    noted_row next = get(asking);
    while (asking) {
      const noted_row now = next;
      asking &= asking - 1;
      next = get(asking);
      const uint64_t to = place + (now.before >> 16);
      if (now.matches > row::units)
        writer.put_bits(to, position + uint64_t{now.number} * row::windows, now.unit, now.matches);
      else
        writer.put_list(to, position, now.unit, now.matches);
    }
    const uint32_t all = machine.shuffle(sum, 31);
    place += all >> 16;
    units += all & 0xffff;
  }
}

} // namespace colonnade::detail
