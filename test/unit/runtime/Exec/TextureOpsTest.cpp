//===- TextureOpsTest.cpp - Reads of textures and surfaces ----------------===//

#include "heddle/ABI/TextureOps.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstring>
#include <numeric>
#include <vector>

namespace {

/// A 4 x 3 image whose texel (x, y) is 4 y + x, and one lane that reads it.
struct TextureOps : testing::Test {
  TextureOps() {
    std::iota(Texels.begin(), Texels.end(), 0.0f);
    Image.Data = reinterpret_cast<uint64_t>(Texels.data());
    Image.Width = 4;
    Image.Height = 3;
    Image.Depth = 1;
    Image.RowBytes = 16;
    Image.SliceBytes = 48;
    Image.Channels = 1;
    Image.Kind = 2;
    Image.Bytes = 4;
    Image.Address = HEDDLE_ADDRESS_CLAMP;
  }

  uint32_t call(HeddleTextureShape Shape, std::array<uint32_t, 4> At,
                uint64_t Sampler = 0) {
    std::array<uint64_t, 64> Handles = {};
    std::array<uint32_t, 128> Coordinates = {};
    Handles[Lane] = reinterpret_cast<uint64_t>(&Image);
    Handles[32 + Lane] = Sampler;
    for (unsigned N = 0; N < 4; ++N)
      Coordinates[32 * N + Lane] = At[N];
    return heddleTexture(std::bit_cast<uint64_t>(Shape), 1u << Lane,
                         Handles.data(), Coordinates.data(), Data.data(),
                         Records.data());
  }
  uint32_t sample(float X, float Y, uint8_t Flags = 0, uint64_t Sampler = 0,
                  uint8_t Kind = HEDDLE_TEXTURE_SAMPLE) {
    return call({Kind, 2, Flags, HEDDLE_TEXTURE_F32, 0, 0, 0, 0},
                {std::bit_cast<uint32_t>(X), std::bit_cast<uint32_t>(Y), 0, 0},
                Sampler);
  }
  float result(unsigned N = 0) const {
    return std::bit_cast<float>(
        reinterpret_cast<const uint32_t *>(Data.data())[32 * N + Lane]);
  }
  uint64_t place() const { return (Records[Lane] - Image.Data) / 4; }
  uint64_t footprint() const { return Records[32 + Lane]; }

  static constexpr unsigned Lane = 5;
  std::array<float, 12> Texels;
  HeddleImage Image = {};
  std::array<uint64_t, 128> Data = {};
  std::array<uint64_t, 64> Records = {};
};

} // namespace

TEST_F(TextureOps, NearestReadsTheTexelThatHoldsThePoint) {
  sample(1.9f, 2.1f);
  EXPECT_EQ(result(), 9);
  EXPECT_EQ(result(1), 0); // a channel that is not there
  EXPECT_EQ(place(), 9u);
  EXPECT_EQ(footprint(), 4u);
}

TEST_F(TextureOps, WeightsHaveEightBits) {
  Image.Filter = 1;
  // Between 0 and 1 of the first row by 1/1024, which rounds to nothing, and by
  // 3/1024, which is 1/256.
  sample(0.5f + 1.0f / 1024, 0.5f);
  EXPECT_EQ(result(), 0);
  sample(0.5f + 3.0f / 1024, 0.5f);
  EXPECT_EQ(result(), 1.0f / 256);
  // OpenCL's weights are whole floats.
  sample(0.5f + 1.0f / 1024, 0.5f, HEDDLE_TEXTURE_SAMPLER,
         HEDDLE_SAMPLER_LINEAR);
  EXPECT_EQ(result(), 1.0f / 1024);
  EXPECT_EQ(result(3), 1); // alpha, which the texels do not have
}

