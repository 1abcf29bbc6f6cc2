// The five-point matrix of a plate whose conductance differs from place to
// place, made on the device.
#pragma once
#include <thrust/device_vector.h>

struct Matrix {
  int rows;
  thrust::device_vector<int> starts, columns;
  thrust::device_vector<double> values, diagonal;
};

Matrix plate(int width, int height);
/// to[i] = from[i] / diagonal[i]
void divide(const Matrix &m, const thrust::device_vector<double> &from,
            thrust::device_vector<double> &to);
