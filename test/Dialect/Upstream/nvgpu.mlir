// RUN: heddle-opt %s --convert-nvgpu-to-nvvm | FileCheck %s
// CHECK: nvvm.mma.sync
// CHECK: nvvm.cp.async.wait.group 0
func.func @tile(%a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>) -> vector<2x2xf16> {
  %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  %t = nvgpu.device_async_create_group
  nvgpu.device_async_wait %t
  return %d : vector<2x2xf16>
}
