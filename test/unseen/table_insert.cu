// Insertion into an open hash table by compare-and-swap, linear probing.
__global__ void table_insert(const unsigned *keys, unsigned *table, unsigned *values, int n, unsigned mask) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned key = keys[i] | 1u;
  unsigned slot = (key * 2654435761u) >> 7 & mask;
  while (true) {
    unsigned previous = atomicCAS(&table[slot], 0u, key);
    if (previous == 0u || previous == key) {
      values[slot] = i;
      return;
    }
    slot = (slot + 1) & mask;
  }
}
