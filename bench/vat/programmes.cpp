//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// programmes.cpp: the experiments of section 2.1 of "Virtual Address Translation and
// GPU Convex Hull" on a CPU: seven programmes over an array of n numbers of 8 bytes,
// and the transposes of section 2.6.2, on pages of 4 KiB and of 2 MiB.
//
// In: usage: programmes LOG2 [PROGRAMME…], arrays of up to 2^LOG2 numbers. Out: CSV
// lines `programme,page,n,nanoseconds` of one operation: time over RAM complexity,
// the least of several runs (2.1.2), by the thread's CPU time; sizes grow by 1.4. Sorts
// end at arrays of a quarter.
// Invariant: results are checked once for each size; pages are of the size that is
// said, or the run ends.
//
//===----------------------------------------------------------------------===//
#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace {

constexpr uint64_t huge_page = uint64_t{2} << 20;
constexpr int most_runs = 7;
constexpr double seconds_a_point = 0.8;
constexpr uint64_t most_searches = uint64_t{1} << 21;

[[noreturn]] void fail(const char *why) {
  std::fprintf(stderr, "%s\n", why);
  std::exit(1);
}

double seconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

uint64_t random_below(uint64_t end) {
  static uint64_t state = 88172645463325252u;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return static_cast<uint64_t>(static_cast<unsigned __int128>(state) * end >> 64);
}

/// Numbers on pages of one size.
class numbers {
public:
  numbers(uint64_t n, bool is_huge) : n_(n) {
    bytes_ = (n * sizeof(uint64_t) + huge_page - 1) / huge_page * huge_page;
    mapping_ = mmap(nullptr, bytes_ + huge_page, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping_ == MAP_FAILED)
      fail("there is too little memory");
    const auto begin = reinterpret_cast<uintptr_t>(mapping_);
    cells_ = reinterpret_cast<uint64_t *>((begin + huge_page - 1) / huge_page * huge_page);
    if (madvise(cells_, bytes_, is_huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE))
      fail("the kernel does not let this process choose the size of pages");
    for (uint64_t i = 0; i < n; ++i)
      cells_[i] = i;
    if (on_huge_pages() != is_huge)
      fail("the kernel gave pages of another size");
  }
  ~numbers() { munmap(mapping_, bytes_ + huge_page); }
  numbers(const numbers &) = delete;
  numbers &operator=(const numbers &) = delete;

  uint64_t size() const { return n_; }
  uint64_t &operator[](uint64_t i) { return cells_[i]; }
  void shuffle() {
    for (uint64_t j = n_; j-- > 1;)
      std::swap(cells_[j], cells_[random_below(j + 1)]);
  }

private:
  /// Whether at least nine tenths are, as the kernel counts them.
  bool on_huge_pages() const {
    std::FILE *maps = std::fopen("/proc/self/smaps", "r");
    char line[512];
    bool is_here = false;
    uint64_t kib = 0;
    const auto at = reinterpret_cast<uintptr_t>(cells_);
    while (maps && std::fgets(line, sizeof line, maps)) {
      unsigned long long low, high, huge;
      if (std::sscanf(line, "%llx-%llx ", &low, &high) == 2) {
        is_here = low <= at && at < high;
      } else if (is_here && std::sscanf(line, "AnonHugePages: %llu", &huge) == 1) {
        kib += huge;
      }
    }
    if (maps)
      std::fclose(maps);
    return kib * 1024 >= bytes_ / 10 * 9;
  }

  uint64_t n_, bytes_;
  void *mapping_;
  uint64_t *cells_;
};

uint64_t result; // of all programmes: none is left out

void permute(numbers &a) {
  for (uint64_t j = a.size(); j-- > 0;)
    std::swap(a[random_below(j + 1)], a[j]);
}

void sift(numbers &a, uint64_t i, uint64_t end) {
  const uint64_t value = a[i];
  for (uint64_t child; (child = 2 * i + 1) < end; i = child) {
    if (child + 1 < end && a[child + 1] > a[child])
      ++child;
    if (a[child] <= value)
      break;
    a[i] = a[child];
  }
  a[i] = value;
}

void heapify(numbers &a) {
  for (uint64_t i = a.size() / 2; i-- > 0;)
    sift(a, i, a.size());
}

