constexpr int MaxQuery = 128;

// Best local alignment score (Smith-Waterman, linear gaps) of each pair of
// sequences. One thread block per pair, one thread per letter of the query: the
// block moves over the matrix one anti-diagonal at a time and keeps the last
// two of them in shared memory.
__global__ void align_diagonal(const unsigned char *__restrict__ queries,
                               const unsigned char *__restrict__ targets,
                               int *__restrict__ scores, int targetLength,
                               int match, int mismatch, int gap) {
  // Element i + 1 belongs to row i; element 0 is the empty prefix.
  __shared__ int diagonals[3][MaxQuery + 1];
  __shared__ int best;
  int row = threadIdx.x;
  unsigned char letter = queries[blockIdx.x * blockDim.x + row];
  const unsigned char *target = targets + blockIdx.x * targetLength;
  for (int d = 0; d < 3; ++d) {
    diagonals[d][row + 1] = 0;
    if (row == 0)
      diagonals[d][0] = 0;
  }
  if (row == 0)
    best = 0;
  __syncthreads();

  int own = 0;
  int *before = diagonals[0], *last = diagonals[1], *now = diagonals[2];
  for (int d = 0; d < targetLength + static_cast<int>(blockDim.x) - 1; ++d) {
    int column = d - row;
    int score = 0;
    if (column >= 0 && column < targetLength) {
      int step = letter == target[column] ? match : mismatch;
      score = max(0, before[row] + step);
      score = max(score, max(last[row], last[row + 1]) - gap);
      own = max(own, score);
    }
    now[row + 1] = score;
    int *oldest = before;
    before = last;
    last = now;
    now = oldest;
    __syncthreads();
  }
  atomicMax(&best, own);
  __syncthreads();
  if (row == 0)
    scores[blockIdx.x] = best;
}
