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
// Any member that begins there is a prefix of the text from there on. From those with the same
// first 8 bytes steps lead to those that agree in 16, 24, … (a trie whose edges are 8 bytes, or as
// many as a member has left). Where no step fits, the longest is the first of these members, or its
// parent. Where one member is left, or members agree in 64 bytes, the last one that is not greater
// than the text has all matches among its chain; how many bytes it has in common with the text says
// which of the chain is the longest.
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

/// What the first 8 bytes from a position on say.
struct first_look {
  static constexpr uint32_t none = ~0u;
  found_member found;  // if there is nothing else to compare
  uint32_t key = none; // else: of members with these bytes
};

template <class Machine> class set_lookup {
public:
  COLONNADE_KERNEL_CODE set_lookup(const set_job &job)
      : set_(job.set), num_items_(job.num_items), text_(job.text, job.num_items) {}

  /// Eight bytes, those beyond the text's end being 0.
  COLONNADE_KERNEL_CODE uint64_t first_bytes(uint64_t position) const {
    const uint64_t offset = text_.begin + position, aligned = offset & ~uint64_t{3};
    const bool inside = position >= 3 && num_items_ - position >= 12;
    uint32_t word[3];
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < 3; ++i)
      word[i] = inside ? aligned_word(text_.at(aligned + 4 * i)) : text_.word(aligned + 4 * i);
    return eight_of(word, offset % 4);
  }
  /// From a place 7 bytes behind the text's begin, and 16 before its end, at least, which is
  /// `offset` behind a multiple of 8.
  COLONNADE_KERNEL_CODE uint64_t bytes_inside(const uint8_t *from, uint32_t offset) const {
    const uint8_t *const pairs = from + (offset & ~7u);
    const uint64_t low = aligned_pair(pairs), high = aligned_pair(pairs + 8);
    const bool second = offset & 4;
    const uint32_t word[3] = {static_cast<uint32_t>(second ? low >> 32 : low),
                              static_cast<uint32_t>(second ? high : low >> 32),
                              static_cast<uint32_t>(second ? high >> 32 : high)};
    return eight_of(word, offset % 4);
  }
  /// left: bytes of the text, of which these are the first.
  COLONNADE_KERNEL_CODE first_look look(uint64_t bytes, uint32_t left) const {
    set_key key;
    uint32_t at = 0, lengths = set_.key_lengths;
    if (set_.opening_mask) {
      if (!find(bytes & set_.opening_mask, set_key::opening, key, at))
        return {};
      lengths = key.first;
    }
    for (lengths &= ~0u << (8 - left); lengths; lengths &= lengths - 1) {
      const uint32_t length = 8 - Machine::first_one(lengths);
      if (!find(bytes & ~uint64_t{0} >> 8 * (8 - length), length, key, at))
        continue;
      if (key.count == 0)
        return {{}, at};
      return {{key.first, key.count}};
    }
    return {};
  }
  /// Of the members of a key, from the position on.
  COLONNADE_KERNEL_CODE found_member longest_of(uint32_t key, uint64_t position) const {
    const set_key members = set_.keys[key];
    const uint64_t left = num_items_ - position;
    uint32_t first = members.first, last = members.last, follow = members.follow, same = 8;
    while (first != last && same < deepest_step) {
      const set_step next = step(first, same, follow, position + same);
      if (next.length() == 0)
        return ending_at(first, same);
      if (next.length() < 8)
        return {next.first, set_.members[next.first].count};
      first = next.first, last = next.last, follow = next.follow;
      same += 8;
    }
    const uint32_t member = last_not_greater(first, last, position, left, same);
    return ancestor(member, position, left, same);
  }
  /// The longest member of a member's chain of parents; of a position in the text.
  COLONNADE_KERNEL_CODE found_member longest_of_chain(uint32_t member, uint64_t position) const {
    return ancestor<false>(member, position, num_items_ - position, 0);
  }
  /// Whether the text has these bytes from a position in it on.
  COLONNADE_KERNEL_CODE bool has(const uint8_t *pattern, uint32_t length, uint64_t position) const {
    return common_of<false>(pattern, length, position, num_items_ - position, 0) == length;
  }
  /// None beyond the text's end.
  COLONNADE_KERNEL_CODE found_member longest(uint64_t position) const {
    if (position >= num_items_)
      return {};
    const first_look seen = look(first_bytes(position), left_of_eight(position));
    return seen.key == first_look::none ? seen.found : longest_of(seen.key, position);
  }
  COLONNADE_KERNEL_CODE uint32_t left_of_eight(uint64_t position) const {
    const uint64_t left = num_items_ - position;
    return left < 8 ? static_cast<uint32_t>(left) : 8;
  }
  COLONNADE_KERNEL_CODE const uint16_t *list(uint32_t member) const {
    return set_.lists + set_.members[member].list;
  }

