// Cooperative groups of several blocks: grids and clusters. A part of
// cooperative_groups.h.

#ifndef HEDDLE_CUDA_GRID_GROUPS_H
#define HEDDLE_CUDA_GRID_GROUPS_H

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define _CG_HAS_CLUSTER_GROUP
#endif
// What clusters say of themselves; on the host nothing asks.
#ifdef __CUDA_ARCH__
#define __HEDDLE_CLUSTER(type, ...) __VA_ARGS__
#else
#define __HEDDLE_CLUSTER(type, ...) type()
#endif
class grid_group {
public:
  __HEDDLE_GROUP void sync() const { __heddle_grid_sync(); }
  struct arrival_token {};
  __HEDDLE_GROUP arrival_token barrier_arrive() const { return {}; }
  __HEDDLE_GROUP void barrier_wait(arrival_token &&) const { sync(); }
  __HEDDLE_GROUP bool is_valid() const { return true; }
  __HEDDLE_GROUP unsigned long long thread_rank() const {
    return block_rank() * __heddle::threads() + __heddle::rank();
  }
  __HEDDLE_GROUP unsigned long long block_rank() const {
    return (1ull * blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x +
           blockIdx.x;
  }
  __HEDDLE_GROUP unsigned long long num_blocks() const {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  __HEDDLE_GROUP unsigned long long size() const {
    return num_blocks() * __heddle::threads();
  }
  __HEDDLE_GROUP unsigned long long num_threads() const { return size(); }
  __HEDDLE_GROUP dim3 group_dim() const { return gridDim; }
  __HEDDLE_GROUP dim3 dim_blocks() const { return gridDim; }
  __HEDDLE_GROUP dim3 block_index() const { return blockIdx; }
  __HEDDLE_GROUP dim3 dim_threads() const {
    return {gridDim.x * blockDim.x, gridDim.y * blockDim.y,
            gridDim.z * blockDim.z};
  }
  __HEDDLE_GROUP dim3 thread_index() const {
    return {blockIdx.x * blockDim.x + threadIdx.x,
            blockIdx.y * blockDim.y + threadIdx.y,
            blockIdx.z * blockDim.z + threadIdx.z};
  }
#ifdef _CG_HAS_CLUSTER_GROUP
  __HEDDLE_GROUP dim3 cluster_index() const {
    return __HEDDLE_CLUSTER(dim3, dim3(__nvvm_read_ptx_sreg_clusterid_x(),
                                       __nvvm_read_ptx_sreg_clusterid_y(),
                                       __nvvm_read_ptx_sreg_clusterid_z()));
  }
  __HEDDLE_GROUP dim3 dim_clusters() const {
    return __HEDDLE_CLUSTER(dim3, dim3(__nvvm_read_ptx_sreg_nclusterid_x(),
                                       __nvvm_read_ptx_sreg_nclusterid_y(),
                                       __nvvm_read_ptx_sreg_nclusterid_z()));
  }
  __HEDDLE_GROUP unsigned long long cluster_rank() const {
    const dim3 at = cluster_index(), all = dim_clusters();
    return (1ull * at.z * all.y + at.y) * all.x + at.x;
  }
  __HEDDLE_GROUP unsigned long long num_clusters() const {
    const dim3 all = dim_clusters();
    return 1ull * all.x * all.y * all.z;
  }
#endif
};
__HEDDLE_GROUP grid_group this_grid() { return {}; }
typedef grid_group multi_grid_group;
#ifdef _CG_HAS_CLUSTER_GROUP
/// The blocks of a thread-block cluster.
class cluster_group {
  __HEDDLE_GROUP static void *address_in(void *p, int rank) {
    return __HEDDLE_CLUSTER(decltype(p), __nvvm_mapa(p, rank));
  }

public:
  struct arrival_token {};
  __HEDDLE_GROUP static arrival_token barrier_arrive() {
    __HEDDLE_CLUSTER(void, __nvvm_barrier_cluster_arrive());
    return {};
  }
  __HEDDLE_GROUP static void barrier_wait() {
    __HEDDLE_CLUSTER(void, __nvvm_barrier_cluster_wait());
  }
  __HEDDLE_GROUP static void barrier_wait(arrival_token) { barrier_wait(); }
  __HEDDLE_GROUP static void sync() {
    barrier_arrive();
    barrier_wait();
  }
  __HEDDLE_GROUP static unsigned block_rank() {
    return __HEDDLE_CLUSTER(unsigned, __nvvm_read_ptx_sreg_cluster_ctarank());
  }
  __HEDDLE_GROUP static unsigned num_blocks() {
    return __HEDDLE_CLUSTER(unsigned, __nvvm_read_ptx_sreg_cluster_nctarank());
  }
  __HEDDLE_GROUP static dim3 block_index() {
    return __HEDDLE_CLUSTER(dim3, dim3(__nvvm_read_ptx_sreg_cluster_ctaid_x(),
                                       __nvvm_read_ptx_sreg_cluster_ctaid_y(),
                                       __nvvm_read_ptx_sreg_cluster_ctaid_z()));
  }
  __HEDDLE_GROUP static dim3 dim_blocks() {
    return __HEDDLE_CLUSTER(dim3,
                            dim3(__nvvm_read_ptx_sreg_cluster_nctaid_x(),
                                 __nvvm_read_ptx_sreg_cluster_nctaid_y(),
                                 __nvvm_read_ptx_sreg_cluster_nctaid_z()));
  }
  __HEDDLE_GROUP static unsigned thread_rank() {
    return block_rank() * __heddle::threads() + __heddle::rank();
  }
  __HEDDLE_GROUP static unsigned num_threads() {
    return num_blocks() * __heddle::threads();
  }
  __HEDDLE_GROUP static unsigned size() { return num_threads(); }
  __HEDDLE_GROUP static dim3 thread_index() {
    const dim3 b = block_index();
    return dim3(b.x * blockDim.x + threadIdx.x, b.y * blockDim.y + threadIdx.y,
                b.z * blockDim.z + threadIdx.z);
  }
  __HEDDLE_GROUP static dim3 dim_threads() {
    const dim3 b = dim_blocks();
    return dim3(b.x * blockDim.x, b.y * blockDim.y, b.z * blockDim.z);
  }
  template <typename T>
  __HEDDLE_GROUP static T *map_shared_rank(T *p, int rank) {
    return (T *)address_in((void *)p, rank);
  }
  __HEDDLE_GROUP static unsigned query_shared_rank(const void *p) {
    return __HEDDLE_CLUSTER(unsigned, __nvvm_getctarank((void *)p));
  }
#undef __HEDDLE_CLUSTER
};
__HEDDLE_GROUP cluster_group this_cluster() { return {}; }
#else
// No bodies: a launch that comes to a call says so.
class cluster_group {
public:
  __device__ void sync() const;
  __device__ unsigned thread_rank() const;
  __device__ unsigned block_rank() const;
  __device__ unsigned num_threads() const;
  __device__ unsigned num_blocks() const;
  __device__ unsigned size() const;
  __device__ dim3 block_index() const;
  __device__ dim3 dim_blocks() const;
  template <typename T> __device__ T *map_shared_rank(T *p, int rank) const;
};
__device__ cluster_group this_cluster();
#endif

#endif
