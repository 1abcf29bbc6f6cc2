// RUN: not heddle-opt %s 2>&1 | FileCheck %s
// CHECK: errors.mlir:[[@LINE+2]]:{{[0-9]+}}: error: operation being parsed with an unregistered dialect
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %b = "tosa.exp"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}
