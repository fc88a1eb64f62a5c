//===- OptionTexts.cpp - Texts of options to values -----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Options/OptionTexts.h"

#include "Emit/BackEnds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <CLI/Error.hpp>

#include <array>
#include <charconv>
#include <map>

namespace colonnade {

using Failure = CLI::ValidationError;

static Assignment splitAssignment(const std::string &option, const std::string &text) {
  size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw Failure(option, "expected NAME=VALUE, got '" + text + "'");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::vector<Assignment> parseAssignments(const std::string &option,
                                         const std::vector<std::string> &texts) {
  std::vector<Assignment> assignments;
  for (const std::string &text : texts)
    assignments.push_back(splitAssignment(option, text));
  return assignments;
}

static bool dividesByZero(const SizeExpr &e) {
  const bool isQuotient = e.kind() == SizeExpr::Kind::Div || e.kind() == SizeExpr::Kind::Rem;
  const bool isBinary = e.kind() >= SizeExpr::Kind::Add;
  return (isQuotient && e.rhs().isConstant(0)) ||
         (isBinary && (dividesByZero(e.lhs()) || dividesByZero(e.rhs())));
}

static SizeExpr parseExpression(const std::string &option, const std::string &text) {
  std::string error;
  std::optional<SizeExpr> expression = SizeExpr::parse(text, error);
  if (!expression)
    throw Failure(option, "bad expression '" + text + "': " + error);
  if (dividesByZero(*expression))
    throw Failure(option, "'" + text + "' divides by zero");
  return *expression;
}

static int64_t parseInteger(const std::string &option, const std::string &text) {
  int64_t value = 0;
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size())
    throw Failure(option, "expected a whole number, got '" + text + "'");
  return value;
}

/// Splits at commas outside parentheses: "n,max(n,m)" has two dimensions.
static std::vector<std::string> splitTopLevel(const std::string &text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::set<VerdictClass> parseClasses(const std::string &option,
                                    const std::vector<std::string> &texts) {
  std::set<VerdictClass> classes;
  for (const std::string &text : texts) {
    std::optional<VerdictClass> known = findVerdictClass(text);
    if (!known)
      throw Failure(option, "unknown class '" + text + "'; classes are " + verdictLetters());
    classes.insert(*known);
  }
  return classes;
}

Dump parseDump(const std::string &text) {
  if (text.empty())
    return Dump::None;
  const std::array<std::pair<const char *, Dump>, 6> stages = {{{"raw", Dump::Raw},
                                                                {"ledger", Dump::Ledger},
                                                                {"ir", Dump::Ir},
                                                                {"facts", Dump::Facts},
                                                                {"certificate", Dump::Certificate},
                                                                {"kernel", Dump::Kernel}}};
  for (auto [name, dump] : stages)
    if (text == name)
      return dump;
  throw Failure("--dump",
                "unknown stage '" + text + "'; stages are raw ledger ir facts certificate kernel");
}

RowPlan parsePlan(const std::string &text) {
  if (text.empty())
    return {};
  if (const std::optional<RowPlan> plan = parseRowPlan(text))
    return *plan;
  throw Failure("--plan", "unknown plan '" + text + "'; plans are " + rowPlanNames());
}

/// "12" or "file.h:12"
static LoopPlace parsePlace(const std::string &text) {
  size_t colon = text.rfind(':');
  std::string line = colon == std::string::npos ? text : text.substr(colon + 1);
  int64_t number = parseInteger("--bound", line);
  if (number < 1)
    throw Failure("--bound", "lines count from 1, got '" + line + "'");
  return {colon == std::string::npos ? "" : text.substr(0, colon), static_cast<unsigned>(number)};
}

/// Of two different statements about one thing one would be ignored.
template <class Map, class Key, class Fact>
static void state(Map &facts, const Key &key, const Fact &fact, const std::string &option,
                  const std::string &name) {
  auto [known, isNew] = facts.try_emplace(key, fact);
  if (!isNew && known->second != fact)
    throw Failure(option, "two values for '" + name + "'");
}

/// The number of iterations or cells.
static SizeExpr parseCount(const std::string &option, const std::string &text) {
  SizeExpr size = parseExpression(option, text);
  if (size.asConstant().value_or(0) < 0)
    throw Failure(option, "'" + text + "' is negative");
  return size;
}

/// "32", or "1..32".
static SizeRange parseRange(const std::string &text) {
  const size_t dots = text.find("..");
  if (dots == std::string::npos) {
    const int64_t value = parseInteger("--size", text);
    return {value, value};
  }
  const SizeRange range = {parseInteger("--size", text.substr(0, dots)),
                           parseInteger("--size", text.substr(dots + 2))};
  if (range.least >= range.most)
    throw Failure("--size", "'" + text + "' is no range: it begins at " +
                                std::to_string(range.least) + " and ends at " +
                                std::to_string(range.most));
  return range;
}

/// "n=32", "n=8,16,32", "n=1..32" or "n=8,1..32".
static void parseSizes(const std::string &text, EntryFacts &facts) {
  auto [name, list] = splitAssignment("--size", text);
  std::vector<SizeRange> values;
  for (const std::string &value : splitTopLevel(list)) {
    values.push_back(parseRange(value));
    if (std::count(values.begin(), values.end(), values.back()) > 1)
      throw Failure("--size", "'" + text + "' names " + value + " twice");
  }
  const bool isList = values.size() > 1 || !values.front().isOne();
  if (isList ? facts.sizes.count(name) : facts.sizeLists.count(name))
    throw Failure("--size", "two values for '" + name + "'");
  if (isList)
    state(facts.sizeLists, name, values, "--size", name);
  else
    state(facts.sizes, name, values.front().least, "--size", name);
}

EntryFacts parseFacts(const OptionTexts &texts) {
  EntryFacts facts;
  for (const std::string &text : texts.extents) {
    auto [name, value] = splitAssignment("--extent", text);
    std::vector<SizeExpr> extents;
    for (const std::string &dimension : splitTopLevel(value))
      extents.push_back(parseCount("--extent", dimension));
    state(facts.extents, name, extents, "--extent", name);
  }
  facts.uniform.insert(texts.uniform.begin(), texts.uniform.end());
  facts.instance.insert(texts.instance.begin(), texts.instance.end());
  for (const std::string &name : facts.uniform)
    if (facts.instance.count(name))
      throw Failure("--uniform", "'" + name + "' is declared --instance as well");
  for (const std::string &text : texts.aliases)
    facts.aliases.push_back(splitAssignment("--alias", text));
  for (const std::string &text : texts.bounds) {
    auto [place, value] = splitAssignment("--bound", text);
    state(facts.bounds, parsePlace(place), parseCount("--bound", value), "--bound", place);
  }
  for (const std::string &text : texts.sizes)
    parseSizes(text, facts);
  return facts;
}

std::string verifyArgument(const std::string &text) {
  if (text == "true") // a flag without a value
    return "--verify";
  if (text != "all" && parseInteger("--verify", text) < 1)
    throw Failure("--verify", "'" + text + "' is neither all nor a number from 1 on");
  return "--verify=" + text;
}

unsigned parseWitnessSeconds(const std::string &text) {
  constexpr unsigned DefaultSeconds = 5, MaxSeconds = 86'400;
  if (text == "true") // a flag without a value
    return DefaultSeconds;
  const int64_t seconds = parseInteger("--witness", text);
  if (seconds < 1 || seconds > MaxSeconds)
    throw Failure("--witness", "'" + text + "' is no number of seconds from 1 to 86400");
  return static_cast<unsigned>(seconds);
}

static std::string checkedModel(const std::string &text) {
  const std::vector<std::string> names = model::costModelNames();
  if (llvm::is_contained(names, text))
    return text;
  throw Failure("--model", "unknown model '" + text + "'; models are " + llvm::join(names, ", "));
}

/// A list that has nothing twice: lines of a report would be there twice, too.
static std::vector<std::string> parseList(const std::string &option, const std::string &text) {
  std::vector<std::string> parts = splitTopLevel(text);
  for (const std::string &part : parts)
    if (llvm::count(parts, part) > 1)
      throw Failure(option, "'" + part + "' is there twice");
  return parts;
}

static model::Layout parseLayout(const std::string &text) {
  if (std::optional<model::Layout> layout = model::findLayout(text))
    return *layout;
  throw Failure("--layout", "unknown layout '" + text + "'; layouts are tiled, column, row");
}

static int64_t parseBetween(const std::string &option, const std::string &text, int64_t least,
                            int64_t most) {
  const int64_t value = parseInteger(option, text);
  if (value < least || value > most)
    throw Failure(option, "'" + text + "' is no number from " + std::to_string(least) + " to " +
                              std::to_string(most));
  return value;
}

/// From 1 on, and small enough that sums of a few fit.
static int64_t parsePositive(const std::string &option, const std::string &text, int64_t most) {
  return parseBetween(option, text, 1, most);
}

static model::Replacement parsePolicy(const std::string &text) {
  if (std::optional<model::Replacement> policy = model::findReplacement(text))
    return *policy;
  throw Failure("--policy", "unknown policy '" + text + "'; policies are lru, islru, ismin, min");
}

/// What an insertion costs.
static double parseTau(const std::string &text) {
  char *end = nullptr;
  const double tau = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(tau > 0) || tau > 1e9)
    throw Failure("--tau", "'" + text + "' is no number above 0 and up to 1000000000");
  return tau;
}

/// An option of a machine: what is given, else the machine's, else a default if there is no
/// machine. nullopt: the machine does not say it.
static std::optional<int64_t> ofMachine(const model::CostOptions &cost, const std::string &field,
                                        const std::string &option, const std::string &text,
                                        int64_t most) {
  if (!text.empty())
    return parsePositive(option, text, most);
  return cost.machine ? cost.machine->findWhole(field) : std::nullopt;
}

static void parseVat(const OptionTexts &texts, model::CostOptions &cost) {
  constexpr int64_t MaxPage = int64_t(1) << 40, MaxFanout = 1 << 20, MaxCache = 1 << 24;
  constexpr int64_t MaxDepth = 40;
  model::VatMachine &vat = cost.vat;
  auto take = [&](const char *field, const std::string &text, int64_t most, auto &into) {
    const auto value = ofMachine(cost, field, "--" + std::string(field), text, most);
    if (value)
      into = static_cast<std::decay_t<decltype(into)>>(*value);
    else if (cost.machine && cost.vatLacks.empty())
      cost.vatLacks = field;
  };
  take("page", texts.page, MaxPage, vat.pageBytes);
  if (vat.pageBytes % 16 != 0)
    throw Failure("--page", "'" + std::to_string(vat.pageBytes) + "' is no multiple of 16 bytes");
  take("fanout", texts.fanout, MaxFanout, vat.fanout);
  if (vat.fanout < 2)
    throw Failure("--fanout", "a node has two children or more");
  take("cache", texts.cache, MaxCache, vat.cache);
  if (!texts.tau.empty())
    vat.tau = parseTau(texts.tau);
  else if (cost.machine)
    vat.tau = cost.machine->find("tau").value_or(vat.tau);
  if (const auto depth = ofMachine(cost, "depth", "--depth", texts.depth, MaxDepth))
    vat.depth = static_cast<unsigned>(*depth);
  if (!texts.resident.empty())
    vat.resident = parsePositive("--resident", texts.resident, cost.count);
  else if (cost.machine)
    vat.resident = std::min(cost.count, cost.machine->residentThreads().value_or(cost.count));
}

/// What was not given is the machine's.
static void parseMachine(const OptionTexts &texts, model::CostOptions &cost) {
  constexpr int64_t MaxWidth = 1024, MaxLatency = 1'000'000, MaxDmms = 1 << 20;
  if (!texts.machine.empty()) {
    llvm::Expected<model::Machine> machine = model::readMachine(texts.machine);
    if (!machine)
      throw Failure("--machine", llvm::toString(machine.takeError()));
    cost.machine = std::move(*machine);
  }
  cost.width = ofMachine(cost, "warp", "--width", texts.width, MaxWidth).value_or(cost.width);
  cost.latency = ofMachine(cost, "latency", "--latency", texts.latency, MaxLatency);
  cost.dmms = ofMachine(cost, "sms", "--dmms", texts.dmms, MaxDmms);
  if (!cost.machine) {
    cost.latency = cost.latency.value_or(model::DefaultLatency);
    cost.dmms = cost.dmms.value_or(model::DefaultDmms);
  }
  if (texts.broadcast && texts.noBroadcast)
    throw Failure("--broadcast", "contradicts --no-broadcast");
  const bool isReal = cost.machine && cost.machine->isReal;
  cost.broadcast = texts.broadcast || (isReal && !texts.noBroadcast);
  parseVat(texts, cost);
}

static model::ArrayPlace parsePlace(const Assignment &assignment) {
  const std::optional<ir::Space> space = model::findPlace(assignment.second);
  if (!space)
    throw Failure("--place",
                  "unknown place '" + assignment.second + "'; places are global, registers, local");
  return {assignment.first, *space};
}

model::CostOptions parseCost(const OptionTexts &texts, bool isOfGpu) {
  constexpr int64_t MaxCount = int64_t(1) << 40, MaxBase = 1 << 20;
  model::CostOptions cost;
  cost.count = parsePositive("--count", texts.count, MaxCount);
  cost.takesAllModels = texts.models.empty();
  if (cost.takesAllModels)
    cost.models = model::costModelNames();
  else
    for (const std::string &model : parseList("--model", texts.models))
      cost.models.push_back(checkedModel(model));
  for (const std::string &layout : parseList("--layout", texts.layouts))
    cost.layouts.push_back(parseLayout(layout));
  parseMachine(texts, cost);
  cost.base = parseBetween("--base", texts.base, 0, MaxBase);
  for (const std::string &policy : parseList("--policy", texts.policies))
    cost.policies.push_back(parsePolicy(policy));
  std::map<std::string, ir::Space> places;
  for (const Assignment &assignment : parseAssignments("--place", texts.places)) {
    cost.places.push_back(parsePlace(assignment));
    state(places, assignment.first, cost.places.back().space, "--place", assignment.first);
  }
  cost.isOfGpu = isOfGpu;
  return cost;
}

std::vector<const BackEnd *> parseTargets(const std::string &text) {
  std::set<const BackEnd *> wanted;
  for (const std::string &target : splitTopLevel(text)) {
    const BackEnd *backEnd = findBackEnd(target);
    if (!backEnd)
      throw Failure("--target", "unknown target '" + target + "'; targets are " + backEndNames());
    wanted.insert(backEnd);
  }
  std::vector<const BackEnd *> inOrder;
  for (const BackEnd &backEnd : backEnds())
    if (wanted.count(&backEnd))
      inOrder.push_back(&backEnd);
  return inOrder;
}

} // namespace colonnade
