__global__ void shared_k(int *a) { a[0] = 1; }
