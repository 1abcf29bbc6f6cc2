# What `cmake --install` puts where, and the packages that CPack makes of it
# (docs/Install.md). Nothing installed knows the build tree or its own prefix.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# All static libraries of one half as one shared library, for other programs.
function(heddle_public_library name output folder)
  set(objects)
  get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(subfolder IN LISTS folders)
    heddle_collect_objects(${subfolder} objects)
  endforeach()
  add_library(${name} SHARED ${objects})
  set_target_properties(${name} PROPERTIES
    OUTPUT_NAME ${output} VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
    LINKER_LANGUAGE CXX INSTALL_RPATH "$ORIGIN;${LLVM_LIBRARY_DIRS}" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
  target_link_options(${name} PRIVATE -Wl,--as-needed)
  if(NOT HEDDLE_SANITIZE) # the sanitizers' functions are the program's
    target_link_options(${name} PRIVATE -Wl,--no-undefined)
  endif()
endfunction()

# Of the libraries of \p folder and the folders in it.
function(heddle_collect_objects folder result)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(aside ${target} EXCLUDE_FROM_ALL)
    if(type STREQUAL "STATIC_LIBRARY" AND NOT aside)
      list(APPEND ${result} $<TARGET_OBJECTS:${target}>)
    endif()
  endforeach()
  get_property(subfolders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(subfolder IN LISTS subfolders)
    heddle_collect_objects(${subfolder} ${result})
  endforeach()
  set(${result} ${${result}} PARENT_SCOPE)
endfunction()

heddle_public_library(HeddleModelsShared heddle-models ${CMAKE_SOURCE_DIR}/runtime)
target_link_libraries(HeddleModelsShared PRIVATE fmt::fmt yaml-cpp TBB::tbb PkgConfig::ZSTD PkgConfig::XXHASH ${CMAKE_DL_LIBS})
heddle_public_library(HeddleShared heddle ${CMAKE_SOURCE_DIR}/lib)
target_link_libraries(HeddleShared PUBLIC HeddleModelsShared PRIVATE HeddleLLVM HeddleClang HeddleMLIR fmt::fmt yaml-cpp TBB::tbb ${CMAKE_DL_LIBS})
# What finds them calls them Heddle::Heddle and Heddle::Models.
set_target_properties(HeddleShared PROPERTIES EXPORT_NAME Heddle)
set_target_properties(HeddleModelsShared PROPERTIES EXPORT_NAME Models)
# Generic names such as trace/ and arch/ get a folder of their own.
set(runtime_headers ${CMAKE_INSTALL_INCLUDEDIR}/heddle/runtime)
target_include_directories(HeddleModelsShared INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
                                                        $<INSTALL_INTERFACE:${runtime_headers}>)
target_compile_features(HeddleModelsShared INTERFACE cxx_std_23)

# Debian keeps libMLIR.so in LLVM's own folder, where the loader does not look.
set_target_properties(heddle heddle-opt heddle-translate PROPERTIES INSTALL_RPATH ${LLVM_LIBRARY_DIRS})

# The command, what it loads, its manual pages and completions.
install(TARGETS heddle heddle-opt heddle-translate RUNTIME COMPONENT heddle)
install(TARGETS HeddlePlugin LIBRARY DESTINATION lib/heddle COMPONENT heddle)
if(TARGET HeddleOpenCLLayer)
  install(TARGETS HeddleOpenCLLayer LIBRARY DESTINATION lib/heddle COMPONENT heddle)
endif()
# What CUDA programs are built with and run on.
set(cuda_libraries lib/heddle/cuda)
install(TARGETS HeddleCudart HeddleNvrtc HeddleCudaEngine LIBRARY DESTINATION ${cuda_libraries} COMPONENT heddle)
foreach(library HeddleCublas HeddleCufft HeddleCusparse HeddleCurand)
  if(TARGET ${library})
    install(TARGETS ${library} LIBRARY DESTINATION ${cuda_libraries} COMPONENT heddle)
  endif()
endforeach()
install(DIRECTORY ${CMAKE_BINARY_DIR}/lib/heddle/cuda/ DESTINATION ${cuda_libraries} COMPONENT heddle
        PATTERN libHeddleCudaEngine.so EXCLUDE PATTERN libcudart.so.12 EXCLUDE PATTERN libnvrtc.so.12 EXCLUDE PATTERN libcublas.so.12 EXCLUDE
        PATTERN libcufft.so.11 EXCLUDE PATTERN libcusparse.so.12 EXCLUDE PATTERN libcurand.so.10 EXCLUDE)
install(DIRECTORY ${CMAKE_BINARY_DIR}/share/heddle/cuda DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle COMPONENT heddle)
install(DIRECTORY ${CMAKE_BINARY_DIR}/lib/heddle/toolkit DESTINATION lib/heddle COMPONENT heddle)
install(PROGRAMS ${CMAKE_BINARY_DIR}/bin/heddle-nvcc DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT heddle)
set(help ${CMAKE_BINARY_DIR}/help)
add_custom_command(
  OUTPUT ${help}/made
  COMMAND ${CMAKE_COMMAND} -E make_directory ${help}
  COMMAND heddle help --write ${help}
  COMMAND ${CMAKE_COMMAND} -E touch ${help}/made
  DEPENDS heddle VERBATIM)
add_custom_target(help-pages ALL DEPENDS ${help}/made)
install(DIRECTORY ${help}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT heddle)
install(FILES ${help}/heddle.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME heddle COMPONENT heddle)
install(FILES ${help}/_heddle DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT heddle)
install(FILES ${help}/heddle.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT heddle)
install(DIRECTORY runtime/arch/specs/ DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle/machines COMPONENT heddle FILES_MATCHING PATTERN *.yaml)
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/heddle COMPONENT heddle)
install(DIRECTORY test/kernels/reduction test/kernels/matmul_tiled DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/heddle/examples COMPONENT heddle
        FILES_MATCHING PATTERN *.cu PATTERN *.cl PATTERN *.yaml)

# The library: what the command uses at run time, and what a build against it needs.
install(TARGETS HeddleShared HeddleModelsShared EXPORT HeddleTargets
        LIBRARY COMPONENT heddle NAMELINK_COMPONENT dev)
install(DIRECTORY include/heddle DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev FILES_MATCHING PATTERN *.h PATTERN *.def)
foreach(folder base trace arch launch models)
  install(DIRECTORY runtime/${folder} DESTINATION ${runtime_headers} COMPONENT dev FILES_MATCHING PATTERN *.h PATTERN *.def
          PATTERN specs EXCLUDE)
endforeach()
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Heddle)
install(EXPORT HeddleTargets NAMESPACE Heddle:: DESTINATION ${config_dir} COMPONENT dev)
configure_package_config_file(utils/cmake/HeddleConfig.cmake.in ${CMAKE_BINARY_DIR}/install/HeddleConfig.cmake
                              INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/install/HeddleConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/install/HeddleConfig.cmake ${CMAKE_BINARY_DIR}/install/HeddleConfigVersion.cmake
        DESTINATION ${config_dir} COMPONENT dev)
