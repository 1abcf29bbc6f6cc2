#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <math.h>
#include <sys/time.h>
#include <GL/glew.h>
#include <GL/glut.h>
#include <cutil_inline.h>
#include <cutil_gl_inline.h>
#include <cuda_gl_interop.h>
#include <rendercheck_gl.h>

#define mx 256
typedef struct __align__(16) {
  float x, y, z, w;
} particle_t;
GLuint vbo;
struct cudaGraphicsResource *vbo_res;
texture<float4, 1, cudaReadModeElementType> oldPosTex;
texture<uint, 1, cudaReadModeElementType> cellStartTex;
__constant__ float c_params[32];
__global__ void move(float4 *pos, unsigned int width, unsigned int height, float time) {
  unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int y = __umul24(blockIdx.y, blockDim.y) + threadIdx.y;
  float u = x / (float)width;
  float v = y / (float)height;
  u = u * 2.0f - 1.0f;
  v = v * 2.0f - 1.0f;
  float freq = 4.0f;
  float w = sinf(u * freq + time) * cosf(v * freq + time) * 0.5f;
  pos[y * width + x] = make_float4(u, w, v, 1.0f);
}
__device__ int calcGridHash(int3 gridPos, uint3 gs) {
  gridPos.x = gridPos.x & (gs.x - 1);
  return __mul24(__mul24(gridPos.z, gs.y), gs.x) + __mul24(gridPos.y, gs.x) + gridPos.x;
}
__global__ void hashD(uint *gridHash, uint3 gs, int n) {
  uint index = __umul24(blockIdx.x, blockDim.x) + threadIdx.x;
  if (index >= n)
    return;
  volatile float4 p = tex1Dfetch(oldPosTex, index);
  gridHash[index] = calcGridHash(make_int3(p.x, p.y, p.z), gs) + tex1Dfetch(cellStartTex, index);
}
void display(void) {
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  float4 *dptr;
  size_t nb;
  cutilSafeCall(cudaGraphicsMapResources(1, &vbo_res, 0));
  cutilSafeCall(cudaGraphicsResourceGetMappedPointer((void **)&dptr, &nb, vbo_res));
  dim3 block(8, 8, 1);
  dim3 grid(mx / block.x, mx / block.y, 1);
  move<<<grid, block>>>(dptr, mx, mx, 0.1f);
  glutSwapBuffers();
  glutPostRedisplay();
}
CUTBoolean initGL(int argc, char **argv) {
  glutInit(&argc, argv);
  glutInitDisplayMode(GLUT_RGBA | GLUT_DOUBLE);
  glewInit();
  if (!glewIsSupported("GL_VERSION_2_0 ")) {
    fprintf(stderr, "no");
    return CUTFalse;
  }
  return CUTTrue;
}
int main(int argc, char **argv) {
  if (cutCheckCmdLineFlag(argc, (const char **)argv, "device"))
    cutilGLDeviceInit(argc, argv);
  unsigned int timer;
  cutilCheckError(cutCreateTimer(&timer));
  initGL(argc, argv);
  cudaThreadSynchronize();
  cutilCheckMsg("x");
  cutilExit(argc, argv);
  return 0;
}
