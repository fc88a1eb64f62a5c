//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// npy.hpp: reads and writes NumPy's .npy files, versions 1 to 3 (numpy.lib.format).
//
//   C order        (p, n): cell i of instance j at j*n + i    row-wise
//   Fortran order  (p, n): cell i of instance j at i*p + j    column-wise
//   structured     one record per element; its fields are found by name, "inner.x", also
//                  where "inner" is an array of records
//
// In: any bytes. Out: the header, and where the cells are. Invariant: what is not a
// well-formed file of known types gives a bad_file status that says what to do; nothing
// outside the file is read.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/file.hpp>
#include <colonnade/bulk/function.hpp>
#include <colonnade/bulk/npy_literal.hpp>

#include <cstring>
#include <string>
#include <vector>

namespace colonnade::runtime::npy {

/// An array of records that a field is in.
struct repetition {
  uint64_t count;
  size_t stride_bytes; // from one record to the next
};

/// A field of the dtype that is not itself a record: a leaf. A plain array has one, without a
/// name.
struct field {
  std::string name;    // "x", "inner.x"
  std::string code;    // "<f4", as the file spells it
  size_t offset_bytes; // of its first cell in the record
  size_t item_bytes;   // of one cell
  uint64_t run_cells;  // cells side by side: product of a subarray's shape, else 1
  std::vector<repetition> repeated = {}; // outermost first

  uint64_t cells() const { // in the record
    uint64_t product = run_cells;
    for (const repetition &r : repeated)
      product *= r.count;
    return product;
  }
};

/// What the header of a file says.
struct header {
  std::string description; // of the dtype, as in the file: "[('x', '<f4'), ('y', '<f4')]"
  std::vector<field> fields;
  bool structured = false;
  bool fortran_order = false;
  std::vector<uint64_t> shape;
  uint64_t num_items = 0; // product of the shape
  size_t item_bytes = 0;  // of one element or record
  size_t data_offset = 0;
};

/// "float32": the name in NumPy.
inline const char *numpy_name(cell_type type) {
  constexpr const char *names[] = {"bool",   "int8",  "uint8",  "int16",   "uint16", "int32",
                                   "uint32", "int64", "uint64", "float32", "float64"};
  return names[static_cast<size_t>(type)];
}
/// "<f4": the type code that we write.
inline const char *type_code(cell_type type) {
  constexpr const char *codes[] = {"|b1", "|i1", "|u1", "<i2", "<u2", "<i4",
                                   "<u4", "<i8", "<u8", "<f4", "<f8"};
  return codes[static_cast<size_t>(type)];
}

namespace detail {

inline status bad(const std::string &message) {
  return status::failure(status_code::bad_file, message);
}

inline bool multiply(uint64_t &product, uint64_t factor) {
  return !__builtin_mul_overflow(product, factor, &product);
}

/// Bytes of a value of a type code such as "<f4" or "|V12"; 0 if it is not a type code.
inline size_t code_bytes(const std::string &code) {
  if (code.size() < 3 || !std::strchr("<>|=", code[0]))
    return 0;
  uint64_t bytes = 0;
  for (size_t i = 2; i < code.size(); ++i) {
    if (code[i] < '0' || code[i] > '9' || bytes > (1u << 24))
      return 0;
    bytes = bytes * 10 + static_cast<uint64_t>(code[i] - '0');
  }
  return static_cast<size_t>(code[1] == 'U' ? 4 * bytes : bytes);
}

/// Turns a dtype description into a list of leaves. `size`, the offset so far in the record,
/// grows by the type's bytes.
class dtype_reader {
public:
  explicit dtype_reader(header &result) : result_(result) {}

  bool read(const literal &description, const std::string &prefix, size_t &size) {
    if (description.is(literal::kind::string))
      return leaf(description.text, prefix, 1, size);
    if (!description.is(literal::kind::sequence) || description.items.empty())
      return false;
    result_.structured = true;
    for (const literal &item : description.items)
      if (!record_field(item, prefix, size))
        return false;
    return true;
  }

private:
  static constexpr size_t max_record_bytes = size_t{1} << 32;

  bool leaf(const std::string &code, const std::string &name, uint64_t cells, size_t &size) {
    const size_t bytes = code_bytes(code);
    uint64_t total = bytes;
    if (bytes == 0 || !multiply(total, cells) || total > max_record_bytes - size)
      return false;
    if (!(result_.structured && name.empty())) // a field without a name is padding
      result_.fields.push_back({name, code, size, bytes, cells});
    size += total;
    return true;
  }

