# colonnade_add_bulk_library(TARGET name
#                            SOURCES f.cpp …
#                            FUNCTIONS f g …
#                            BACKENDS cuda cpu
#                            [SIZES n=32 m=8,16 …] [EXTENTS b=n*n …] [BOUNDS 7=n …]
#                            [UNIFORM table …] [INSTANCE x …] [ALIASES out=in …]
#                            [FLAGS -DX …] [VECTOR_MATH] [TUNING tuning.json [GPU name]])
#
#   A static library of the functions in bulk. Link it, include "f.bulk.hpp".
#   The sources are parsed, not compiled: they stay in the target that has them.
#   FUNCTIONS are spelt as for `colonnade emit -f`, also by signature; what their files are called
#   (ns_f_float.bulk.* of ns::f<float>) the tool says at configure time. FLAGS are Clang flags for
#   parsing. A function that is not oblivious fails the build with the tool's findings. BACKENDS
#   cuda needs `enable_language(CUDA)` first. VECTOR_MATH: functions of <cmath> for all SIMD lanes
#   at once, by SLEEF. TUNING: what `colonnade tune` has found, on that GPU. Unknown arguments are
#   errors.
#
#   SIZES m=8,16: code for m = 8 and for m = 16 beside that for all, in files of its own
#   (f_m8.bulk.*, f_m16.bulk.*); calls of f find it. SIZES m=1..32: code for that range.
#
#   When a source changes, its functions are generated again, and what came out differently is
#   compiled: the tool writes to a folder of its own, from which only files that differ are copied.

# The path of the tool, if it can be run at configure time; else empty.
function(colonnade_find_tool result)
  set(${result} "" PARENT_SCOPE)
  get_target_property(imported Colonnade::colonnade IMPORTED)
  if(NOT imported)
    return()
  endif()
  get_target_property(configurations Colonnade::colonnade IMPORTED_CONFIGURATIONS)
  foreach(configuration IN LISTS configurations)
    get_target_property(path Colonnade::colonnade "IMPORTED_LOCATION_${configuration}")
    if(EXISTS "${path}")
      set(${result} "${path}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# Of lists of sizes and ranges, n=8,1..32 m=2,4: _n8_m2, _n8_m4, _n1_to_32_m2 and so on.
function(colonnade_size_suffixes result)
  list(SORT ARGN)
  list(FILTER ARGN INCLUDE REGEX ",|\\.\\.")
  set(suffixes "")
  foreach(sizes IN LISTS ARGN)
    string(REGEX REPLACE "=.*" "" name "${sizes}")
    string(REGEX REPLACE "[^A-Za-z0-9]" "_" name "${name}")
    string(REGEX REPLACE ".*=" "" values "${sizes}")
    string(REPLACE "," ";" values "${values}")
    list(TRANSFORM values REPLACE "\\.\\.-" "_to__minus")
    list(TRANSFORM values REPLACE "\\.\\." "_to_")
    list(TRANSFORM values REPLACE "^-" "_minus")
    set(longer "")
    if(NOT suffixes)
      list(TRANSFORM values PREPEND "_${name}" OUTPUT_VARIABLE longer)
    endif()
    foreach(suffix IN LISTS suffixes)
      list(TRANSFORM values PREPEND "${suffix}_${name}" OUTPUT_VARIABLE of_suffix)
      list(APPEND longer ${of_suffix})
    endforeach()
    set(suffixes ${longer})
  endforeach()
  set(${result} "${suffixes}" PARENT_SCOPE)
endfunction()

# The stems of the files of `functions`, in their order: what the tool says, or, where it or a
# source is not built yet, what it says of most names.
function(colonnade_bulk_stems result target)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "" "SOURCES;FUNCTIONS;SIZES;FLAGS")
  colonnade_size_suffixes(suffixes ${ARG_SIZES})
  set(options "")
  set(stems "")
  foreach(function IN LISTS ARG_FUNCTIONS)
    list(APPEND options -f "${function}")
    string(REGEX REPLACE "\\(.*" "" stem "${function}")
    string(REGEX REPLACE "[^A-Za-z0-9]+" "_" stem "${stem}")
    string(REGEX REPLACE "^_|_$" "" stem "${stem}")
    list(APPEND stems "${stem}")
    foreach(suffix IN LISTS suffixes)
      list(APPEND stems "${stem}${suffix}")
    endforeach()
  endforeach()
  foreach(sizes IN LISTS ARG_SIZES)
    list(APPEND options --size "${sizes}")
  endforeach()
  colonnade_find_tool(tool)
  if(tool)
    execute_process(COMMAND "${tool}" stems ${ARG_SOURCES} ${options} -- ${ARG_FLAGS}
      OUTPUT_VARIABLE said ERROR_VARIABLE errors RESULT_VARIABLE failed
      OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT failed)
      string(REPLACE "\n" ";" stems "${said}")
    elseif(NOT errors MATCHES "does not compile|cannot read") # what the build makes may be missing
      message(FATAL_ERROR "colonnade_add_bulk_library(${target}): ${errors}")
    endif()
  endif()
  set(unique ${stems})
  list(REMOVE_DUPLICATES unique)
  if(NOT "${unique}" STREQUAL "${stems}")
    message(FATAL_ERROR "colonnade_add_bulk_library(${target}): of FUNCTIONS ${ARG_FUNCTIONS} two "
                        "have the files ${stems}; take a library for each")
  endif()
  set(${result} "${stems}" PARENT_SCOPE)
