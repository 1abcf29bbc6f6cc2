// 70 values that live at once.
__global__ void BOUNDS wide(const float *In, float *Out) {
  constexpr int Count = 70;
  float Values[Count];
#pragma unroll
  for (int I = 0; I < Count; ++I)
    Values[I] = In[I * 512 + threadIdx.x];
  for (int Round = 0; Round < 30; ++Round)
#pragma unroll
    for (int I = 0; I < Count; ++I)
      Values[I] = Values[I] * Values[(I * 7 + 1) % Count] + Values[(I + 3) % Count];
#pragma unroll
  for (int I = 0; I < Count; ++I)
    Out[I * 512 + threadIdx.x] = Values[I];
}