file(RELATIVE_PATH prefix_from_pkgconfig /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
foreach(package heddle heddle-models)
  configure_file(utils/cmake/${package}.pc.in ${CMAKE_BINARY_DIR}/install/${package}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/install/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
endforeach()

# Packages: `cpack -G DEB` and `cpack -G TZST` in the build folder.
set(CPACK_PACKAGE_NAME heddle)
set(CPACK_PACKAGE_VENDOR "The Heddle authors")
set(CPACK_PACKAGE_CONTACT "The Heddle authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Predicts how GPU kernels run, from their source and a launch")
set(CPACK_PACKAGE_DESCRIPTION "Heddle takes a kernel in CUDA C++, OpenCL C, LLVM IR, MLIR or PTX and a launch, and\n"
    "tells cycles, stalls and what to simulate instead. It needs no GPU and no toolkit.")
string(REPLACE ";" " " CPACK_PACKAGE_DESCRIPTION "${CPACK_PACKAGE_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL heddle dev python)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)
set(CPACK_ARCHIVE_THREADS 0)
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/lib ${CMAKE_BINARY_DIR}/lib/heddle/cuda ${LLVM_LIBRARY_DIRS})
set(CPACK_DEBIAN_HEDDLE_PACKAGE_NAME heddle)
# Clang's own headers, those of the host's C++ library, and OpenCL's built-ins.
set(CPACK_DEBIAN_HEDDLE_PACKAGE_DEPENDS "clang-22, libclang-common-22-dev, libclc-22, libstdc++-12-dev, libc6-dev")
set(CPACK_DEBIAN_HEDDLE_PACKAGE_SUGGESTS "pocl-opencl-icd, graphviz")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libheddle-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "heddle (= ${PROJECT_VERSION}), llvm-22-dev")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-heddle)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "heddle (= ${PROJECT_VERSION}), python3, python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-pandas, jupyter")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/utils/cmake/python3-heddle/prerm)
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
