// What each point would gain from moving to a new centre: distances over all
// dimensions, the centre's coordinates in dynamic shared memory.
extern __shared__ float centre[];
__global__ void cluster_gain(int points, int dimensions, int candidate, const float *coordinates,
                             const float *weight, const float *cost, const int *assigned,
                             const int *centreTable, char *switches, float *lower, int centres) {
  int t = blockDim.x * blockIdx.x + threadIdx.x;
  if (threadIdx.x == 0)
    for (int i = 0; i < dimensions; i++)
      centre[i] = coordinates[i * points + candidate];
  __syncthreads();
  if (t >= points)
    return;
  float distance = 0;
  for (int i = 0; i < dimensions; i++) {
    float d = coordinates[i * points + t] - centre[i];
    distance += d * d;
  }
  float gain = distance * weight[t];
  float current = cost[t];
  if (gain < current) {
    switches[t] = 1;
    lower[(t % 64) * (centres + 1) + centres] += gain - current;
  } else {
    lower[(t % 64) * (centres + 1) + centreTable[assigned[t]]] += current - gain;
  }
}
