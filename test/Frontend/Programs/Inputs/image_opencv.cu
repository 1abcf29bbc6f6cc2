#include <boost/program_options.hpp>
#include <chrono>
#include <getopt.h>
#include <iostream>
#include <opencv2/core/cuda.hpp>
#include <opencv2/cudaarithm.hpp>
#include <opencv2/opencv.hpp>
#include <png.h>
#include <vector>
using namespace cv;
using namespace std;
namespace po = boost::program_options;
#define CHECK(call)                                                            \
  {                                                                            \
    const cudaError_t e = call;                                                \
    if (e != cudaSuccess) {                                                    \
      printf("%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e));         \
      exit(1);                                                                 \
    }                                                                          \
  }
__global__ void bgr2gray(const unsigned char *in, unsigned char *out, int w,
                         int h, int step) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x,
            y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    const uchar3 *row = (const uchar3 *)(in + y * step);
    out[y * w + x] = static_cast<unsigned char>(
        0.114f * row[x].x + 0.587f * row[x].y + .299f * row[x].z);
  }
}
template <typename T> class Image {
public:
  T *data;
  cv::Mat m;
  __host__ __device__ T &at(int i) { return data[i]; }
};
template <typename T> struct View {
  T *p;
  int n;
  __device__ T &operator[](int i) const { return p[i]; }
};
__global__ void usesView(View<float> v) { v[threadIdx.x] += 1; }
static void convert(const Mat &input, Mat &output) {
  const int bytes = input.step * input.rows;
  unsigned char *d;
  CHECK(cudaMalloc<unsigned char>(&d, bytes));
  const dim3 block(16, 16);
  const dim3 grid((input.cols + block.x - 1) / block.x,
                  (input.rows + block.y - 1) / block.y);
  bgr2gray<<<grid, block>>>(d, d, input.cols, input.rows, input.step);
  usesView<<<1, 32>>>(View<float>{nullptr, 0});
}
int main(int argc, char **argv) {
  po::options_description desc("o");
  desc.add_options()("help", "x");
  Mat in = imread(argv[1], CV_LOAD_IMAGE_COLOR), out(in.rows, in.cols, CV_8UC1);
  auto t0 = std::chrono::high_resolution_clock::now();
  convert(in, out);
  imshow("o", out);
  for (auto &&m : std::vector<Mat>{in, out})
    cout << m.size() << endl;
}
