# Helper functions for Colonnade's own build. Unknown arguments are errors.

add_library(colonnade_warnings INTERFACE)
target_compile_options(colonnade_warnings INTERFACE -Wall -Wextra -Wno-unused-parameter)

# colonnade_add_stage(Name SOURCES a.cpp … [LINK lib …] [CLANG])
#   One static library per pipeline stage, `colonnade_<Name>`. Headers are
#   included as "<Stage>/File.h". CLANG adds Clang's headers: Frontend only.
#   The headers below are parsed once for all stages, by the first; Frontend has
#   its own list. The files of a stage are compiled in groups (COLONNADE_GROUPED): what
#   their headers instantiate is instantiated once a group. So names of static functions
#   and of anonymous namespaces are unique within a stage.
set(colonnade_common_headers
  <algorithm>
  <array>
  <cassert>
  <functional>
  <map>
  <memory>
  <optional>
  <set>
  <string>
  <unordered_map>
  <variant>
  <vector>
  <llvm/ADT/ArrayRef.h>
  <llvm/ADT/DenseMap.h>
  <llvm/ADT/STLExtras.h>
  <llvm/ADT/SmallVector.h>
  <llvm/ADT/StringExtras.h>
  <llvm/ADT/StringRef.h>
  <llvm/ADT/StringSwitch.h>
  <llvm/ADT/Twine.h>
  <llvm/Support/Error.h>
  <llvm/Support/JSON.h>
  <llvm/Support/raw_ostream.h>)

# A class's bases may come from an external source. That there is one, Clang's header only
# asserts: GCC 12 warns that it may be null wherever bases are read.
function(colonnade_clang_warnings target)
  target_compile_options(${target} PRIVATE "$<$<CXX_COMPILER_ID:GNU>:-Wno-nonnull>")
endfunction()

option(COLONNADE_GROUPED "Compile several files of a stage as one: half the time" ON)
function(colonnade_group_sources target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${COLONNADE_GROUPED}
    UNITY_BUILD_BATCH_SIZE 8)
endfunction()

function(colonnade_add_stage name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "CLANG" "" "SOURCES;LINK")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "colonnade_add_stage(${name}): unknown ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  add_library(colonnade_${name} STATIC ${ARG_SOURCES})
  set_property(GLOBAL APPEND PROPERTY COLONNADE_STAGES colonnade_${name})
  target_include_directories(colonnade_${name} PUBLIC "${PROJECT_SOURCE_DIR}/lib")
  target_include_directories(colonnade_${name} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS})
  target_compile_definitions(colonnade_${name} PUBLIC ${LLVM_DEFINITIONS_LIST})
  target_link_libraries(colonnade_${name} PUBLIC ${ARG_LINK} LLVM PRIVATE colonnade_warnings)
  colonnade_group_sources(colonnade_${name})
  # -O2 compiles faster than the -O3 of a Release build.
  target_compile_options(colonnade_${name} PRIVATE $<$<CONFIG:Release>:-O2>)
  if(name STREQUAL Support)
    target_precompile_headers(colonnade_Support PRIVATE ${colonnade_common_headers})
  elseif(NOT ARG_CLANG)
    target_precompile_headers(colonnade_${name} REUSE_FROM colonnade_Support)
  endif()
  if(ARG_CLANG)
    target_include_directories(colonnade_${name} SYSTEM PRIVATE ${CLANG_INCLUDE_DIRS})
    target_link_libraries(colonnade_${name} PUBLIC clang-cpp)
  endif()
endfunction()
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND "${LLVM_DEFINITIONS}")
