// The driver API, as far as whole programs need it to be parsed.

#ifndef HEDDLE_CUDA_CUDA_H
#define HEDDLE_CUDA_CUDA_H

#include "own_names.def"

#include "driver_api_enums.h"
#include "driver_memory_enums.h"

#include "cuda_runtime.h"
#include "tensor_maps.h"

typedef enum cudaError_enum CUresult;
typedef enum CUdevice_attribute_enum CUdevice_attribute;
typedef enum CUfunction_attribute_enum CUfunction_attribute;
typedef enum CUfunc_cache_enum CUfunc_cache;
typedef enum CUjit_option_enum CUjit_option;
typedef enum CUjitInputType_enum CUjitInputType;
typedef enum CUarray_format_enum CUarray_format;
typedef enum CUaddress_mode_enum CUaddress_mode;
typedef enum CUfilter_mode_enum CUfilter_mode;
typedef enum CUmemorytype_enum CUmemorytype;
typedef enum CUlimit_enum CUlimit;
typedef enum CUsharedconfig_enum CUsharedconfig;
typedef enum CUresourcetype_enum CUresourcetype;
typedef enum CUpointer_attribute_enum CUpointer_attribute;
typedef enum CUstreamCaptureStatus_enum CUstreamCaptureStatus;
typedef enum CUgraphNodeType_enum CUgraphNodeType;
typedef enum CUmem_advise_enum CUmem_advise;
typedef enum CUmem_range_attribute_enum CUmem_range_attribute;
typedef enum CUmemLocationType_enum CUmemLocationType;
typedef enum CUmemAllocationType_enum CUmemAllocationType;
typedef enum CUmemAllocationHandleType_enum CUmemAllocationHandleType;
typedef enum CUmemAccess_flags_enum CUmemAccess_flags;
typedef enum CUmemPool_attribute_enum CUmemPool_attribute;
typedef enum CUdevice_P2PAttribute_enum CUdevice_P2PAttribute;
typedef enum CUdriverProcAddressQueryResult_enum CUdriverProcAddressQueryResult;
typedef enum CUmoduleLoadingMode_enum CUmoduleLoadingMode;
typedef enum CUfunctionLoadingState_enum CUfunctionLoadingState;
typedef enum CUlibraryOption_enum CUlibraryOption;
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUkern_st *CUkernel;
typedef struct CUlib_st *CUlibrary;
typedef struct CUuserObject_st *CUuserObject;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUarray_st *CUarray;
typedef struct CUmipmappedArray_st *CUmipmappedArray;
typedef struct CUtexref_st *CUtexref;
typedef struct CUsurfref_st *CUsurfref;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct CUlinkState_st *CUlinkState;
typedef struct CUgraphicsResource_st *CUgraphicsResource;
typedef struct CUmemPoolHandle_st *CUmemoryPool;
typedef unsigned long long CUdeviceptr;
typedef unsigned long long CUmemGenericAllocationHandle;
typedef unsigned long long CUtexObject;
typedef unsigned long long CUsurfObject;
typedef enum CUstreamCaptureMode_enum CUstreamCaptureMode;
typedef void (*CUhostFn)(void *);
typedef void (*CUstreamCallback)(CUstream, CUresult, void *);
typedef size_t (*CUoccupancyB2DSize)(int);
struct CUdevprop {
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], sharedMemPerBlock,
      totalConstantMemory, SIMDWidth, memPitch, regsPerBlock, clockRate,
      textureAlign;
};
struct CUDA_ARRAY_DESCRIPTOR {
  size_t Width, Height;
  CUarray_format Format;
  unsigned NumChannels;
};
struct CUDA_ARRAY3D_DESCRIPTOR {
  size_t Width, Height, Depth;
  CUarray_format Format;
  unsigned NumChannels, Flags;
};
struct CUDA_MEMCPY2D {
  size_t srcXInBytes, srcY;
  CUmemorytype srcMemoryType;
  const void *srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  size_t srcPitch, dstXInBytes, dstY;
  CUmemorytype dstMemoryType;
  void *dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  size_t dstPitch, WidthInBytes, Height;
};
struct CUDA_MEMCPY3D {
  size_t srcXInBytes, srcY, srcZ, srcLOD;
  CUmemorytype srcMemoryType;
  const void *srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  void *reserved0;
  size_t srcPitch, srcHeight, dstXInBytes, dstY, dstZ, dstLOD;
  CUmemorytype dstMemoryType;
  void *dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  void *reserved1;
  size_t dstPitch, dstHeight, WidthInBytes, Height, Depth;
};
struct CUDA_MEMCPY3D_PEER {
  size_t srcXInBytes, srcY, srcZ, srcLOD;
  CUmemorytype srcMemoryType;
  const void *srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  CUcontext srcContext;
  size_t srcPitch, srcHeight, dstXInBytes, dstY, dstZ, dstLOD;
  CUmemorytype dstMemoryType;
  void *dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  CUcontext dstContext;
  size_t dstPitch, dstHeight, WidthInBytes, Height, Depth;
};
typedef cudaArrayMemoryRequirements CUDA_ARRAY_MEMORY_REQUIREMENTS;
typedef cudaArraySparseProperties CUDA_ARRAY_SPARSE_PROPERTIES;
struct CUDA_RESOURCE_DESC {
  CUresourcetype resType;
  union {
    struct {
      CUarray hArray;
    } array;
    struct {
      CUmipmappedArray hMipmappedArray;
    } mipmap;
    struct {
      CUdeviceptr devPtr;
      CUarray_format format;
      unsigned numChannels;
      size_t sizeInBytes;
    } linear;
    struct {
      CUdeviceptr devPtr;
      CUarray_format format;
      unsigned numChannels;
      size_t width, height, pitchInBytes;
    } pitch2D;
    struct {
      int reserved[32];
    } reserved;
  } res;
  unsigned flags;
};
struct CUDA_TEXTURE_DESC {
  CUaddress_mode addressMode[3];
  CUfilter_mode filterMode;
  unsigned flags, maxAnisotropy;
  CUfilter_mode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp,
      borderColor[4];
  int reserved[12];
};
struct CUDA_RESOURCE_VIEW_DESC {
  int format;
  size_t width, height, depth;
  unsigned firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer,
      reserved[16];
};
#include "driver_graph_types.h"
#define CU_LAUNCH_PARAM_END ((void *)0x00)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)0x01)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *)0x02)
#define CU_TRSF_READ_AS_INTEGER 0x01
#define CU_TRSF_NORMALIZED_COORDINATES 0x02
#define CU_TRSF_SRGB 0x10
#define CU_PARAM_TR_DEFAULT -1
#define CU_MEMHOSTALLOC_PORTABLE 0x01
#define CU_MEMHOSTALLOC_DEVICEMAP 0x02
#define CU_MEMHOSTALLOC_WRITECOMBINED 0x04

#ifdef __HEDDLE_PROGRAM
#include "program_driver.h"
#include "program_driver_graphs.h"
#endif
#include "driver_api_functions.h"

#include "user_names.def"

#endif
