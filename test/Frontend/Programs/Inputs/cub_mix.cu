#include <cub/cub.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/util_allocator.cuh>
using namespace cub;
cub::CachingDeviceAllocator g_allocator(true);
template <typename T, int BT, int IPT, cub::BlockReduceAlgorithm A>
__global__ void BlockSumK(T *in, T *out) {
  typedef cub::BlockReduce<T, BT, A> BR;
  typedef cub::BlockLoad<T, BT, IPT, cub::BLOCK_LOAD_WARP_TRANSPOSE> BL;
  __shared__ union {
    typename BR::TempStorage r;
    typename BL::TempStorage l;
  } ts;
  T data[IPT];
  BL(ts.l).Load(in, data);
  __syncthreads();
  T agg = BR(ts.r).Sum(data);
  if (threadIdx.x == 0)
    *out = agg;
}
template <typename Key, int BT, int IPT>
__launch_bounds__(BT) __global__
    void BlockSortK(Key *d_in, Key *d_out, clock_t *el) {
  enum { TILE = BT * IPT };
  typedef BlockLoad<Key, BT, IPT, BLOCK_LOAD_WARP_TRANSPOSE> BlockLoadT;
  typedef BlockRadixSort<Key, BT, IPT> BlockRadixSortT;
  __shared__ union TS {
    typename BlockLoadT::TempStorage load;
    typename BlockRadixSortT::TempStorage sort;
  } temp_storage;
  Key items[IPT];
  int off = blockIdx.x * TILE;
  BlockLoadT(temp_storage.load).Load(d_in + off, items);
  __syncthreads();
  clock_t s = clock();
  BlockRadixSortT(temp_storage.sort).SortBlockedToStriped(items);
  clock_t e = clock();
  StoreDirectStriped<BT>(threadIdx.x, d_out + off, items);
  if (threadIdx.x == 0)
    el[blockIdx.x] = e - s;
}
struct CustomMin {
  template <typename T>
  __device__ __forceinline__ T operator()(const T &a, const T &b) const {
    return (b < a) ? b : a;
  }
};
__global__ void warps(int *d, float *f) {
  typedef cub::WarpReduce<int> WR;
  __shared__ typename WR::TempStorage t[4];
  int w = threadIdx.x / 32;
  int a = WR(t[w]).Sum(d[threadIdx.x]);
  a += WR(t[w]).Reduce(d[threadIdx.x], cub::Max());
  typedef cub::WarpScan<int> WS;
  __shared__ WS::TempStorage s[4];
  int o;
  WS(s[w]).ExclusiveSum(a, o);
  d[threadIdx.x] = o;
  typedef cub::BlockScan<float, 128> BS;
  __shared__ BS::TempStorage bs;
  float x = f[threadIdx.x], tot;
  BS(bs).InclusiveSum(x, x, tot);
  f[threadIdx.x] = x / tot;
  float m = cub::BlockReduce<float, 128>(
                *(cub::BlockReduce<float, 128>::TempStorage *)&bs)
                .Reduce(x, CustomMin());
  f[0] = m;
  cub::KeyValuePair<int, float> kv(1, 2.f);
  f[1] = cub::ArgMax()(kv, kv).value;
  f[2] = cub::ThreadLoad<cub::LOAD_LDG>(f + 3);
  cub::ThreadStore<cub::STORE_CS>(f, 1.f);
  d[1] = cub::LaneId() + cub::WarpId() +
         cub::ShuffleIndex<32>(d[2], 0, 0xffffffff);
}
int main() {
  int *in = 0, *out = 0;
  void *tmp = NULL;
  size_t bytes = 0;
  int n = 100;
  CubDebugExit(g_allocator.DeviceAllocate((void **)&in, 4));
  CubDebugExit(DeviceReduce::Sum(tmp, bytes, in, out, n));
  CubDebugExit(g_allocator.DeviceAllocate(&tmp, bytes));
  cub::DeviceReduce::Reduce(tmp, bytes, in, out, n, CustomMin(), 0);
  cub::DeviceScan::ExclusiveSum(tmp, bytes, in, out, n);
  cub::DeviceRadixSort::SortPairs(tmp, bytes, in, out, in, out, n);
  cub::DoubleBuffer<int> db(in, out);
  cub::DeviceRadixSort::SortKeys(tmp, bytes, db, n);
  int *cur = db.Current();
  cub::DeviceSelect::Flagged(tmp, bytes, in, in, out, out, n);
  cub::DeviceHistogram::HistogramEven(tmp, bytes, in, out, 10, 0, 10, n);
  cub::DeviceRunLengthEncode::Encode(tmp, bytes, in, out, out, out, n);
  cub::CountingInputIterator<int> ci(0);
  cub::TransformInputIterator<float, CustomMin, int *> ti(in, CustomMin());
  cub::DeviceSegmentedReduce::Sum(tmp, bytes, in, out, n, in, in + 1);
  BlockSumK<int, 128, 4, cub::BLOCK_REDUCE_RAKING><<<1, 128>>>(in, out);
  BlockSumK<float, 256, 1, BLOCK_REDUCE_WARP_REDUCTIONS>
      <<<1, 256>>>((float *)in, (float *)out);
  BlockSortK<int, 128, 8><<<1, 128>>>(in, cur, (clock_t *)0);
  warps<<<1, 128>>>(in, (float *)in);
}
