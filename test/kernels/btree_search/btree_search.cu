constexpr int KeysPerNode = 8;

// Looks up keys in a complete B-tree without pointers: the children of node n
// are the nodes 9 n + 1 to 9 n + 9. The result is the position of the key in
// the array of nodes, or -1.
__global__ void btree_search(const int *__restrict__ nodes,
                             const int *__restrict__ queries,
                             int *__restrict__ found, int numNodes,
                             int numQueries) {
  int q = blockIdx.x * blockDim.x + threadIdx.x;
  if (q >= numQueries)
    return;
  int key = queries[q];
  int position = -1;
  int node = 0;
  while (node < numNodes) {
    int slot = 0;
    while (slot < KeysPerNode && nodes[node * KeysPerNode + slot] < key)
      ++slot;
    if (slot < KeysPerNode && nodes[node * KeysPerNode + slot] == key) {
      position = node * KeysPerNode + slot;
      break;
    }
    node = node * (KeysPerNode + 1) + slot + 1;
  }
  found[q] = position;
}
