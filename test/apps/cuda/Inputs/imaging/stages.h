// What a picture goes through: enlarged by a texture, smoothed, its edges
// found, and counted by brightness.
#pragma once
#include "../check.h"

constexpr int Width = 60, Height = 44, Wide = 2 * Width, High = 2 * Height;
constexpr int Bins = 32, Radius = 2;

void setWeights(const float (&weights)[2 * Radius + 1]);
void enlarge(cudaTextureObject_t picture, float *to, size_t pitch,
             cudaStream_t s);
void smooth(const float *from, float *between, float *to, size_t pitch,
            cudaStream_t s);
void findEdges(const float *from, unsigned char *to, size_t pitch,
               size_t bytePitch, cudaStream_t s);
void countBrightness(const unsigned char *from, size_t pitch, unsigned *bins,
                     cudaStream_t s);
