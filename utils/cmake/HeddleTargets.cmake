# The dependencies of both halves and the two functions that declare their libraries.

# Anywhere that find_package looks: -DLLVM_DIR=..., CMAKE_PREFIX_PATH, Debian's
# folder, the system's. 22.1.8 is no version 22 to LLVM's files, but a 22.1.
find_package(LLVM 22.1 CONFIG HINTS /usr/lib/llvm-22)
if(NOT LLVM_FOUND)
  message(FATAL_ERROR "Heddle needs LLVM 22; run utils/deps, or point -DLLVM_DIR at the folder of its LLVMConfig.cmake")
endif()
foreach(library LLVM clang-cpp MLIR)
  if(NOT EXISTS ${LLVM_LIBRARY_DIRS}/lib${library}.so)
    message(FATAL_ERROR "Heddle links LLVM's shared libraries; ${LLVM_LIBRARY_DIRS} has no lib${library}.so")
  endif()
endforeach()

# A process that loads the three libraries takes 115 ms to start (heddle --version),
# most of it their relocations and constructors; one with the archives inside 37 ms.
# Targets with the property HEDDLE_LINKS_ARCHIVES have what they use of them inside.
file(GLOB archives ${LLVM_LIBRARY_DIRS}/libLLVM*.a ${LLVM_LIBRARY_DIRS}/libclang*.a ${LLVM_LIBRARY_DIRS}/libMLIR*.a)
execute_process(COMMAND ${LLVM_TOOLS_BINARY_DIR}/llvm-config --link-static --system-libs
                OUTPUT_VARIABLE archives_need OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
separate_arguments(archives_need)
add_library(HeddleLLVMArchives INTERFACE)
target_link_libraries(HeddleLLVMArchives INTERFACE "$<LINK_GROUP:RESCAN,${archives}>" ${archives_need})
function(heddle_llvm_library name library)
  set(asked $<BOOL:$<TARGET_PROPERTY:HEDDLE_LINKS_ARCHIVES>>)
  add_library(${name} INTERFACE)
  target_link_libraries(${name} INTERFACE "$<IF:${asked},HeddleLLVMArchives,${LLVM_LIBRARY_DIRS}/lib${library}.so>")
endfunction()
heddle_llvm_library(HeddleLLVM LLVM)
heddle_llvm_library(HeddleClang clang-cpp)
heddle_llvm_library(HeddleMLIR MLIR)

# Not with shared libraries of our own, which would all have a part of LLVM inside,
# and not with sanitizers: their tests are made for LLVM's own libraries.
function(heddle_link_archives)
  list(LENGTH archives count)
  if(count GREATER 3 AND NOT BUILD_SHARED_LIBS AND NOT HEDDLE_SANITIZE)
    set_target_properties(${ARGN} PROPERTIES HEDDLE_LINKS_ARCHIVES ON)
    foreach(target IN LISTS ARGN)
      target_link_options(${target} PRIVATE -Wl,--as-needed -Wl,--gc-sections -Wl,-z,pack-relative-relocs)
    endforeach()
  endif()
endfunction()

find_package(yaml-cpp REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(cereal REQUIRED)
find_package(TBB REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)

add_compile_options(-Wall -Wextra -Wno-unused-parameter)
# A batch of files is one object. What a program or library does not use of it is
# left out: libcudart.so must not load what only the models need.
add_compile_options(-ffunction-sections -fdata-sections)
add_link_options(-Wl,--gc-sections)
if(CMAKE_COMPILE_WARNING_AS_ERROR)
  # std::stable_sort of libstdc++ 12 uses what C++23 deprecates.
  add_compile_options(-Wno-error=deprecated-declarations)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # A timestamp inside the precompiled header would defeat ccache.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
endif()
if(HEDDLE_SANITIZE STREQUAL "address")
  # LLVM is built without type information, and functions of the JIT have no
  # type word in front of them for calls to compare.
  add_compile_options(-fsanitize=address,undefined -fno-omit-frame-pointer
                      -fno-sanitize=vptr,function)
  add_link_options(-fsanitize=address,undefined)
elseif(HEDDLE_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_compile_definitions(HEDDLE_THREAD_SANITIZER)
  add_link_options(-fsanitize=thread)
elseif(HEDDLE_SANITIZE)
  message(FATAL_ERROR "HEDDLE_SANITIZE is address, thread or OFF, not ${HEDDLE_SANITIZE}")
endif()
if(HEDDLE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# Most of a file's compile time goes into headers that never change: they are
# compiled once for all libraries with the same options. A file still includes
# what it uses; the preset `shared` builds without them.
set(HEDDLE_STANDARD_HEADERS
  <algorithm> <array> <bit> <charconv> <cmath> <cstdint> <cstring> <filesystem> <fstream> <functional> <map> <memory>
  <mutex> <numeric> <optional> <set> <span> <string> <string_view> <thread> <unordered_map> <utility> <vector>
  <fmt/format.h> <nlohmann/json.hpp>)
set(HEDDLE_LLVM_HEADERS
  <llvm/ADT/DenseMap.h> <llvm/ADT/STLExtras.h> <llvm/ADT/SmallVector.h> <llvm/ADT/StringExtras.h> <llvm/ADT/StringSwitch.h>
  <llvm/Analysis/LoopInfo.h> <llvm/Analysis/ScalarEvolution.h> <llvm/Analysis/ValueTracking.h>
  <llvm/IR/CFG.h> <llvm/IR/DebugInfoMetadata.h> <llvm/IR/Dominators.h> <llvm/IR/IRBuilder.h> <llvm/IR/InstIterator.h>
  <llvm/IR/IntrinsicInst.h> <llvm/IR/IntrinsicsNVPTX.h> <llvm/IR/Module.h> <llvm/IR/PassManager.h>
  <llvm/Support/Error.h> <llvm/Support/MemoryBuffer.h> <llvm/Support/Path.h> <llvm/Support/raw_ostream.h>)

# The first target with an owner's name compiles the headers, the others reuse them.
function(heddle_precompile name owner)
  if(name STREQUAL owner)
    target_precompile_headers(${name} PRIVATE ${ARGN})
  else()
    target_precompile_headers(${name} REUSE_FROM ${owner})
  endif()
endfunction()

# A library of one folder: static, or shared with BUILD_SHARED_LIBS. No macro
# tells one from the other, so that both compile alike.
function(heddle_library name)
  file(GLOB sources CONFIGURE_DEPENDS *.cpp */*.cpp)
  add_library(${name} ${sources})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX DEFINE_SYMBOL "")
endfunction()

# A folder of the runtime: plain C++ that never sees an LLVM header.
function(heddle_plain_library name)
  heddle_library(${name})
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR}/runtime ${CMAKE_SOURCE_DIR}/include)
  target_link_libraries(${name} PUBLIC ${ARGN} fmt::fmt)
endfunction()
function(heddle_runtime_library name)
  heddle_plain_library(${name} ${ARGN})
  heddle_precompile(${name} HeddleBase ${HEDDLE_STANDARD_HEADERS})
endfunction()

# For the inner loops of the models: instructions that every x86 processor since
# 2009 has, population count above all.
set(HEDDLE_HOT_OPTIONS)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND HEDDLE_HOT_OPTIONS -march=x86-64-v2)
endif()
if(HEDDLE_SANITIZE AND CMAKE_BUILD_TYPE STREQUAL "Debug")
  # Else they would take most of the time of the tests. All else at -O1 would take
  # three times as long to compile.
  list(APPEND HEDDLE_HOT_OPTIONS -O1)
endif()
function(heddle_loops_library name owner)
  heddle_plain_library(${name} ${ARGN})
  target_compile_options(${name} PRIVATE ${HEDDLE_HOT_OPTIONS})
  heddle_precompile(${name} ${owner} ${HEDDLE_STANDARD_HEADERS})
  # An instruction passes through many small files: they are compiled as one.
  set_target_properties(${name} PROPERTIES UNITY_BUILD_BATCH_SIZE 0)
endfunction()

include(CheckCXXSourceCompiles)
include(CMakeDependentOption)
set(CMAKE_REQUIRED_FLAGS -fprofile-generate)
check_cxx_source_compiles("int main() {}" HEDDLE_CAN_COUNT)
unset(CMAKE_REQUIRED_FLAGS)
cmake_dependent_option(HEDDLE_COUNT_BRANCHES "Compile the models' inner loops with counts of which way their branches go" ON
  "HEDDLE_CAN_COUNT;CMAKE_BUILD_TYPE STREQUAL Release;CMAKE_CXX_COMPILER_ID STREQUAL Clang;CMAKE_UNITY_BUILD;NOT CMAKE_CROSSCOMPILING" OFF)

# Which way the branches of the inner loops go is counted by utils/perf-training in
# a twin of each library, NAMECounting, and told to the compiler.
set(HEDDLE_COUNTS ${CMAKE_BINARY_DIR}/perf-training/models.profdata)
function(heddle_hot_library name)
  heddle_loops_library(${name} HeddleTrace ${ARGN})
  if(NOT HEDDLE_COUNT_BRANCHES)
    return()
  endif()
  get_property(hot GLOBAL PROPERTY HEDDLE_HOT_LIBRARIES)
  set_property(GLOBAL APPEND PROPERTY HEDDLE_HOT_LIBRARIES ${name})
  set(needs)
  foreach(library IN LISTS ARGN)
    list(APPEND needs ${library}$<$<IN_LIST:${library},${hot}>:Counting>)
  endforeach()
  heddle_loops_library(${name}Counting HeddleTraceCounting ${needs})
  set_target_properties(${name}Counting PROPERTIES EXCLUDE_FROM_ALL ON)
  # Functions of one file go by its name, here of the file that includes all others.
  set(short_names "SHELL:-mllvm -static-func-strip-dirname-prefix=99")
  target_compile_options(${name}Counting PRIVATE -fprofile-generate ${short_names})
  # The file of the unity build alone: what else there is has no inner loop.
  set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${name}.dir/Unity/unity_0_cxx.cxx PROPERTIES
    COMPILE_OPTIONS "-fprofile-use=${HEDDLE_COUNTS};-Wno-backend-plugin;-mllvm;-static-func-strip-dirname-prefix=99"
    OBJECT_DEPENDS ${HEDDLE_COUNTS})
endfunction()

# A folder of the compiler half.
function(heddle_compiler_library name)
  heddle_library(${name})
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR}/include)
  target_include_directories(${name} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS})
  target_compile_definitions(${name} PUBLIC ${LLVM_DEFINITIONS_LIST})
  target_link_libraries(${name} PUBLIC ${ARGN} HeddleLLVM)
  heddle_precompile(${name} HeddleSupport ${HEDDLE_STANDARD_HEADERS} ${HEDDLE_LLVM_HEADERS})
endfunction()
