//===- HeaderAliases.cpp - Headers that another one stands for ------------===//

#include "HeaderAliases.h"

namespace heddle {

static constexpr HeaderAliases Aliases[] = {
    {"thrust/", ".h",
     "adjacent_difference advance binary_search complex copy count "
     "device_allocator device_delete device_free device_malloc "
     "device_malloc_allocator device_make_unique device_new device_ptr "
     "device_reference device_vector distance equal execution_policy extrema "
     "fill find for_each functional gather generate host_vector inner_product "
     "iterator/constant_iterator iterator/counting_iterator "
     "iterator/discard_iterator iterator/iterator_adaptor "
     "iterator/iterator_facade iterator/iterator_traits "
     "iterator/permutation_iterator iterator/reverse_iterator "
     "iterator/transform_iterator iterator/transform_output_iterator "
     "iterator/zip_iterator logical memory merge mismatch mr/allocator pair "
     "partition per_device_resource random random/linear_congruential_engine "
     "random/normal_distribution random/uniform_int_distribution "
     "random/uniform_real_distribution reduce remove replace reverse scan "
     "scatter sequence set_operations shuffle sort swap system_error "
     "system/cuda/execution_policy system/cuda/experimental/pinned_allocator "
     "system/cuda/error system/omp/execution_policy system/cuda/vector "
     "tabulate transform transform_reduce transform_scan tuple "
     "uninitialized_copy uninitialized_fill unique universal_allocator "
     "universal_vector version zip_function zip_iterator "
     "detail/config detail/raw_pointer_cast",
     "thrust/thrust.h"},
    {"cub/", ".cuh",
     "agent/agent_reduce block/block_adjacent_difference "
     "block/block_discontinuity "
     "block/block_exchange block/block_histogram block/block_load "
     "block/block_merge_sort block/block_radix_rank block/block_radix_sort "
     "block/block_raking_layout block/block_reduce block/block_scan "
     "block/block_shuffle block/block_store block/radix_rank_sort_operations "
     "config cub device/device_adjacent_difference device/device_for "
     "device/device_histogram device/device_merge_sort device/device_partition "
     "device/device_radix_sort device/device_reduce "
     "device/device_run_length_encode device/device_scan "
     "device/device_segmented_radix_sort device/device_segmented_reduce "
     "device/device_segmented_sort device/device_select device/device_spmv "
     "device/device_transform grid/grid_barrier grid/grid_even_share "
     "grid/grid_queue host/mutex iterator/arg_index_input_iterator "
     "iterator/cache_modified_input_iterator "
     "iterator/cache_modified_output_iterator "
     "iterator/constant_input_iterator iterator/counting_input_iterator "
     "iterator/discard_output_iterator iterator/tex_obj_input_iterator "
     "iterator/tex_ref_input_iterator iterator/transform_input_iterator "
     "thread/thread_load thread/thread_operators thread/thread_reduce "
     "thread/thread_scan thread/thread_search thread/thread_sort "
     "thread/thread_store util_allocator util_arch util_cpp_dialect util_debug "
     "util_device util_macro util_math util_namespace util_ptx util_type "
     "version warp/warp_exchange warp/warp_load warp/warp_merge_sort "
     "warp/warp_reduce warp/warp_scan warp/warp_store",
     "cub/blocks.h"},
    {"cuda/", "",
     "access_property annotated_ptr bit iterator memory memory_resource "
     "numeric stream_ref type_traits utility version",
     "cuda/std/utility"},
    {"cuda/", "", "mdspan", "cuda/std/mdspan"},
    {"cuda/std/", "", "expected inplace_vector version compare concepts",
     "cuda/std/utility"},
    {"cuda/std/", "",
     "algorithm array bitset cassert ccomplex cfloat chrono climits cmath "
     "complex cstddef cstdint cstdio cstdlib cstring ctime functional "
     "initializer_list iterator limits memory new numbers ranges ratio "
     "source_location string_view tuple type_traits",
     "cuda/std/utility", /*IsOfLibrary=*/true},
    {"cuda/std/", "", "barrier latch semaphore", "cuda/barrier"},
    {"cuda/std/", "", "atomic", "cuda/atomic"},
    {"cuda/", "", "latch semaphore", "cuda/barrier"},
    {"", ".h",
     "cublas cublasLt cublasXt cudnn cufftw "
     "cusolverDn cusolverSp cusolverMg cusolverRf cusolver_common "
     "nccl nvblas nvjpeg npp nppcore nppdefs nppi npps nvml "
     "cupti cutensor cudla",
     "library_handles.h"},
    {"", ".h", "cublas_api", "cublas_v2.h"},
    {"", ".h", "cufftXt", "cufft.h"},
    {"", ".h", "cusparse_v2", "cusparse.h"},
    {"", ".h",
     "cutil_inline cutil_inline_bankchecker cutil_inline_drvapi "
     "cutil_inline_runtime cutil_math_bugfixes cutil_gl_error cutil_gl_inline "
     "paramgl multithreading shrUtils shrQATest sdkHelper",
     "cutil.h"},
    {"", ".h", "cutil_math", "helper_math.h"},
    {"", ".h",
     "sm_11_atomic_functions sm_12_atomic_functions sm_13_double_functions "
     "sm_20_intrinsics sm_32_atomic_functions sm_35_atomic_functions "
     "device_double_functions math_functions_dbl_ptx3 cuda_stdint "
     "device_runtime_api host_config device_types cuda_occupancy "
     "cudart_platform crt/math_functions crt/sm_70_rt crt/sm_80_rt "
     "crt/sm_90_rt crt/common_functions crt/device_double_functions "
     "cuda_d3d9_interop cuda_vdpau_interop cuda_egl_interop "
     "cuda_awbarrier_helpers cuda_pipeline_helpers nvfunctional "
     "builtin_types channel_descriptor common_functions crt/device_functions "
     "crt/host_config crt/host_defines cudaGL cudaProfiler "
     "cuda_device_runtime_api cuda_gl_interop cuda_pipeline "
     "cuda_pipeline_primitives cuda_profiler_api cuda_surface_types "
     "cuda_texture_types device_atomic_functions device_launch_parameters "
     "driver_functions driver_types sm_20_atomic_functions sm_30_intrinsics "
     "sm_32_intrinsics sm_35_intrinsics sm_60_atomic_functions "
     "sm_61_intrinsics surface_functions surface_indirect_functions "
     "surface_types texture_fetch_functions texture_indirect_functions "
     "vector_functions "
     "crt/device_runtime crt/host_runtime",
     "cuda_runtime.h"},
    {"", ".hpp",
     "math_functions sm_20_intrinsics sm_30_intrinsics sm_32_intrinsics "
     "sm_32_atomic_functions sm_35_intrinsics sm_60_atomic_functions "
     "sm_61_intrinsics sm_20_atomic_functions crt/math_functions "
     "device_atomic_functions vector_functions "
     "crt/device_functions surface_functions texture_fetch_functions",
     "cuda_runtime.h"},
    {"", ".h", "crt/mma", "mma.h"},
    {"", ".h",
     "helper_cuda_drvapi helper_cuda_gl helper_multiprocess rendercheck_gl "
     "nvrtc_helper drvapi_error_string",
     "helper_cuda.h"},
    {"", ".h",
     "nvtx3/nvToolsExtCuda nvtx3/nvToolsExtCudaRt nvToolsExtCuda "
     "nvToolsExtCudaRt nvToolsExtSync nvtx3/nvToolsExtSync nvToolsExt",
     "nvtx3/nvToolsExt.h"},
    {"", ".hpp", "cuda_bf16", "cuda_bf16.h"},
    {"", ".hpp", "cuda_fp16", "cuda_fp16.h"},
    {"", ".h",
     "curand_discrete curand_globals curand_lognormal curand_mrg32k3a "
     "curand_mtgp32 curand_mtgp32_host curand_mtgp32_kernel "
     "curand_mtgp32dc_p_11213 curand_normal curand_philox4x32_x "
     "curand_poisson curand_precalc curand_uniform",
     "curand_kernel.h"},
    {"torch/", ".h",
     "all cuda custom_class extension library python script serialize/tensor "
     "types csrc/api/include/torch/all csrc/utils/pybind "
     "csrc/inductor/cpp_prefix",
     "torch/torch.h"},
    {"ATen/", ".h",
     "ATen AccumulateType DeviceGuard Dispatch Dispatch_v2 ExpandUtils "
     "Functions "
     "NativeFunctions OpMathType Parallel Tensor TensorUtils core/Tensor "
     "core/TensorAccessor core/TensorBase cuda/ApplyGridUtils cuda/CUDABlas "
     "cuda/CUDAContext cuda/CUDADataType cuda/CUDAEvent cuda/CUDAGeneratorImpl "
     "cuda/CUDAGraphsUtils cuda/CUDATensorMethods cuda/Exceptions "
     "cuda/detail/KernelUtils cuda/detail/OffsetCalculator "
     "native/cuda/KernelUtils",
     "torch/torch.h"},
    {"ATen/", ".cuh",
     "cuda/Atomic cuda/CUDAApplyUtils cuda/CUDAGraphsUtils cuda/DeviceUtils "
     "cuda/NumericLimits cuda/detail/IndexUtils cuda/detail/UnpackRaw "
     "native/cuda/Loops native/cuda/KernelUtils native/cuda/DeviceSqrt",
     "torch/torch.h"},
    {"c10/", ".h",
     "core/Device core/DeviceGuard core/Scalar core/ScalarType "
     "core/TensorOptions "
     "cuda/CUDAException cuda/CUDAFunctions cuda/CUDAGuard cuda/CUDAMacros "
     "cuda/CUDAMathCompat cuda/CUDAStream cuda/CUDACachingAllocator "
     "macros/Macros util/ArrayRef util/BFloat16 util/Exception util/Half "
     "util/Optional util/complex",
     "torch/torch.h"},
    {"THC/", ".h", "THC THCGeneral THCDeviceUtils", "torch/torch.h"},
    {"THC/", ".cuh", "THC THCAtomics THCDeviceUtils", "torch/torch.h"},
    {"pybind11/", ".h",
     "cast complex embed functional numpy operators pybind11 pytypes stl",
     "torch/python.h"},
};

std::span<const HeaderAliases> headerAliases() { return Aliases; }

} // namespace heddle
