# The families of families.json, and which target and test belongs to which.
#
#   ninja tests_<family>     builds what a family has: tests, kernels, benchmarks
#   ninja tests_<group>      builds a group: host, gpu, benches or compile
#   ctest -L '^<label>$'     runs the tests of a family or group
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  "${CMAKE_CURRENT_LIST_DIR}/families.json")
file(READ "${CMAKE_CURRENT_LIST_DIR}/families.json" colonnade_families_json)

# colonnade_families(out): the families' names.
function(colonnade_families out)
  string(JSON last LENGTH "${colonnade_families_json}")
  math(EXPR last "${last} - 1")
  set(names "")
  foreach(i RANGE ${last})
    string(JSON name MEMBER "${colonnade_families_json}" ${i})
    list(APPEND names "${name}")
  endforeach()
  set(${out} "${names}" PARENT_SCOPE)
endfunction()

# colonnade_family_names(family out): its name and its other names.
function(colonnade_family_names family out)
  set(names "${family}")
  string(JSON also ERROR_VARIABLE none GET "${colonnade_families_json}" "${family}" also)
  if(also)
    string(REGEX MATCHALL "[a-z_]+" others "${also}")
    list(APPEND names ${others})
  endif()
  set(${out} "${names}" PARENT_SCOPE)
endfunction()

# colonnade_family_of(programme out): the family that has the longest of the names that
# the programme's name begins with; scripts/gpu/evidence.py decides the same way.
function(colonnade_family_of programme out)
  set(longest 0)
  set(found "")
  colonnade_families(families)
  foreach(family IN LISTS families)
    colonnade_family_names(${family} names)
    foreach(name IN LISTS names)
      string(LENGTH "${name}" length)
      if("${programme}" MATCHES "^${name}_" AND length GREATER longest)
        set(longest ${length})
        set(found ${family})
      endif()
    endforeach()
  endforeach()
  if(NOT found)
    message(FATAL_ERROR "${programme} belongs to no family of families.json")
  endif()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

# colonnade_add_to(target label...): `ninja tests_<label>` builds the target, too.
function(colonnade_add_to target)
  foreach(label IN LISTS ARGN)
    if(NOT TARGET tests_${label})
      add_custom_target(tests_${label})
    endif()
    add_dependencies(tests_${label} ${target})
  endforeach()
endfunction()