void heapsort(numbers &a) {
  heapify(a);
  for (uint64_t end = a.size(); end-- > 1;) {
    std::swap(a[0], a[end]);
    sift(a, 0, end);
  }
}

void quicksort(numbers &a, int64_t low, int64_t high) {
  while (low < high) {
    const uint64_t pivot = a[static_cast<uint64_t>(low + (high - low) / 2)];
    int64_t i = low, j = high;
    while (i <= j) {
      while (a[static_cast<uint64_t>(i)] < pivot)
        ++i;
      while (a[static_cast<uint64_t>(j)] > pivot)
        --j;
      if (i <= j)
        std::swap(a[static_cast<uint64_t>(i++)], a[static_cast<uint64_t>(j--)]);
    }
    quicksort(a, low, j);
    low = i;
  }
}

uint64_t search(numbers &a, uint64_t wanted) {
  uint64_t low = 0, high = a.size();
  while (high - low > 1) {
    const uint64_t middle = (low + high) / 2;
    if (a[middle] <= wanted)
      low = middle;
    else
      high = middle;
  }
  return low;
}

void transpose_rows(numbers &from, numbers &to, uint64_t m) {
  for (uint64_t i = 0; i < m; ++i)
    for (uint64_t j = 0; j < m; ++j)
      to[j * m + i] = from[i * m + j];
}

/// Quarters lie one after the other, and so on down to small parts, which lie row by row.
void transpose_recursively(const uint64_t *from, uint64_t *to, uint64_t rows, uint64_t columns) {
  if (rows <= 8 && columns <= 8) {
    for (uint64_t i = 0; i < rows; ++i)
      for (uint64_t j = 0; j < columns; ++j)
        to[j * rows + i] = from[i * columns + j];
    return;
  }
  const uint64_t up = rows / 2, down = rows - up, left = columns / 2, right = columns - left;
  const uint64_t *quarter[] = {from, from + up * left, from + up * columns,
                               from + up * columns + down * left};
  transpose_recursively(quarter[0], to, up, left);
  transpose_recursively(quarter[2], to + left * up, down, left);
  transpose_recursively(quarter[1], to + left * rows, up, right);
  transpose_recursively(quarter[3], to + left * rows + right * up, down, right);
}

/// The least time of several runs, each after its preparation, in seconds.
double least(const std::function<void()> &prepare, const std::function<void()> &work) {
  double best = 0, all = 0;
  for (int run = 0; run < most_runs && (run < 2 || all < seconds_a_point); ++run) {
    prepare();
    const double begin = seconds();
    work();
    const double time = seconds() - begin;
    best = run == 0 ? time : std::min(best, time);
    all += time;
    if (time > seconds_a_point)
      break;
  }
  return best;
}

void check(bool is_right, const char *programme) {
  if (!is_right)
    fail((std::string(programme) + ": wrong result").c_str());
}

bool is_sorted(numbers &a) {
  for (uint64_t i = 0; i < a.size(); ++i)
    if (a[i] != i)
      return false;
  return true;
}

struct programme {
  const char *name;
  bool is_long; // cut off earlier
  /// Nanoseconds of one operation.
  double (*run)(uint64_t n, bool is_huge);
};

double per(double time, double operations) { return 1e9 * time / operations; }
double number(uint64_t n) { return static_cast<double>(n); }
double n_log_n(uint64_t n) { return number(n) * std::log2(number(n)); }

/// Small arrays so often that a run can be timed.
uint64_t rounds(uint64_t n) { return std::max<uint64_t>(1, (uint64_t{1} << 18) / n); }

double run_sequential(uint64_t n, bool is_huge) {
  numbers a(n, is_huge);
  const uint64_t repeats = rounds(n);
  const double time = least([] {},
                            [&] {
                              for (uint64_t r = 0; r < repeats; ++r)
                                for (uint64_t i = 0; i < n; ++i)
                                  result += a[i];
                            });
  return per(time, number(n * repeats));
}

double run_random(uint64_t n, bool is_huge) {
  numbers a(n, is_huge), order(n, is_huge);
  order.shuffle();
  const uint64_t repeats = rounds(n);
  const double time = least([] {},
                            [&] {
                              for (uint64_t r = 0; r < repeats; ++r)
                                for (uint64_t i = 0; i < n; ++i)
                                  result += a[order[i]];
                            });
  return per(time, number(n * repeats));
}

