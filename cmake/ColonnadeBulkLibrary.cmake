# colonnade_add_bulk_library(TARGET name
#                            SOURCES f.cpp …
#                            FUNCTIONS f g …
#                            BACKENDS cuda cpu
#                            [SIZES n=32 …] [EXTENTS b=n*n …] [BOUNDS 7=n …]
#                            [UNIFORM table …] [INSTANCE x …] [ALIASES out=in …]
#                            [FLAGS -DX …])
#
#   A static library of the functions in bulk. Link it, include "f.bulk.hpp".
#   The sources are parsed, not compiled: they stay in the target that has them.
#   FUNCTIONS are spelt as for `colonnade emit -f`; the files of ns::f<float> are
#   ns_f_float.bulk.*. FLAGS are Clang flags for parsing. A function that is not
#   oblivious fails the build with the tool's findings. BACKENDS cuda needs
#   `enable_language(CUDA)` first. Unknown arguments are errors.
function(colonnade_add_bulk_library)
  set(lists SOURCES FUNCTIONS BACKENDS SIZES EXTENTS BOUNDS UNIFORM INSTANCE ALIASES FLAGS)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "" "TARGET" "${lists}")
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

  set(outputs "")
  foreach(function IN LISTS ARG_FUNCTIONS)
    list(APPEND options -f "${function}")
    string(REGEX REPLACE "[^A-Za-z0-9]+" "_" stem "${function}")
    string(REGEX REPLACE "^_|_$" "" stem "${stem}")
    list(APPEND outputs "${folder}/${stem}.bulk.hpp" "${folder}/${stem}.bulk.cpp")
    if(cuda)
      list(APPEND outputs "${folder}/${stem}.bulk.cu")
    endif()
    list(APPEND outputs "${folder}/${stem}.bulk.json")
  endforeach()

  add_custom_command(
    OUTPUT ${outputs}
    COMMAND Colonnade::colonnade emit ${sources} ${options} --target "${targets}"
            -o "${folder}" --depfile "${folder}/${ARG_TARGET}.d" -- ${ARG_FLAGS}
    DEPENDS ${sources} Colonnade::colonnade
    DEPFILE "${folder}/${ARG_TARGET}.d"
    COMMENT "Bulk code of ${ARG_FUNCTIONS}"
    VERBATIM)
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
endfunction()