endfunction()

function(colonnade_add_bulk_library)
  set(lists SOURCES FUNCTIONS BACKENDS SIZES EXTENTS BOUNDS UNIFORM INSTANCE ALIASES FLAGS)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "VECTOR_MATH" "TARGET;TUNING;GPU" "${lists}")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "colonnade_add_bulk_library: unknown ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  foreach(required TARGET SOURCES FUNCTIONS BACKENDS)
    if(NOT ARG_${required})
      message(FATAL_ERROR "colonnade_add_bulk_library: ${required} is missing")
    endif()
  endforeach()
  foreach(backend IN LISTS ARG_BACKENDS)
    if(NOT backend MATCHES "^(cuda|cpu)$")
      message(FATAL_ERROR "colonnade_add_bulk_library: unknown back end ${backend}")
    endif()
  endforeach()
  set(cuda OFF)
  if("cuda" IN_LIST ARG_BACKENDS)
    set(cuda ON)
    if(NOT CMAKE_CUDA_COMPILER)
      message(FATAL_ERROR "colonnade_add_bulk_library(${ARG_TARGET}): BACKENDS cuda needs "
                          "enable_language(CUDA)")
    endif()
  endif()

  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${ARG_TARGET}.bulk")
  list(JOIN ARG_BACKENDS "," targets)
  set(sources "")
  foreach(source IN LISTS ARG_SOURCES)
    get_filename_component(source "${source}" ABSOLUTE)
    list(APPEND sources "${source}")
  endforeach()

  set(options "")
  set(option_SIZES --size)
  set(option_EXTENTS --extent)
  set(option_BOUNDS --bound)
  set(option_UNIFORM --uniform)
  set(option_INSTANCE --instance)
  set(option_ALIASES --alias)
  foreach(list SIZES EXTENTS BOUNDS UNIFORM INSTANCE ALIASES)
    foreach(value IN LISTS ARG_${list})
      list(APPEND options ${option_${list}} "${value}")
    endforeach()
  endforeach()

  set(tuning "")
  if(ARG_TUNING)
    if(NOT cuda)
      message(FATAL_ERROR "colonnade_add_bulk_library(${ARG_TARGET}): TUNING needs BACKENDS cuda")
    endif()
    get_filename_component(tuning "${ARG_TUNING}" ABSOLUTE)
    list(APPEND options --tuning "${tuning}")
  endif()
  if(ARG_GPU)
    list(APPEND options --gpu "${ARG_GPU}")
  endif()

  set(files "")
  colonnade_bulk_stems(stems "${ARG_TARGET}" SOURCES ${sources} FUNCTIONS ${ARG_FUNCTIONS}
    SIZES ${ARG_SIZES} FLAGS ${ARG_FLAGS})
  foreach(stem IN LISTS stems)
    list(APPEND files "${stem}.bulk.hpp" "${stem}.bulk.cpp")
    if(cuda)
      list(APPEND files "${stem}.bulk.cu")
    endif()
    list(APPEND files "${stem}.bulk.json")
  endforeach()
  foreach(function IN LISTS ARG_FUNCTIONS)
    list(APPEND options -f "${function}")
  endforeach()

  set(generated ${files})
  list(TRANSFORM generated PREPEND "${folder}/generated/")
  list(POP_FRONT generated first)
  add_custom_command(
    OUTPUT "${first}"
    BYPRODUCTS ${generated}
    COMMAND Colonnade::colonnade emit ${sources} ${options} --target "${targets}"
            -o "${folder}/generated" --depfile "${folder}/${ARG_TARGET}.d" -- ${ARG_FLAGS}
    DEPENDS ${sources} ${tuning} Colonnade::colonnade
    DEPFILE "${folder}/${ARG_TARGET}.d"
    COMMENT "Bulk code of ${ARG_FUNCTIONS}"
    VERBATIM)
  set(outputs "")
  foreach(file IN LISTS files)
    add_custom_command(
      OUTPUT "${folder}/${file}"
      COMMAND "${CMAKE_COMMAND}" -E copy_if_different "${folder}/generated/${file}"
              "${folder}/${file}"
      DEPENDS "${first}"
      COMMENT ""
      VERBATIM)
    list(APPEND outputs "${folder}/${file}")
  endforeach()
  add_library(${ARG_TARGET} STATIC ${outputs})
  target_include_directories(${ARG_TARGET} PUBLIC "${folder}")
  target_link_libraries(${ARG_TARGET} PUBLIC Colonnade::bulk)
  # Contraction would change results; vectors want -O3 whatever the build type.
  target_compile_options(${ARG_TARGET} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-O3;-ffp-contract=off>
    $<$<COMPILE_LANGUAGE:CUDA>:--fmad=false>)
  if(cuda)
    target_compile_definitions(${ARG_TARGET} PUBLIC COLONNADE_BULK_CUDA)
  endif()
  if(ARG_VECTOR_MATH)
    find_library(COLONNADE_SLEEF sleef)
    if(NOT COLONNADE_SLEEF)
      message(FATAL_ERROR "colonnade_add_bulk_library(${ARG_TARGET}): VECTOR_MATH needs SLEEF: "
                          "install it (Debian: libsleef-dev), or leave VECTOR_MATH out")
    endif()
    target_compile_definitions(${ARG_TARGET} PRIVATE COLONNADE_VECTOR_MATH)
    target_link_libraries(${ARG_TARGET} PUBLIC "${COLONNADE_SLEEF}")
  endif()
endfunction()
