//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Generated CUDA code on the current GPU. Each array is an allocation of its own, so that
// memcheck sees what lies beside it. Exit 77 if there is no GPU.
//
//===----------------------------------------------------------------------===//
#include "back_end.hpp"

#include <colonnade/bulk/device.hpp>

#include <cstdio>
#include <cstdlib>
#include <memory>

namespace fuzz {

namespace {

using namespace colonnade::bulk;
using colonnade::runtime::device;
using colonnade::runtime::device_status;

device &gpu(const function_info &info) {
  static const std::unique_ptr<device> opened = [&info] {
    status result;
    std::unique_ptr<device> made(info.open_device(result));
    if (!made) {
      std::printf("%s\n", result.message.c_str());
      std::exit(77);
    }
    return made;
  }();
  return *opened;
}

/// Memory of the GPU.
class device_memory {
public:
  device_memory(device &on, size_t bytes) : on_(on) {
    if (!on.allocate(bytes ? bytes : 1, &d_memory_))
      std::abort();
  }
  device_memory(const device_memory &) = delete;
  ~device_memory() { on_.release(d_memory_); }
  void *data() const { return d_memory_; }

private:
  device &on_;
  void *d_memory_ = nullptr;
};

/// The arrays' copies on the GPU; the kernel runs behind the copies on one stream.
class device_run {
public:
  device_run(device &on, const host_arrays &arrays)
      : on_(on), arrays_(arrays), status_(on, sizeof(device_status)) {
    for (size_t bytes : arrays.bytes) {
      memory_.push_back(std::make_unique<device_memory>(on, bytes));
      d_arrays_.push_back(memory_.back()->data());
    }
  }

  status run(const function_info &info, layout l) {
    device::stream s = nullptr;
    device_status found;
    status result = on_.create_stream(&s);
    const auto next = [&result](auto step) {
      if (result)
        result = step();
    };
    next([&] { return on_.fill(status_.data(), 0xff, sizeof found, s); });
    for (size_t k = 0; k < d_arrays_.size(); k++)
      next([&] { return on_.copy_in(d_arrays_[k], arrays_.pointers[k], whole(k), s); });
    next([&] {
      return on_.launch(
          info, {d_arrays_.data(), arrays_.scalars.data(), arrays_.cells.data(), arrays_.count}, l,
          status_.data(), s);
    });
    for (size_t k = 0; k < d_arrays_.size(); k++)
      if (!info.arrays[k].uniform)
        next([&] { return on_.copy_out(arrays_.pointers[k], d_arrays_[k], whole(k), s); });
    next([&] { return on_.copy_out(&found, status_.data(), one(sizeof found), s); });
    next([&] { return on_.synchronize(); });
    on_.destroy_stream(s);
    if (result && found.first_failure != device_status::none)
      return status::failure(colonnade::runtime::status_code::invalid_argument,
                             info.cuda_failure(uint32_t(found.first_failure & 0xffff)));
    return result;
  }

private:
  static colonnade::runtime::copy_shape one(size_t bytes) { return {bytes, 1, bytes, bytes}; }
  colonnade::runtime::copy_shape whole(size_t k) const { return one(arrays_.bytes[k]); }

  device &on_;
  const host_arrays &arrays_;
  device_memory status_;
  std::vector<std::unique_ptr<device_memory>> memory_;
  std::vector<void *> d_arrays_;
};

} // namespace

std::vector<const char *> variants() { return {"cuda"}; }

uint64_t tile(const function_info &info) { return gpu(info).tile(info); }

std::vector<uint64_t> counts(const function_info &) { return {1, 31, 33, 255, 777}; }

bool is_exact(const function_info &info) { return !info.inexact_math; }

status run(const function_info &info, const host_arrays &arrays, layout l, const char *) {
  return device_run(gpu(info), arrays).run(info, l);
}

} // namespace fuzz
