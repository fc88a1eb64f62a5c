//===- FrontEndMutator.cpp - Changes a source file by tokens --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrontEndMutator.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

namespace {

enum class Kind { Word, Number, Operator, Space };

struct Token {
  Kind kind;
  std::string text;
};

// What other programmes are made of; a token is exchanged for one of its own kind.
const char words[] = R"(
int unsigned long char short bool float double void const static struct union enum class
auto if else for while do switch case default break continue return goto sizeof typedef
template typename operator this new delete try catch throw constexpr mutable volatile
virtual explicit namespace using true false nullptr uint8_t int64_t uint32_t size_t std min
max swap array memcpy memset memcmp sqrt fma fmin a b i n x inline restrict alignas _Generic
__builtin_expect __int128 _Complex thread_local decltype noexcept requires COLONNADE_BOUND
COLONNADE_ASSUME COLONNADE_UNIFORM COLONNADE_INSTANCE COLONNADE_EXTENT)";
const char numbers[] = R"(
0 1 2 -1 3 8 31 32 64 255 0x7fffffff 2147483648u 4294967295u 0xffffffffffffffffull 1000000
1.0 0.5f 1e30 'a' 0x1p-3 1ull 17l)";
const char operators[] = R"~(
+ - * / % & | ^ ~ ! && || << >> < > <= >= == != <=> = += -= *= /= %= &= |= ^= ++ -- <<= >>=
-> . :: ? : , ; ( ) [ ] { } [&] ... &* (int))~";

const std::vector<Token> vocabulary = [] {
  std::vector<Token> tokens;
  for (auto [kind, texts] : {std::pair(Kind::Word, words), std::pair(Kind::Number, numbers),
                             std::pair(Kind::Operator, operators)}) {
    std::istringstream in(texts);
    for (std::string text; in >> text;)
      tokens.push_back({kind, text});
  }
  return tokens;
}();

