#include "Reference.h"

#include <complex>
#include <numbers>

void heddle::reference::fft_stage(Arguments &Args) {
  auto In = Args.buffer<float>(0), Out = Args.buffer<float>(1);
  uint32_t Half = Args.scalar<uint32_t>(2), Size = Args.scalar<uint32_t>(3);
  using Complex = std::complex<double>;
  auto Store = [&](uint32_t I, Complex Value) {
    Out[2 * I] = float(Value.real());
    Out[2 * I + 1] = float(Value.imag());
  };
  for (uint32_t I = 0; I < Half; ++I) {
    uint32_t K = I % Size;
    Complex A(In[2 * I], In[2 * I + 1]);
    Complex B(In[2 * (I + Half)], In[2 * (I + Half) + 1]);
    Complex Turned = B * std::polar(1.0, -std::numbers::pi * K / Size);
    Store(2 * I - K, A + Turned);
    Store(2 * I - K + Size, A - Turned);
  }
}