  // ('name', type) or ('name', type, shape); a name may be (title, name).
  bool record_field(const literal &item, const std::string &prefix, size_t &size) {
    if (!item.is(literal::kind::sequence) || item.items.size() < 2 || item.items.size() > 3)
      return false;
    const literal *name = &item.items[0];
    if (name->is(literal::kind::sequence) && name->items.size() == 2)
      name = &name->items[1];
    if (!name->is(literal::kind::string))
      return false;
    uint64_t cells = 1;
    if (item.items.size() == 3 && !shape(item.items[2], cells))
      return false;
    const std::string full =
        prefix.empty() || name->text.empty() ? name->text : prefix + "." + name->text;
    const literal &type = item.items[1];
    if (type.is(literal::kind::string))
      return leaf(type.text, full, cells, size);
    return records(type, full, cells, size);
  }

  /// `count` records, one after another; their leaves are listed once.
  bool records(const literal &type, const std::string &name, uint64_t count, size_t &size) {
    const size_t begin = size, first = result_.fields.size();
    if (!read(type, name, size))
      return false;
    const size_t each = size - begin;
    uint64_t total = each;
    if (!multiply(total, count) || total > max_record_bytes - begin)
      return false;
    size = begin + total;
    for (size_t i = first; count != 1 && i < result_.fields.size(); ++i)
      result_.fields[i].repeated.insert(result_.fields[i].repeated.begin(), {count, each});
    return true;
  }

  static bool shape(const literal &value, uint64_t &cells) {
    if (value.is(literal::kind::integer)) {
      cells = value.number;
      return true;
    }
    if (!value.is(literal::kind::sequence))
      return false;
    for (const literal &extent : value.items)
      if (!extent.is(literal::kind::integer) || !multiply(cells, extent.number))
        return false;
    return true;
  }

  header &result_;
};

inline status read_dictionary(std::string_view text, header &result) {
  literal root;
  literal_parser parser(text);
  if (!parser.parse(root))
    return bad(std::string("malformed .npy header: ") + parser.reason());
  const literal *description = root.find("descr");
  const literal *order = root.find("fortran_order");
  const literal *shape = root.find("shape");
  if (!root.is(literal::kind::dictionary) || !description || !order || !shape ||
      !order->is(literal::kind::boolean) || !shape->is(literal::kind::sequence))
    return bad("malformed .npy header: needs descr, fortran_order and shape");
  if (!dtype_reader(result).read(*description, "", result.item_bytes))
    return bad("unsupported dtype in the .npy header: use plain numbers or a structured dtype "
               "of them");
  if (result.item_bytes == 0) // of those, a header could announce any number
    return bad("unsupported dtype in the .npy header: its records have no cells");
  result.description = text.substr(description->begin, description->end - description->begin);
  result.fortran_order = order->number != 0;
  result.num_items = 1;
  for (const literal &extent : shape->items) {
    if (!extent.is(literal::kind::integer) || !multiply(result.num_items, extent.number))
      return bad("malformed .npy header: shape");
    result.shape.push_back(extent.number);
  }
  return status::success();
}

} // namespace detail

/// Reads the header of a file of `size` bytes, and checks that the file has the data that the
/// header announces.
inline status parse_header(const char *bytes, size_t size, header &result) {
  result = {};
  const auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<uint8_t>(bytes[i])); };
  if (size < 10 || std::memcmp(bytes, "\x93NUMPY", 6) != 0)
    return detail::bad("not an .npy file: write it with numpy.save");
  const size_t major = byte(6);
  if (major < 1 || major > 3)
    return detail::bad("unknown .npy version " + std::to_string(major) + ": use numpy.save");
  const size_t prefix = major == 1 ? 10 : 12;
  size_t length = byte(8) | byte(9) << 8;
  if (major > 1 && size >= 12)
    length |= byte(10) << 16 | byte(11) << 24;
  if (size < prefix || length > size - prefix)
    return detail::bad("truncated .npy file: the header is cut off");
  result.data_offset = prefix + length;
  if (status s = detail::read_dictionary({bytes + prefix, length}, result); !s)
    return s;
  uint64_t data_bytes = result.num_items;
  if (!detail::multiply(data_bytes, result.item_bytes) || data_bytes > size - result.data_offset)
    return detail::bad("truncated .npy file: " + std::to_string(result.num_items) +
                       " items do not fit in it");
  return status::success();
}

