# Helper functions for Colonnade's own build. Unknown arguments are errors.

add_library(colonnade_warnings INTERFACE)
# -Wrestrict has false alarms in the std::string of GCC 12.
target_compile_options(colonnade_warnings INTERFACE -Wall -Wextra -Wno-unused-parameter
                       $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)

# colonnade_add_stage(Name SOURCES a.cpp … [LINK lib …] [CLANG])
#   One static library per pipeline stage, `colonnade_<Name>`. Headers are
#   included as "<Stage>/File.h". CLANG adds Clang's headers: Frontend only.
function(colonnade_add_stage name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "CLANG" "" "SOURCES;LINK")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "colonnade_add_stage(${name}): unknown ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  add_library(colonnade_${name} STATIC ${ARG_SOURCES})
  target_include_directories(colonnade_${name} PUBLIC "${PROJECT_SOURCE_DIR}/lib")
  target_include_directories(colonnade_${name} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS})
  target_compile_definitions(colonnade_${name} PUBLIC ${LLVM_DEFINITIONS_LIST})
  target_link_libraries(colonnade_${name} PUBLIC ${ARG_LINK} LLVM PRIVATE colonnade_warnings)
  if(ARG_CLANG)
    target_include_directories(colonnade_${name} SYSTEM PRIVATE ${CLANG_INCLUDE_DIRS})
    target_link_libraries(colonnade_${name} PUBLIC clang-cpp)
  endif()
endfunction()
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND "${LLVM_DEFINITIONS}")
