//===- EngineEnd.cpp - The engine lives as long as the process ------------===//
//
// A program's globals are made before this library is loaded and so end after
// its own. Their destructors may launch kernels, which LLVM compiles: with its
// registry of passes gone that does not end. So no static object in this
// library is destroyed; what they own is the process's anyway.
//
//===----------------------------------------------------------------------===//

/// What compilers call to have a static object destroyed (Itanium C++ ABI,
/// 3.3.6.3). Hidden: only this library, with LLVM's archives, finds this one.
extern "C" __attribute__((visibility("hidden"))) int
__cxa_atexit(void (*)(void *), void *, void *) {
  return 0;
}