/// bad_file unless cells of this type code are `wanted`; the message says how to convert them.
inline status check_type(const std::string &code, cell_type wanted) {
  const char *ours = type_code(wanted);
  if (code == ours ||
      (code.size() == 3 && code[1] == ours[1] && code[2] == ours[2] &&
       (code[0] == '=' || code[0] == '|' || size_bytes(wanted) == 1) && code[0] != '>'))
    return status::success();
  const std::string name = numpy_name(wanted);
  if (code.size() == 3 && code[1] == ours[1] && code[2] == ours[2])
    return detail::bad("cells are big-endian ('" + code + "'): convert them with a.astype(numpy." +
                       name + ")");
  return detail::bad("cells are '" + code + "', not " + name + " ('" + ours +
                     "'): convert them with a.astype(numpy." + name +
                     (name == "bool" ? "_)" : ")"));
}

/// "(8, 32)"
inline std::string shape_text(const std::vector<uint64_t> &shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

/// All bytes of a file before its data, which then starts at a multiple of 64. Version 1, or 2 if
/// the header is too long for it. description: "'<f4'", or "[('x', '<f4'), ('y', '<i4', (3,))]".
inline std::string format_header(const std::string &description, bool fortran_order,
                                 const std::vector<uint64_t> &shape) {
  std::string text = "{'descr': " + description +
                     ", 'fortran_order': " + (fortran_order ? "True" : "False") +
                     ", 'shape': " + shape_text(shape) + ", }";
  const bool long_header = text.size() + 64 > 0xffff;
  const size_t prefix = long_header ? 12 : 10;
  const size_t total = (prefix + text.size() + 1 + 63) / 64 * 64;
  text.append(total - prefix - text.size() - 1, ' ');
  text += '\n';
  std::string bytes("\x93NUMPY", 6);
  bytes += long_header ? '\2' : '\1';
  bytes += '\0';
  for (size_t i = 0; i < prefix - 8; ++i)
    bytes += static_cast<char>(text.size() >> (8 * i) & 0xff);
  return bytes + text;
}

inline std::string format_header(cell_type type, bool fortran_order,
                                 const std::vector<uint64_t> &shape) {
  return format_header(std::string("'") + type_code(type) + "'", fortran_order, shape);
}

/// An open file: header and mapped data.
struct array_file {
  mapped_file file;
  header head;

  const char *data() const { return file.data() + head.data_offset; }

  static status open(const std::string &path, array_file &result) {
    if (status s = mapped_file::open(path, result.file); !s)
      return s;
    status parsed = parse_header(result.file.data(), result.file.size(), result.head);
    if (!parsed)
      parsed.message = path + ": " + parsed.message;
    return parsed;
  }
};

/// The field called `name`; null if there is none.
inline const field *find_field(const header &head, const std::string &name) {
  for (const field &f : head.fields)
    if (f.name == name)
      return &f;
  return nullptr;
}

namespace detail {
/// Calls visit(offset in the record) for each run of cells side by side, in order.
template <class Visit>
void for_each_run(const field &leaf, size_t depth, size_t offset, const Visit &visit) {
  if (depth == leaf.repeated.size())
    return visit(offset);
  for (uint64_t i = 0; i < leaf.repeated[depth].count; ++i)
    for_each_run(leaf, depth + 1, offset + i * leaf.repeated[depth].stride_bytes, visit);
}
} // namespace detail

/// Copies a leaf's cells out of one record; returns where the next record's go.
inline char *gather_record(const field &leaf, const char *record, char *cells) {
  if (leaf.cells() == 0)
    return cells;
  const size_t bytes = leaf.item_bytes * leaf.run_cells;
  detail::for_each_run(leaf, 0, leaf.offset_bytes, [&](size_t offset) {
    std::memcpy(cells, record + offset, bytes);
    cells += bytes;
  });
  return cells;
}
/// The reverse: copies a leaf's cells into one record; returns where the next record's are.
inline const char *scatter_record(const field &leaf, const char *cells, char *record) {
  if (leaf.cells() == 0)
    return cells;
  const size_t bytes = leaf.item_bytes * leaf.run_cells;
  detail::for_each_run(leaf, 0, leaf.offset_bytes, [&](size_t offset) {
    std::memcpy(record + offset, cells, bytes);
    cells += bytes;
  });
  return cells;
}

/// Copies one leaf of every record, in order, to contiguous cells.
inline void gather_leaf(const char *data, const header &head, const field &leaf, void *cells) {
  char *out = static_cast<char *>(cells);
  for (uint64_t i = 0; i < head.num_items; ++i)
    out = gather_record(leaf, data + i * head.item_bytes, out);
}

/// The fields of a dtype's description, as in a header of that dtype: fields, structured,
/// item_bytes and description are set.
inline status parse_description(const std::string &description, header &result) {
  return detail::read_dictionary(
      "{'descr': " + description + ", 'fortran_order': False, 'shape': ()}", result);
}

} // namespace colonnade::runtime::npy