private:
  COLONNADE_KERNEL_CODE uint32_t lower(uint32_t word) const {
    return set_.fold ? folded(word, set_.fold) : word;
  }
  COLONNADE_KERNEL_CODE uint64_t eight_of(const uint32_t (&word)[3], uint32_t by) const {
    return lower(window_of(word[0], word[1], by)) | uint64_t{lower(window_of(word[1], word[2], by))}
                                                        << 32;
  }
  /// Whether there is this key, and where.
  COLONNADE_KERNEL_CODE bool find(uint64_t bytes, uint32_t length, set_key &key,
                                  uint32_t &at) const {
    const uint32_t last = ~0u >> set_.key_shift;
    for (at = hash_of_key(bytes, length) >> set_.key_shift;; at = (at + 1) & last) {
      key = key_of(aligned_vector(reinterpret_cast<const uint8_t *>(set_.keys + at)));
      if (key.length == 0)
        return false;
      if (key.bytes == bytes && key.length == length)
        return true;
    }
  }
  /// The longest one from members that agree in depth bytes, to what the text has from the position
  /// on; a free one if there is none.
  COLONNADE_KERNEL_CODE set_step step(uint32_t parent, uint32_t depth, uint32_t follow,
                                      uint64_t position) const {
    if (position >= num_items_)
      return {};
    const uint64_t bytes = first_bytes(position);
    const uint32_t left = left_of_eight(position), last = ~0u >> set_.step_shift;
    for (follow &= ~0u << (8 - left); follow; follow &= follow - 1) {
      const uint32_t length = 8 - Machine::first_one(follow),
                     length_depth = length_and_depth(length, depth);
      const uint64_t first = bytes & ~uint64_t{0} >> 8 * (8 - length);
      for (uint32_t at = hash_of_key(first, parent << 8 | length_depth) >> set_.step_shift;;
           at = (at + 1) & last) {
        const set_step found =
            step_of(aligned_vector(reinterpret_cast<const uint8_t *>(set_.steps + at)));
        if (found.length_depth == 0)
          break;
        if (found.bytes == first && found.parent == parent && found.length_depth == length_depth)
          return found;
      }
    }
    return {};
  }
  /// The longest member that is a prefix of what members, of which this is the first, agree in.
  COLONNADE_KERNEL_CODE found_member ending_at(uint32_t first, uint32_t depth) const {
    const set_member &m = set_.members[first];
    const uint32_t member = m.length() == depth ? first : m.parent;
    return member == no_member ? found_member{} : found_member{member, set_.members[member].count};
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
  /// The longest of the member's chain that the text begins with; known: of its bytes, as in
  /// common.
  template <bool Some_known = true>
  COLONNADE_KERNEL_CODE found_member ancestor(uint32_t member, uint64_t position, uint64_t left,
                                              uint32_t known) const {
    const uint32_t same = common<Some_known>(member, position, left, known);
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
  /// How many bytes the text has in common with a member, of which 8 at least are known, or none.
  template <bool Some_known = true>
  COLONNADE_KERNEL_CODE uint32_t common(uint32_t member, uint64_t position, uint64_t left,
                                        uint32_t known) const {
    return common_of<Some_known>(pattern_of(member), set_.members[member].length(), position, left,
                                 known);
  }
  template <bool Some_known>
  COLONNADE_KERNEL_CODE uint32_t common_of(const uint8_t *pattern, uint32_t length,
                                           uint64_t position, uint64_t left, uint32_t known) const {
    const uint32_t most = length < left ? length : static_cast<uint32_t>(left);
    const uint64_t offset = text_.begin + position, aligned = offset & ~uint64_t{3};
    const uint32_t by = offset % 4, first = known & ~3u;
    // Whole words around the first and behind the last one compared.
    const bool inside = left - most >= 24 && (Some_known || position >= 3);
    const auto word = [&](uint32_t i) {
      return inside ? aligned_word(text_.at(aligned + i)) : text_.word(aligned + i);
    };
    uint32_t low = word(first);
    COLONNADE_UNROLL_BY(1)
    for (uint32_t i = first; i < most; i += 16) {
      uint32_t differ[4];
      sixteen_bytes of_pattern;
      if constexpr (!Some_known)
        of_pattern = aligned_vector(pattern + i);
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < 4; ++k) {
        const uint32_t high = word(i + 4 * k + 4);
        differ[k] = lower(window_of(low, high, by)) ^
                    (Some_known ? aligned_word(pattern + i + 4 * k) : of_pattern.word[k]);
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
