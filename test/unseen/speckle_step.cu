// One step of speckle-reducing diffusion: four differences and a coefficient
// per pixel, neighbours by arrays of indices.
__global__ void speckle_step(const float *image, float *dn, float *ds, float *dw, float *de,
                             float *coefficient, const int *north, const int *south, const int *west,
                             const int *east, int rows, int columns, float q0) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  int row = id % rows, column = id / rows;
  if (id >= rows * columns)
    return;
  float center = image[id];
  float n = image[north[row] + rows * column] - center;
  float s = image[south[row] + rows * column] - center;
  float w = image[row + rows * west[column]] - center;
  float e = image[row + rows * east[column]] - center;
  float g2 = (n * n + s * s + w * w + e * e) / (center * center);
  float l = (n + s + w + e) / center;
  float num = 0.5f * g2 - 0.0625f * l * l;
  float den = 1.0f + 0.25f * l;
  float q = num / (den * den);
  den = (q - q0) / (q0 * (1.0f + q0));
  float c = 1.0f / (1.0f + den);
  c = c < 0 ? 0.0f : c > 1 ? 1.0f : c;
  dn[id] = n;
  ds[id] = s;
  dw[id] = w;
  de[id] = e;
  coefficient[id] = c;
}