bool isWordPart(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Operators of one, two and three characters, the longest first.
size_t operatorLength(std::string_view rest) {
  size_t longest = 1;
  for (const Token &token : vocabulary)
    if (token.kind == Kind::Operator && token.text.size() > longest && token.text.size() <= 3 &&
        rest.substr(0, token.text.size()) == token.text)
      longest = token.text.size();
  return longest;
}

std::vector<Token> tokensOf(std::string_view text) {
  std::vector<Token> tokens;
  for (size_t at = 0, end; at < text.size(); at = end) {
    const char c = text[at];
    Kind kind = Kind::Operator;
    if (std::isspace(static_cast<unsigned char>(c))) {
      kind = Kind::Space;
      for (end = at; end < text.size() && std::isspace(static_cast<unsigned char>(text[end]));)
        ++end;
    } else if (isWordPart(c)) {
      kind = std::isdigit(static_cast<unsigned char>(c)) ? Kind::Number : Kind::Word;
      for (end = at; end < text.size() &&
                     (isWordPart(text[end]) || (kind == Kind::Number && text[end] == '.'));)
        ++end;
    } else {
      end = at + operatorLength(text.substr(at));
    }
    tokens.push_back({kind, std::string(text.substr(at, end - at))});
  }
  return tokens;
}

class Mutation {
public:
  Mutation(std::vector<Token> tokens, unsigned seed) : tokens_(std::move(tokens)), random_(seed) {}

  std::string run() {
    for (unsigned times = 1 + below(3); times > 0 && !tokens_.empty(); --times)
      switch (below(6)) {
      case 0:
      case 1:
      case 2:
        exchange();
        break;
      case 3:
        insert(below(tokens_.size() + 1), piece());
        break;
      case 4:
        erase(piece());
        break;
      case 5:
        move(piece());
        break;
      }
    return text();
  }

  /// A statement of another text, put somewhere, with names that are known here.
  std::string take(const Mutation &other) {
    if (other.tokens_.empty())
      return text();
    const Piece piece = pieceOf(other.tokens_);
    std::vector<Token> copy(other.tokens_.begin() + piece.begin, other.tokens_.begin() + piece.end);
    std::map<std::string, std::string> names;
    for (Token &token : copy)
      if (token.kind == Kind::Word && !contains(vocabulary, token.text) &&
          !contains(tokens_, token.text))
        token.text = names.try_emplace(token.text, anyWord(token.text)).first->second;
    tokens_.insert(tokens_.begin() + below(tokens_.size() + 1), copy.begin(), copy.end());
    return text();
  }

private:
  std::string text() const {
    std::string text;
    for (const Token &token : tokens_)
      text += token.text;
    return text;
  }
  static bool contains(const std::vector<Token> &tokens, const std::string &text) {
    return std::any_of(tokens.begin(), tokens.end(),
                       [&](const Token &token) { return token.text == text; });
  }
  std::string anyWord(const std::string &otherwise) {
    for (int attempt = 0; attempt < 20 && !tokens_.empty(); ++attempt)
      if (const Token &token = tokens_[below(tokens_.size())];
          token.kind == Kind::Word && !contains(vocabulary, token.text))
        return token.text;
    return otherwise;
  }

  struct Piece {
    size_t begin, end;
  };

  size_t below(size_t bound) { return bound ? random_() % bound : 0; }

  /// A token becomes one of its kind.
  void exchange() {
    Token &token = tokens_[below(tokens_.size())];
    const std::vector<Token> &source = below(2) ? vocabulary : tokens_;
    for (int attempt = 0; attempt < 50; ++attempt)
      if (const Token &other = source[below(source.size())];
          other.kind == token.kind && other.text != token.text) {
        token.text = std::string(other.text);
        return;
      }
  }

  /// From a random place to the end of the statement, or to the bracket that closes it.
  Piece piece() { return pieceOf(tokens_); }
  Piece pieceOf(const std::vector<Token> &tokens) {
    const size_t begin = below(tokens.size());
    int depth = 0;
    size_t end = begin;
    for (bool ends = false; end < tokens.size() && !ends; ++end) {
      const std::string &text = tokens[end].text;
      if (text == "(" || text == "[" || text == "{")
        ++depth;
      else if (text == ")" || text == "]" || text == "}")
        ends = --depth <= 0;
      if (depth < 0)
        break;
      ends |= depth == 0 && (text == ";" || text == ",");
    }
    return {begin, end};
  }

  void insert(size_t at, Piece piece) {
    const std::vector<Token> copy(tokens_.begin() + piece.begin, tokens_.begin() + piece.end);
    tokens_.insert(tokens_.begin() + at, copy.begin(), copy.end());
  }
  void erase(Piece piece) {
    tokens_.erase(tokens_.begin() + piece.begin, tokens_.begin() + piece.end);
  }
  void move(Piece piece) {
    const std::vector<Token> copy(tokens_.begin() + piece.begin, tokens_.begin() + piece.end);
    erase(piece);
    tokens_.insert(tokens_.begin() + below(tokens_.size() + 1), copy.begin(), copy.end());
  }

  std::vector<Token> tokens_;
  std::minstd_rand random_;
};

} // namespace

static std::string_view viewOf(const uint8_t *data, size_t size) {
  return {reinterpret_cast<const char *>(data), size};
}

static size_t write(const std::string &text, uint8_t *data, size_t maxSize) {
  const size_t length = std::min(text.size(), maxSize);
  std::memcpy(data, text.data(), length);
  return length;
}

size_t mutateSource(uint8_t *data, size_t size, size_t maxSize, unsigned seed) {
  if (seed % 32 == 0 || size == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  return write(Mutation(tokensOf(viewOf(data, size)), seed / 32 + 1).run(), data, maxSize);
}

size_t crossSources(std::pair<const uint8_t *, size_t> into,
                    std::pair<const uint8_t *, size_t> from, uint8_t *data, size_t maxSize,
                    unsigned seed) {
  Mutation result(tokensOf(viewOf(into.first, into.second)), seed + 1);
  const Mutation other(tokensOf(viewOf(from.first, from.second)), 1);
  return write(result.take(other), data, maxSize);
}
