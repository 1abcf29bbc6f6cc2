//===- PerThread.cpp - Calls of code with a default stream per thread -----===//
//
// What is compiled with --default-stream per-thread calls other functions:
// NAME_ptsz where a stream is given, which may be null, and NAME_ptds where
// none is. Null is then the stream of the calling thread.
//
//===----------------------------------------------------------------------===//

#include "Handles.h"

using namespace heddle::cuda;

#define OWN_STREAM(name, parameters, arguments)                                \
  EXPORTED cudaError_t name##_ptsz parameters { return name arguments; }
#define OWN_DEFAULT(name, parameters, arguments)                               \
  EXPORTED cudaError_t name##_ptds parameters {                                \
    const Call Enter(#name);                                                   \
    const InStream Here(Enter.device(), cudaStreamPerThread);                  \
    return name arguments;                                                     \
  }

EXPORTED cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t *Config,
                                              const void *Function,
                                              void **Args) {
  if (!Config)
    return cudaLaunchKernelExC(Config, Function, Args);
  cudaLaunchConfig_t Own = *Config;
  Own.stream = own(Own.stream);
  return cudaLaunchKernelExC(&Own, Function, Args);
}
OWN_STREAM(cudaEventRecordWithFlags,
           (cudaEvent_t E, cudaStream_t S, unsigned A2), (E, own(S), A2))
OWN_STREAM(cudaEventRecord, (cudaEvent_t E, cudaStream_t S), (E, own(S)))
OWN_STREAM(cudaFreeAsync, (void *At, cudaStream_t S), (At, own(S)))
OWN_STREAM(cudaGetDriverEntryPointByVersion,
           (const char *Name, void **To, unsigned A2, unsigned long long Flags,
            cudaDriverEntryPointQueryResult *Found),
           (Name, To, A2, Flags, Found))
OWN_STREAM(cudaGetDriverEntryPoint,
           (const char *Name, void **To, unsigned long long A2,
            cudaDriverEntryPointQueryResult *Found),
           (Name, To, A2, Found))
OWN_STREAM(cudaGraphLaunch, (cudaGraphExec_t Handle, cudaStream_t S),
           (Handle, own(S)))
OWN_STREAM(cudaGraphUpload, (cudaGraphExec_t Handle, cudaStream_t A1),
           (Handle, own(A1)))
OWN_STREAM(cudaLaunchCooperativeKernel,
           (const void *Function, dim3 Grid, dim3 Block, void **Args,
            size_t Shared, cudaStream_t S),
           (Function, Grid, Block, Args, Shared, own(S)))
OWN_STREAM(cudaLaunchHostFunc,
           (cudaStream_t S, cudaHostFn_t Function, void *Data),
           (own(S), Function, Data))
OWN_STREAM(cudaMallocAsync, (void **To, size_t Bytes, cudaStream_t S),
           (To, Bytes, own(S)))
OWN_STREAM(cudaMallocFromPoolAsync,
           (void **To, size_t Bytes, cudaMemPool_t P, cudaStream_t S),
           (To, Bytes, P, own(S)))
OWN_STREAM(cudaMemPrefetchAsync,
           (const void *A0, size_t A1, int A2, cudaStream_t A3),
           (A0, A1, A2, own(A3)))
OWN_DEFAULT(cudaMemcpy2DArrayToArray,
            (cudaArray_t To, size_t X, size_t Y, cudaArray_const_t From,
             size_t FromX, size_t FromY, size_t Width, size_t Height,
             cudaMemcpyKind Kind),
            (To, X, Y, From, FromX, FromY, Width, Height, Kind))
OWN_STREAM(cudaMemcpy2DAsync,
           (void *To, size_t ToPitch, const void *From, size_t FromPitch,
            size_t Width, size_t Height, cudaMemcpyKind Kind, cudaStream_t S),
           (To, ToPitch, From, FromPitch, Width, Height, Kind, own(S)))
OWN_STREAM(cudaMemcpy2DFromArrayAsync,
           (void *To, size_t Pitch, cudaArray_const_t From, size_t X, size_t Y,
            size_t Width, size_t Height, cudaMemcpyKind Kind, cudaStream_t S),
           (To, Pitch, From, X, Y, Width, Height, Kind, own(S)))
