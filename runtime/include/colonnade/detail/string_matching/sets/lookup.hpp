//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lookup.hpp: which patterns of a set begin at a position.
//
// In: a position. Out: the longest member that begins there; its list is all of them. Invariant: no
// byte outside of the text is read; the same answer whatever the filters let through.
//
// Any member that begins there is a prefix of the text from there on. Of those with the same first
// 8 bytes, the last one that is not greater than the text has all of them among its chain; how many
// bytes it has in common with the text says which of the chain is the longest.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/sets/job.hpp>
#include <colonnade/detail/string_matching/text.hpp>

namespace colonnade::detail {

struct found_member {
  uint32_t member = no_member;
  uint32_t count = 0; // of its list
};

/// What a lane was told last, if the first 8 bytes alone decided it: in a run of one character, the
/// most frequent of all repetitions, it is told so again.
struct told_last {
  uint64_t bytes = 0;
  found_member found;
  bool decided = false;
};

/// What the first 8 bytes from a position on say.
struct first_look {
  static constexpr uint32_t none = ~0u;
  found_member found;      // if there is nothing else to compare
  uint32_t members = none; // else: the first and the last one with these bytes, 16 bits each
};

template <class Machine> class set_lookup {
public:
  COLONNADE_KERNEL_CODE set_lookup(const set_job &job)
      : set_(job.set), num_items_(job.num_items), text_(job.text, job.num_items) {}

  /// None at positions beyond the text's end.
  COLONNADE_KERNEL_CODE first_look look(uint64_t position, told_last &last) const {
    if (position >= num_items_)
      return {};
    const uint64_t bytes = first_bytes(position), left = num_items_ - position;
    if (last.decided && bytes == last.bytes && left >= 8)
      return {last.found};
    const set_key key = longest_key(bytes, left);
    if (key.length != 0 && key.count == 0)
      return {{}, key.first | uint32_t{key.last} << 16};
    last = {bytes, {key.first, key.count}, left >= 8};
    return {last.found};
  }
  /// Of members with the first 8 bytes that the text has from the position on.
  COLONNADE_KERNEL_CODE found_member longest_of(uint32_t members, uint64_t position) const {
    const uint64_t left = num_items_ - position;
    uint32_t same = 8;
    const uint32_t member = last_not_greater(members & 0xffff, members >> 16, position, left, same);
    return ancestor(member, position, left, same);
  }
  COLONNADE_KERNEL_CODE found_member longest(uint64_t position, told_last &last) const {
    const first_look look = this->look(position, last);
    return look.members == first_look::none ? look.found : longest_of(look.members, position);
  }
  COLONNADE_KERNEL_CODE found_member longest(uint64_t position) const {
    told_last nothing;
    return longest(position, nothing);
  }
  COLONNADE_KERNEL_CODE const uint16_t *list(uint32_t member) const {
    return set_.lists + set_.members[member].list;
  }

private:
  COLONNADE_KERNEL_CODE uint32_t lower(uint32_t word) const {
    return set_.fold ? folded(word, set_.fold) : word;
  }
  /// Eight, those beyond the text's end being 0.
  COLONNADE_KERNEL_CODE uint64_t first_bytes(uint64_t position) const {
    const uint64_t offset = text_.begin + position, aligned = offset & ~uint64_t{3};
    const bool inside = position >= 3 && num_items_ - position >= 12;
    const uint32_t by = offset % 4;
    uint32_t word[3];
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < 3; ++i)
      word[i] = inside ? aligned_word(text_.at(aligned + 4 * i)) : text_.word(aligned + 4 * i);
    return lower(window_of(word[0], word[1], by)) | uint64_t{lower(window_of(word[1], word[2], by))}
                                                        << 32;
  }
  /// Of a text with these bytes and so many left; a free one with no member if there is none.
  COLONNADE_KERNEL_CODE set_key longest_key(uint64_t bytes, uint64_t left) const {
    uint32_t lengths = set_.key_lengths;
    if (left < 8)
      lengths &= ~0u << (8 - left);
    for (; lengths; lengths &= lengths - 1) {
      const uint32_t length = 8 - Machine::first_one(lengths);
      const set_key key = find(bytes & ~uint64_t{0} >> 8 * (8 - length), length);
      if (key.length != 0)
        return key;
    }
    return {0, no_member, no_member, 0, 0};
  }
  COLONNADE_KERNEL_CODE set_key find(uint64_t bytes, uint32_t length) const {
    const uint32_t last = ~0u >> set_.key_shift;
    for (uint32_t at = hash_of_key(bytes, length) >> set_.key_shift;; at = (at + 1) & last) {
      const set_key key = set_.keys[at];
      if (key.length == 0 || (key.bytes == bytes && key.length == length))
        return key;
    }
  }
  /// Of the members `low` to `high` of a key of 8 bytes; the first one if all are greater. Sets
  /// `same` to how many bytes, at least, that one has in common with the text.
  COLONNADE_KERNEL_CODE uint32_t last_not_greater(uint32_t low, uint32_t high, uint64_t position,
                                                  uint64_t left, uint32_t &same) const {
    uint32_t high_same = 8;
    while (low < high) {
      const uint32_t middle = (low + high + 1) / 2, length = set_.members[middle].length();
      // What lies between two members has what both have in common with the text (Manber, Myers).
      const uint32_t here = common(middle, position, left, same < high_same ? same : high_same);
      const bool greater =
          here < length &&
          (here == left ||
           pattern_of(middle)[here] > folded(*text_.at(text_.begin + position + here), set_.fold));
      if (greater)
        high = middle - 1, high_same = here;
      else
        low = middle, same = here;
    }
    return low;
  }
  /// The longest of the member's chain that the text begins with; known: of its bytes.
  COLONNADE_KERNEL_CODE found_member ancestor(uint32_t member, uint64_t position, uint64_t left,
                                              uint32_t known) const {
    const uint32_t same = common(member, position, left, known);
    const auto fits = [&](uint32_t m) {
      return m == no_member || set_.members[m].length() <= same;
    };
    while (!fits(member)) {
      const uint32_t jump = set_.members[member].jump;
      member = fits(jump) ? set_.members[member].parent : jump;
    }
    return member == no_member ? found_member{} : found_member{member, set_.members[member].count};
  }
  COLONNADE_KERNEL_CODE const uint8_t *pattern_of(uint32_t member) const {
    return set_.bytes + 16 * uint64_t{set_.members[member].place};
  }
  /// How many bytes the text has in common with a member, of which some, 8 at least, are known.
  COLONNADE_KERNEL_CODE uint32_t common(uint32_t member, uint64_t position, uint64_t left,
                                        uint32_t known) const {
    const uint32_t length = set_.members[member].length();
    const uint32_t most = length < left ? length : static_cast<uint32_t>(left);
    const uint8_t *const pattern = pattern_of(member);
    const uint64_t offset = text_.begin + position, aligned = offset & ~uint64_t{3};
    const uint32_t by = offset % 4, first = known & ~3u;
    const bool inside = left - most >= 24; // whole words behind the last one compared
    const auto word = [&](uint32_t i) {
      return inside ? aligned_word(text_.at(aligned + i)) : text_.word(aligned + i);
    };
    uint32_t low = word(first);
    COLONNADE_UNROLL_BY(1)
    for (uint32_t i = first; i < most; i += 16) {
      uint32_t differ[4];
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < 4; ++k) {
        const uint32_t high = word(i + 4 * k + 4);
        differ[k] = lower(window_of(low, high, by)) ^ aligned_word(pattern + i + 4 * k);
        low = high;
      }
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < 4; ++k)
        if (differ[k]) {
          const uint32_t same = i + 4 * k + Machine::first_one(differ[k]) / 8;
          return same < most ? same : most;
        }
    }
    return most;
  }

  const set_tables &set_;
  const uint64_t num_items_;
  const window_text<1> text_;
};

} // namespace colonnade::detail
