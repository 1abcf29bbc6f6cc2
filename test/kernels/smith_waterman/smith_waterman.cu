// The best score of a local alignment with affine gaps (Smith, Waterman, Gotoh)
// of one query with each of many sequences. A warp has a sequence; lane l has
// letters Each l to Each l + Each - 1 of the query and computes their part of
// row r of the table while lane l + 1 computes its own of row r - 1, of
// instructions for dynamic programming: a sum, and the larger of it and another
// number, in one.
constexpr int Each = 4, Match = 3, Mismatch = -2, Open = 5, Extend = 1;

__global__ void __launch_bounds__(128)
    smith_waterman(const unsigned char *__restrict__ query,
                   const unsigned char *__restrict__ sequences,
                   int *__restrict__ scores, int count, int query_length,
                   int length) {
  const int sequence = blockIdx.x * blockDim.y + threadIdx.y;
  const int lane = threadIdx.x;
  if (sequence >= count)
    return;
  const unsigned char *letters = sequences + sequence * length;

  // Of the row above: the best alignment that ends at each letter of mine, and
  // the best that ends there with a gap in the query.
  int letter[Each], above[Each], down[Each];
  for (int i = 0; i < Each; ++i) {
    const int at = lane * Each + i;
    letter[i] = at < query_length ? query[at] : -1;
    above[i] = 0;
    down[i] = -Open;
  }
  int best = 0, corner = 0, left = 0, right = -Open;
  for (int step = 0; step < length + 31; ++step) {
    // What the lane before has of this row: its last letter, there too with a
    // gap in the sequence; and the same of the row above.
    const int before = __shfl_up_sync(0xffffffffu, above[Each - 1], 1);
    const int gap = __shfl_up_sync(0xffffffffu, right, 1);
    const int row = step - lane;
    if (row < 0 || row >= length)
      continue;
    int diagonal = corner;
    left = lane ? before : 0;
    right = lane ? gap : -Open;
    corner = left;
    const int other = letters[row];
#pragma unroll
    for (int i = 0; i < Each; ++i) {
      right = __viaddmax_s32(left, -Open, right - Extend);
      down[i] = __viaddmax_s32(above[i], -Open, down[i] - Extend);
      const int gaps = max(right, down[i]);
      const int score = letter[i] == other ? Match : Mismatch;
      left = __viaddmax_s32_relu(diagonal, score, gaps);
      diagonal = above[i];
      above[i] = left;
      best = max(best, left);
    }
  }
#pragma unroll
  for (int mask = 16; mask > 0; mask >>= 1)
    best = max(best, __shfl_xor_sync(0xffffffffu, best, mask));
  if (lane == 0)
    scores[sequence] = best;
}
