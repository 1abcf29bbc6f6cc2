// Forces between particles in neighbouring boxes: one block per home box, the
// positions of each neighbour staged in shared memory.
struct Point { float v, x, y, z; };
#define PER_BOX 64
__global__ void box_forces(const int *neighbours, const int *neighbourCount, const Point *position,
                           const float *charge, Point *force, float a2) {
  __shared__ Point home[PER_BOX], other[PER_BOX];
  __shared__ float otherCharge[PER_BOX];
  int box = blockIdx.x, first = box * PER_BOX;
  for (int i = threadIdx.x; i < PER_BOX; i += blockDim.x)
    home[i] = position[first + i];
  __syncthreads();
  for (int k = 0; k < 1 + neighbourCount[box]; k++) {
    int with = k == 0 ? box : neighbours[box * 8 + k - 1];
    for (int i = threadIdx.x; i < PER_BOX; i += blockDim.x) {
      other[i] = position[with * PER_BOX + i];
      otherCharge[i] = charge[with * PER_BOX + i];
    }
    __syncthreads();
    for (int i = threadIdx.x; i < PER_BOX; i += blockDim.x) {
      Point f = force[first + i];
      for (int j = 0; j < PER_BOX; j++) {
        float dot = home[i].x * other[j].x + home[i].y * other[j].y + home[i].z * other[j].z;
        float r2 = home[i].v + other[j].v - dot;
        float vij = expf(-a2 * r2);
        float fs = 2.0f * vij;
        f.v += otherCharge[j] * vij;
        f.x += otherCharge[j] * fs * (home[i].x - other[j].x);
        f.y += otherCharge[j] * fs * (home[i].y - other[j].y);
        f.z += otherCharge[j] * fs * (home[i].z - other[j].z);
      }
      force[first + i] = f;
    }
    __syncthreads();
  }
}