TEST_F(TextureOps, FilteredReadTouchesTwoRows) {
  Image.Filter = 1;
  sample(2.0f, 1.0f);
  EXPECT_EQ(result(), (1 + 2 + 5 + 6) / 4.0f);
  EXPECT_EQ(place(), 1u);
  EXPECT_EQ(footprint(), 4u | HEDDLE_FOOTPRINT_FILTERED |
                             HEDDLE_FOOTPRINT_COLUMNS | HEDDLE_FOOTPRINT_ROWS |
                             uint64_t(16) << HEDDLE_FOOTPRINT_ROW_SHIFT);
  sample(4.0f, 3.0f); // both neighbours are the corner
  EXPECT_EQ(result(), 11);
  EXPECT_EQ(footprint(), 4u | HEDDLE_FOOTPRINT_FILTERED);
}

TEST_F(TextureOps, AddressModes) {
  Image.NormalizedCoordinates = 1;
  auto at = [&](uint32_t Mode, float X) {
    Image.Address = Mode;
    sample((X + 0.5f) / 4, 0.1f);
    return result();
  };
  EXPECT_EQ(at(HEDDLE_ADDRESS_CLAMP, 5), 3);
  EXPECT_EQ(at(HEDDLE_ADDRESS_WRAP, 5), 1);
  EXPECT_EQ(at(HEDDLE_ADDRESS_WRAP, -1), 3);
  EXPECT_EQ(at(HEDDLE_ADDRESS_MIRROR, 4), 3);
  EXPECT_EQ(at(HEDDLE_ADDRESS_MIRROR, -2), 1);
  EXPECT_EQ(at(HEDDLE_ADDRESS_BORDER, 3), 3);
  EXPECT_EQ(footprint(), 4u);
  EXPECT_EQ(at(HEDDLE_ADDRESS_BORDER, 4), 0);
  EXPECT_EQ(footprint(), 0u);
  // Coordinates in texels cannot wrap.
  Image.NormalizedCoordinates = 0;
  Image.Address = HEDDLE_ADDRESS_WRAP;
  sample(5.5f, 0);
  EXPECT_EQ(result(), 3);
  sample(std::numeric_limits<float>::quiet_NaN(), 1e30f);
  EXPECT_EQ(result(), 8);
}

TEST_F(TextureOps, GatherGoesAroundFromTheLowerLeft) {
  sample(2.0f, 1.0f, 0, 0, HEDDLE_TEXTURE_GATHER);
  EXPECT_EQ(result(0), 5);
  EXPECT_EQ(result(1), 6);
  EXPECT_EQ(result(2), 2);
  EXPECT_EQ(result(3), 1);
}

TEST_F(TextureOps, FetchIsZeroOutside) {
  const HeddleTextureShape Fetch = {
      HEDDLE_TEXTURE_FETCH, 1, 0, HEDDLE_TEXTURE_F32, 0, 0, 0, 0};
  call(Fetch, {3, 0, 0, 0});
  EXPECT_EQ(result(), 3);
  call(Fetch, {4, 0, 0, 0});
  EXPECT_EQ(result(), 0);
  EXPECT_EQ(footprint(), 0u);
  call(Fetch, {uint32_t(-1), 0, 0, 0});
  EXPECT_EQ(result(), 0);
}

TEST_F(TextureOps, SurfacesAreBytes) {
  HeddleTextureShape Store = {HEDDLE_SURFACE_STORE, 2, 0, 0, 0, 1, 4,
                              HEDDLE_SURFACE_ZERO};
  Data[Lane] = std::bit_cast<uint32_t>(0.25f);
  EXPECT_EQ(call(Store, {8, 1, 0, 0}), 0u);
  EXPECT_EQ(Texels[6], 0.25f);
  EXPECT_EQ(call(Store, {16, 1, 0, 0}), 0u); // outside: nothing is written
  EXPECT_EQ(Texels[8], 8);
  HeddleTextureShape Load = Store;
  Load.Kind = HEDDLE_SURFACE_LOAD;
  Load.Mode = HEDDLE_SURFACE_CLAMP;
  EXPECT_EQ(call(Load, {100, 100, 0, 0}), 0u);
  EXPECT_EQ(Data[Lane], std::bit_cast<uint32_t>(11.0f));
  Load.Mode = HEDDLE_SURFACE_TRAP;
  EXPECT_EQ(call(Load, {100, 100, 0, 0}), 1u << Lane);
}