OWN_DEFAULT(cudaMemcpy2DFromArray,
            (void *To, size_t Pitch, cudaArray_const_t From, size_t X, size_t Y,
             size_t Width, size_t Height, cudaMemcpyKind Kind),
            (To, Pitch, From, X, Y, Width, Height, Kind))
OWN_STREAM(cudaMemcpy2DToArrayAsync,
           (cudaArray_t To, size_t X, size_t Y, const void *From, size_t Pitch,
            size_t Width, size_t Height, cudaMemcpyKind Kind, cudaStream_t S),
           (To, X, Y, From, Pitch, Width, Height, Kind, own(S)))
OWN_DEFAULT(cudaMemcpy2DToArray,
            (cudaArray_t To, size_t X, size_t Y, const void *From, size_t Pitch,
             size_t Width, size_t Height, cudaMemcpyKind Kind),
            (To, X, Y, From, Pitch, Width, Height, Kind))
OWN_DEFAULT(cudaMemcpy2D,
            (void *To, size_t ToPitch, const void *From, size_t FromPitch,
             size_t Width, size_t Height, cudaMemcpyKind Kind),
            (To, ToPitch, From, FromPitch, Width, Height, Kind))
OWN_STREAM(cudaMemcpy3DAsync, (const cudaMemcpy3DParms *P, cudaStream_t S),
           (P, own(S)))
OWN_DEFAULT(cudaMemcpy3D, (const cudaMemcpy3DParms *P), (P))
OWN_DEFAULT(cudaMemcpyArrayToArray,
            (cudaArray_t To, size_t X, size_t Y, cudaArray_const_t From,
             size_t FromX, size_t FromY, size_t Bytes, cudaMemcpyKind Kind),
            (To, X, Y, From, FromX, FromY, Bytes, Kind))
OWN_STREAM(cudaMemcpyAsync,
           (void *To, const void *From, size_t Bytes, cudaMemcpyKind Kind,
            cudaStream_t S),
           (To, From, Bytes, Kind, own(S)))
OWN_STREAM(cudaMemcpyFromArrayAsync,
           (void *To, cudaArray_const_t From, size_t X, size_t Y, size_t Bytes,
            cudaMemcpyKind Kind, cudaStream_t S),
           (To, From, X, Y, Bytes, Kind, own(S)))
OWN_DEFAULT(cudaMemcpyFromArray,
            (void *To, cudaArray_const_t From, size_t X, size_t Y, size_t Bytes,
             cudaMemcpyKind Kind),
            (To, From, X, Y, Bytes, Kind))
OWN_STREAM(cudaMemcpyFromSymbolAsync,
           (void *To, const void *Symbol, size_t Bytes, size_t Offset,
            cudaMemcpyKind Kind, cudaStream_t S),
           (To, Symbol, Bytes, Offset, Kind, own(S)))
OWN_DEFAULT(cudaMemcpyFromSymbol,
            (void *To, const void *Symbol, size_t Bytes, size_t Offset,
             cudaMemcpyKind Kind),
            (To, Symbol, Bytes, Offset, Kind))
OWN_STREAM(cudaMemcpyToArrayAsync,
           (cudaArray_t To, size_t X, size_t Y, const void *From, size_t Bytes,
            cudaMemcpyKind Kind, cudaStream_t S),
           (To, X, Y, From, Bytes, Kind, own(S)))
OWN_DEFAULT(cudaMemcpyToArray,
            (cudaArray_t To, size_t X, size_t Y, const void *From, size_t Bytes,
             cudaMemcpyKind Kind),
            (To, X, Y, From, Bytes, Kind))
OWN_STREAM(cudaMemcpyToSymbolAsync,
           (const void *Symbol, const void *From, size_t Bytes, size_t Offset,
            cudaMemcpyKind Kind, cudaStream_t S),
           (Symbol, From, Bytes, Offset, Kind, own(S)))
OWN_DEFAULT(cudaMemcpyToSymbol,
            (const void *Symbol, const void *From, size_t Bytes, size_t Offset,
             cudaMemcpyKind Kind),
            (Symbol, From, Bytes, Offset, Kind))
OWN_DEFAULT(cudaMemcpy,
            (void *To, const void *From, size_t Bytes, cudaMemcpyKind Kind),
            (To, From, Bytes, Kind))
OWN_STREAM(cudaMemset2DAsync,
           (void *To, size_t Pitch, int Value, size_t Width, size_t Height,
            cudaStream_t S),
           (To, Pitch, Value, Width, Height, own(S)))
