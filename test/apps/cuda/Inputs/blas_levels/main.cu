// Levels 1 to 3 of cuBLAS in all four types, beside plain loops of the host:
// each storage, triangle, operation and pointer mode, with gaps and in reverse.
#include "levels.h"

// With an argument: one type and level, such as C2, which is also "quick".
int main(int argc, char **argv) {
  std::string only = argc > 1 ? argv[1] : "";
  if (only == "quick")
    only = "C2";
  cublasHandle_t handle;
  BLAS(cublasCreate(&handle));
  bool ok = true;
  for (char type : std::string("SDCZ")) {
    if (!only.empty() && only[0] != type)
      continue;
    if (only.size() < 2 || only[1] == '1')
      ok &= level1(handle, type);
    if (only.size() < 2 || only[1] == '2')
      ok &= level2(handle, type);
    if (only.size() < 2 || only[1] == '3')
      ok &= level3(handle, type);
    BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    if (only.size() < 2 || only[1] == 'B')
      ok &= batches(handle, type);
  }
  if (only.empty() || only == "given")
    ok &= given_types(handle);
  BLAS(cublasDestroy(handle));
  return verdict(ok);
}