double run_permute(uint64_t n, bool is_huge) {
  numbers a(n, is_huge);
  const uint64_t repeats = rounds(n);
  const double time = least([] {},
                            [&] {
                              for (uint64_t r = 0; r < repeats; ++r)
                                permute(a);
                            });
  return per(time, number(n * repeats));
}

double run_search(uint64_t n, bool is_huge) {
  numbers a(n, is_huge);
  const uint64_t searches = std::min(n, most_searches), repeats = rounds(searches);
  check(search(a, n / 3) == n / 3, "binary search");
  const double time = least([] {},
                            [&] {
                              for (uint64_t s = 0; s < searches * repeats; ++s)
                                result += search(a, random_below(n));
                            });
  return per(time, number(searches * repeats) * std::log2(number(n)));
}

/// Sorts need their input anew: arrays are not repeated but smaller ones are timed more roughly.
template <class Sort> double run_sort(uint64_t n, bool is_huge, const char *name, Sort sort) {
  numbers a(n, is_huge);
  const double time = least([&] { a.shuffle(); }, [&] { sort(a); });
  check(is_sorted(a), name);
  return per(time, n_log_n(n));
}

double run_heapify(uint64_t n, bool is_huge) {
  numbers a(n, is_huge);
  const double time = least([&] { a.shuffle(); }, [&] { heapify(a); });
  check(a[0] == n - 1, "heapify");
  return per(time, number(n));
}

double run_transpose(uint64_t n, bool is_huge, bool is_recursive) {
  const auto m = static_cast<uint64_t>(std::sqrt(number(n)));
  numbers from(m * m, is_huge), to(m * m, is_huge);
  const uint64_t repeats = rounds(m * m);
  const double time = least([] {},
                            [&] {
                              for (uint64_t r = 0; r < repeats; ++r)
                                if (is_recursive)
                                  transpose_recursively(&from[0], &to[0], m, m);
                                else
                                  transpose_rows(from, to, m);
                            });
  if (!is_recursive) {
    check(to[(m - 1) * m] == m - 1 && to[m - 1] == (m - 1) * m, "transpose");
  } else { // twice is nothing
    transpose_recursively(&to[0], &from[0], m, m);
    check(is_sorted(from), "transpose");
  }
  return per(time, number(m * m * repeats));
}

const programme programmes[] = {
    {"sequential scan", false, run_sequential},
    {"random scan", false, run_random},
    {"permute", false, run_permute},
    {"binary search", false, run_search},
    {"heapify", false, run_heapify},
    {"quicksort", true,
     [](uint64_t n, bool is_huge) {
       return run_sort(n, is_huge, "quicksort",
                       [](numbers &a) { quicksort(a, 0, static_cast<int64_t>(a.size()) - 1); });
     }},
    {"heapsort", true,
     [](uint64_t n, bool is_huge) { return run_sort(n, is_huge, "heapsort", heapsort); }},
    {"transpose row by row", false,
     [](uint64_t n, bool is_huge) { return run_transpose(n, is_huge, false); }},
    {"transpose recursive", false,
     [](uint64_t n, bool is_huge) { return run_transpose(n, is_huge, true); }},
};

} // namespace

int main(int argc, char **argv) {
  if (argc < 2)
    fail("usage: programmes LOG2 [PROGRAMME...]");
  const double most = std::ldexp(1.0, std::atoi(argv[1]));
  std::printf("programme,page,n,nanoseconds\n");
  for (const programme &p : programmes) {
    const bool is_wanted = argc == 2 || std::any_of(argv + 2, argv + argc, [&](const char *name) {
                             return std::strcmp(name, p.name) == 0;
                           });
    for (double n = 1024; is_wanted && n <= (p.is_long ? most / 4 : most); n *= 1.4)
      for (bool is_huge : {false, true}) {
        const auto cells = static_cast<uint64_t>(n);
        std::printf("%s,%s,%llu,%.4f\n", p.name, is_huge ? "2 MiB" : "4 KiB",
                    static_cast<unsigned long long>(cells), p.run(cells, is_huge));
        std::fflush(stdout);
      }
  }
  static volatile uint64_t used;
  used = result;
}
