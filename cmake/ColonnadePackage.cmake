# What `cmake --install` puts where, and the package files of both the build tree
# and the installation:
#   bin/colonnade
#   include/colonnade/          annotate.h and the runtime's headers
#   lib/colonnade/              a runner's main programme, compiled
#   lib/cmake/Colonnade/        find_package(Colonnade)
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

add_library(Colonnade::bulk ALIAS colonnade_bulk)
add_executable(Colonnade::colonnade ALIAS colonnade)
set_target_properties(colonnade_bulk PROPERTIES EXPORT_NAME bulk)
target_include_directories(colonnade_bulk INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(colonnade_bulk INTERFACE cxx_std_20)

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/Colonnade")
set(build_package_folder "${PROJECT_BINARY_DIR}/cmake/Colonnade")
configure_package_config_file(cmake/ColonnadeConfig.cmake.in
  "${build_package_folder}/ColonnadeConfig.cmake" INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file("${build_package_folder}/ColonnadeConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
configure_file(cmake/ColonnadeBulkLibrary.cmake
  "${build_package_folder}/ColonnadeBulkLibrary.cmake" COPYONLY)

install(TARGETS colonnade colonnade_bulk EXPORT ColonnadeTargets
  RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(EXPORT ColonnadeTargets NAMESPACE Colonnade:: DESTINATION "${package_folder}")
export(EXPORT ColonnadeTargets NAMESPACE Colonnade::
  FILE "${build_package_folder}/ColonnadeTargets.cmake")
install(FILES
  "${build_package_folder}/ColonnadeConfig.cmake"
  "${build_package_folder}/ColonnadeConfigVersion.cmake"
  "${build_package_folder}/ColonnadeBulkLibrary.cmake"
  DESTINATION "${package_folder}")
install(DIRECTORY include/colonnade runtime/include/colonnade
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(FILES "${PROJECT_BINARY_DIR}/lib/colonnade/main.o"
  "${PROJECT_BINARY_DIR}/lib/colonnade/main.compiler" DESTINATION lib/colonnade)
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
