// Assigns each point to the closest cluster centre. Points are stored feature
// by feature, so that neighbouring work items read neighbouring words.
__kernel void kmeans_assign(__global const float *points,
                            __constant float *centers, __global int *membership,
                            int count, int clusters, int features) {
  int p = get_global_id(0);
  if (p >= count)
    return;
  float best = FLT_MAX;
  int index = 0;
  for (int c = 0; c < clusters; ++c) {
    float distance = 0.0f;
    for (int f = 0; f < features; ++f) {
      float d = points[f * count + p] - centers[c * features + f];
      distance = fma(d, d, distance);
    }
    if (distance < best) {
      best = distance;
      index = c;
    }
  }
  membership[p] = index;
}
