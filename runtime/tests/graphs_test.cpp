//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// graphs_test.cpp: Matrix Market files, good, bad and scrambled; generators; rows.
//
//===----------------------------------------------------------------------===//
#include <colonnade/graphs/dijkstra.hpp>
#include <colonnade/graphs/generate.hpp>
#include <colonnade/graphs/matrix_market.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <sstream>

using namespace colonnade;

namespace {

template <class Weight = uint32_t>
matrix_market_error read(const std::string &text, edge_list<Weight> &list) {
  std::istringstream in(text);
  return read_matrix_market(in, list);
}

template <class Weight> std::string shown(const edge_list<Weight> &list) {
  std::ostringstream out;
  out << list.num_vertices << ":";
  for (const auto &e : list.edges)
    out << " " << e.from << "-" << e.to << "=" << e.weight;
  return out.str();
}

TEST(MatrixMarket, GoodFiles) {
  edge_list<uint32_t> list;
  EXPECT_FALSE(read(
      "%%MatrixMarket matrix coordinate integer general\n% hello\n\n3 3 2\n1 2 5\n3 1 7\n", list));
  EXPECT_EQ(shown(list), "3: 0-1=5 2-0=7");
  EXPECT_FALSE(
      read("%%matrixmarket MATRIX Coordinate Pattern SYMMETRIC\r\n2 2 2\r\n2 1\r\n 1\t1 \r\n\r\n",
           list));
  EXPECT_EQ(shown(list), "2: 1-0=1 0-1=1 0-0=1");
  EXPECT_FALSE(
      read("%%MatrixMarket matrix coordinate real general\n1 1 1\n% in between\n1 1 4.0", list));
  EXPECT_EQ(shown(list), "1: 0-0=4");
  EXPECT_FALSE(read("%%MatrixMarket matrix coordinate integer general\n0 0 0\n", list));
  EXPECT_EQ(shown(list), "0:");
  edge_list<float> floats;
  EXPECT_FALSE(
      read("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 +2.5e-1\n2 1 3\n", floats));
  EXPECT_EQ(shown(floats), "2: 0-1=0.25 1-0=3");
}

TEST(MatrixMarket, ErrorsNameTheLine) {
  const std::string banner = "%%MatrixMarket matrix coordinate integer general\n";
  const struct {
    std::string text;
    uint64_t line;
    const char *what;
  } cases[] = {
      {"", 1, "does not begin with"},
      {"1 1 1\n", 1, "does not begin with"},
      {"\n" + banner, 1, "does not begin with"},
      {"%%MatrixMarket matrix coordinate integer\n", 1, "four words"},
      {"%%MatrixMarket matrix coordinate integer general extra\n", 1, "four words"},
      {"%%MatrixMarket matrix array real general\n", 1, "only 'matrix coordinate'"},
      {"%%MatrixMarket matrix coordinate complex general\n", 1, "pattern, integer or real"},
      {"%%MatrixMarket matrix coordinate real hermitian\n", 1, "general or symmetric"},
      {"%%MatrixMarket matrix coordinate real skew-symmetric\n", 1, "general or symmetric"},
      {banner, 1, "ends before its line of sizes"},
      {banner + "% c\n3 3\n", 3, "three sizes"},
      {banner + "3 3 x\n", 2, "the number of entries 'x'"},
      {banner + "3 4 1\n1 1 1\n", 2, "square, not 3 by 4"},
      {banner + "-3 3 1\n", 2, "the number of rows '-3'"},
      {banner + "99999999999999999999 3 1\n", 2, "the number of rows"},
      {banner + "200000000 200000000 1\n", 2, "the number of rows"},
      {banner + "3 3 2\n1 1 1\n", 3, "ends after 1 of 2"},
      {banner + "3 3 281474976710656\n1 1 1\n", 3, "ends after 1 of"},
      {banner + "3 3 1\n1 1 1\n2 2 2\n", 4, "more than the 1 entries"},
      {banner + "3 3 1\n1 4 1\n", 3, "the column '4'"},
      {banner + "3 3 1\n0 1 1\n", 3, "counted from 1"},
      {banner + "3 3 1\n1 1\n", 3, "an entry of 3 numbers"},
      {banner + "3 3 1\n1 1 1 1\n", 3, "an entry of 3 numbers"},
      {banner + "3 3 1\n1 1 -1\n", 3, "is negative"},
      {banner + "3 3 1\n1 1 1.5\n", 3, "not a whole number"},
      {banner + "3 3 1\n1 1 4294967296\n", 3, "not a whole number"},
      {banner + "3 3 1\n1 1 nan\n", 3, "not a number"},
      {banner + "3 3 1\n1 1 inf\n", 3, "not a number"},
      {banner + "3 3 1\n1 1 1e999\n", 3, "not a number"},
      {banner + "3 3 1\n1 1 5x\n", 3, "not a number"},
      {banner + "3 3 1\n1.0 1 5\n", 3, "the row '1.0'"},
  };
  for (const auto &c : cases) {
    edge_list<uint32_t> list;
    const matrix_market_error error = read(c.text, list);
    EXPECT_EQ(error.line, c.line) << c.text;
    EXPECT_NE(error.text.find(c.what), std::string::npos) << c.text << error.text;
  }
}

/// Every file of a few good ones, with bytes changed, cut out, doubled: a graph within
/// its own bounds, or an error that names a line of the file in printable characters.
TEST(MatrixMarket, ScrambledFiles) {
  const std::string good[] = {
      "%%MatrixMarket matrix coordinate integer general\n% hello\n4 4 4\n1 2 5\n3 1 7\n4 4 0\n2 3 "
      "12\n",
      "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 3\n2 1\n3 1\n4 4\n",
      "%%MatrixMarket matrix coordinate real general\r\n3 3 2\r\n1 2 .5\r\n3 1 7e0\r\n",
  };
  std::mt19937 random(20);
  const std::string bytes = "0123456789 \n\t\r%.-+eExX\0\xff\x80matrix", alphabet = bytes;
  uint64_t read_well = 0, refused = 0;
  for (int trial = 0; trial < 60000; ++trial) {
    std::string text = good[random() % 3];
    for (uint32_t changes = random() % 4 + 1; changes--;) {
      const size_t place = random() % (text.size() + 1), length = random() % 4;
      switch (random() % 4) {
      case 0:
        text.erase(std::min(place, text.size()), length);
        break;
      case 1:
        text.insert(place, 1, alphabet[random() % alphabet.size()]);
        break;
      case 2:
        text.insert(place, text.substr(random() % (text.size() + 1), length));
        break;
      default:
        if (place < text.size())
          text[place] = static_cast<char>(random());
      }
    }
    edge_list<float> list;
    const matrix_market_error error = read(text, list);
    const auto lines = static_cast<uint64_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    if (error) {
      ++refused;
      ASSERT_LE(error.line, lines) << text;
      for (const char c : error.text)
        ASSERT_TRUE(c >= ' ' && c <= '~') << text;
      continue;
    }
    ++read_well;
    ASSERT_LE(list.edges.size(), 2 * lines);
    for (const auto &e : list.edges) {
      ASSERT_LT(e.from, list.num_vertices) << text;
      ASSERT_LT(e.to, list.num_vertices) << text;
      ASSERT_TRUE(e.weight >= 0 && std::isfinite(e.weight)) << text;
    }
  }
  EXPECT_GT(read_well, 1000u);
  EXPECT_GT(refused, 1000u);
}

TEST(Graphs, RowsKeepEdgesAndTheirOrder) {
  const auto list = rmat_edges<uint32_t>(500, 4000);
  for (const bool both_ways : {false, true}) {
    std::map<uint32_t, std::vector<std::pair<uint32_t, uint32_t>>> expected;
    for (const auto &e : list.edges) {
      expected[e.from].push_back({e.to, e.weight});
      if (both_ways && e.from != e.to)
        expected[e.to].push_back({e.from, e.weight});
    }
    const auto graph = graph_by_rows(list, both_ways);
    ASSERT_EQ(graph.row_offsets.size(), 501u);
    for (uint32_t v = 0; v < 500; ++v) {
      std::vector<std::pair<uint32_t, uint32_t>> row;
      for (uint64_t e = graph.row_offsets[v]; e < graph.row_offsets[v + 1]; ++e)
        row.push_back({graph.columns[e], graph.weights[e]});
      ASSERT_EQ(row, expected[v]) << v;
    }
  }
}

TEST(Graphs, RmatHasItsQuarters) {
  const uint32_t n = 1 << 10, edges = 200000;
  const auto list = rmat_edges<uint32_t>(n, edges);
  double quarters[4] = {}, weights = 0;
  for (const auto &e : list.edges) {
    ASSERT_LT(std::max(e.from, e.to), n);
    ASSERT_LE(e.weight, 1000u);
    quarters[2 * (e.from >= n / 2) + (e.to >= n / 2)] += 1.0 / edges;
    weights += e.weight / double{edges};
  }
  const double expected[] = {0.5, 0.1, 0.1, 0.3};
  for (int q = 0; q < 4; ++q)
    EXPECT_NEAR(quarters[q], expected[q], 0.006) << q; // five standard deviations
  EXPECT_NEAR(weights, 500, 4);
  generator_options other;
  other.seed = 2;
  EXPECT_NE(shown(rmat_edges<uint32_t>(100, 50)), shown(rmat_edges<uint32_t>(100, 50, other)));
  EXPECT_EQ(shown(rmat_edges<uint32_t>(100, 50)), shown(rmat_edges<uint32_t>(100, 50)));
}

TEST(Graphs, RmatOfAnyNumberOfVertices) {
  for (const uint32_t n : {0u, 1u, 2u, 3u, 5u, 1000u, 1025u}) {
    const auto list = rmat_edges<uint32_t>(n, 100);
    EXPECT_EQ(list.edges.size(), n ? 100u : 0u);
    for (const auto &e : list.edges)
      ASSERT_LT(std::max(e.from, e.to), n);
  }
}

TEST(Graphs, RoadsAreAGridWithHoles) {
  const auto list = road_edges<uint32_t>(50, 40);
  const double all = 49 * 40 + 50 * 39;
  EXPECT_NEAR(static_cast<double>(list.edges.size()) / all, 0.75, 0.04);
  for (const auto &e : list.edges)
    ASSERT_TRUE((e.to == e.from + 1 && e.to % 50) || e.to == e.from + 50);
}

TEST(Dijkstra, AgainstAllPairs) {
  const auto graph = graph_by_rows(rmat_edges<uint32_t>(60, 150), false);
  const uint64_t far = 1u << 30;
  std::vector<std::vector<uint64_t>> d(60, std::vector<uint64_t>(60, far));
  for (uint32_t v = 0; v < 60; ++v) {
    for (uint64_t e = graph.row_offsets[v]; e < graph.row_offsets[v + 1]; ++e)
      d[v][graph.columns[e]] = std::min<uint64_t>(d[v][graph.columns[e]], graph.weights[e]);
    d[v][v] = 0;
  }
  for (uint32_t k = 0; k < 60; ++k) // Floyd and Warshall
    for (uint32_t i = 0; i < 60; ++i)
      for (uint32_t j = 0; j < 60; ++j)
        d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
  for (uint32_t source = 0; source < 60; ++source) {
    const auto distances = dijkstra<uint32_t>(graph, source);
    for (uint32_t v = 0; v < 60; ++v)
      ASSERT_EQ(distances[v], d[source][v] >= far ? ~0u : d[source][v]);
  }
}

} // namespace