OWN_DEFAULT(cudaMemset2D,
            (void *To, size_t Pitch, int Value, size_t Width, size_t Height),
            (To, Pitch, Value, Width, Height))
OWN_STREAM(cudaMemset3DAsync,
           (cudaPitchedPtr To, int Value, cudaExtent Size, cudaStream_t S),
           (To, Value, Size, own(S)))
OWN_DEFAULT(cudaMemset3D, (cudaPitchedPtr To, int Value, cudaExtent Size),
            (To, Value, Size))
OWN_STREAM(cudaMemsetAsync, (void *To, int Value, size_t Bytes, cudaStream_t S),
           (To, Value, Bytes, own(S)))
OWN_DEFAULT(cudaMemset, (void *To, int Value, size_t Bytes), (To, Value, Bytes))
OWN_STREAM(cudaStreamAddCallback,
           (cudaStream_t S, cudaStreamCallback_t Function, void *Data,
            unsigned A3),
           (own(S), Function, Data, A3))
OWN_STREAM(cudaStreamAttachMemAsync,
           (cudaStream_t A0, void *A1, size_t A2, unsigned A3),
           (own(A0), A1, A2, A3))
OWN_STREAM(cudaStreamBeginCapture, (cudaStream_t S, cudaStreamCaptureMode A1),
           (own(S), A1))
OWN_STREAM(cudaStreamCopyAttributes, (cudaStream_t To, cudaStream_t From),
           (own(To), own(From)))
OWN_STREAM(cudaStreamEndCapture, (cudaStream_t S, cudaGraph_t *To),
           (own(S), To))
OWN_STREAM(cudaStreamGetAttribute,
           (cudaStream_t S, cudaStreamAttrID Which, cudaStreamAttrValue *To),
           (own(S), Which, To))
OWN_STREAM(cudaGraphInstantiateWithParams,
           (cudaGraphExec_t * To, cudaGraph_t G, cudaGraphInstantiateParams *P),
           (To, G, P))
OWN_STREAM(cudaStreamBeginCaptureToGraph,
           (cudaStream_t S, cudaGraph_t G, const cudaGraphNode_t *Before,
            const cudaGraphEdgeData *Edges, size_t Count,
            cudaStreamCaptureMode Mode),
           (own(S), G, Before, Edges, Count, Mode))
OWN_STREAM(cudaStreamGetCaptureInfo_v2,
           (cudaStream_t S, cudaStreamCaptureStatus *To, unsigned long long *Id,
            cudaGraph_t *G, const cudaGraphNode_t **Before, size_t *Count),
           (own(S), To, Id, G, Before, Count))
OWN_STREAM(cudaStreamGetCaptureInfo_v3,
           (cudaStream_t S, cudaStreamCaptureStatus *To, unsigned long long *Id,
            cudaGraph_t *G, const cudaGraphNode_t **Before,
            const cudaGraphEdgeData **Edges, size_t *Count),
           (own(S), To, Id, G, Before, Edges, Count))
OWN_STREAM(cudaStreamUpdateCaptureDependencies_v2,
           (cudaStream_t S, cudaGraphNode_t *Nodes,
            const cudaGraphEdgeData *Edges, size_t Count, unsigned Flags),
           (own(S), Nodes, Edges, Count, Flags))
OWN_STREAM(cudaStreamGetDevice, (cudaStream_t S, int *To), (own(S), To))
OWN_STREAM(cudaStreamGetFlags, (cudaStream_t S, unsigned *To), (own(S), To))
OWN_STREAM(cudaStreamGetId, (cudaStream_t S, unsigned long long *To),
           (own(S), To))
OWN_STREAM(cudaStreamGetPriority, (cudaStream_t S, int *To), (own(S), To))
OWN_STREAM(cudaStreamIsCapturing, (cudaStream_t S, cudaStreamCaptureStatus *To),
           (own(S), To))
OWN_STREAM(cudaStreamQuery, (cudaStream_t S), (own(S)))
OWN_STREAM(cudaStreamSetAttribute,
           (cudaStream_t S, cudaStreamAttrID Which,
            const cudaStreamAttrValue *Value),
           (own(S), Which, Value))
OWN_STREAM(cudaStreamSynchronize, (cudaStream_t S), (own(S)))
OWN_STREAM(cudaStreamWaitEvent, (cudaStream_t S, cudaEvent_t E, unsigned A2),
           (own(S), E, A2))
