//===- TextureOps.cpp - Reads of textures and surfaces --------------------===//

#include "heddle/ABI/TextureOps.h"

#include "heddle/ABI/KernelMemory.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace {

/// How a read samples: what CUDA's descriptor or OpenCL's sampler says.
struct Sampling {
  unsigned Mode = HEDDLE_ADDRESS_CLAMP; ///< HeddleAddressMode
  bool Linear = false, Normalized = false, IsOpenCL = false;
};

/// One axis of a read: the texels that it touches, -1 where there are none, and
/// the weight of the second.
struct Axis {
  int First = 0, Second = 0;
  float Weight = 0;
  bool Filtered = false;

  int at(unsigned N) const { return N ? Second : First; }
  float weight(unsigned N) const { return N ? Weight : 1 - Weight; }
  unsigned count() const { return Filtered ? 2 : 1; }
};

/// The texels of an axis that lie side by side, from Begin on.
struct Span {
  int Begin = 0;
  unsigned Count = 0;
};

template <typename T> T load(const void *From) {
  T Value;
  heddleReadMemory(&Value, reinterpret_cast<uint64_t>(From), sizeof(T));
  return Value;
}

/// \p X as an integer; what no texture is large enough for stays outside.
int wholeOf(float X) {
  constexpr float Most = 1 << 24;
  return std::isnan(X) ? 0 : int(std::clamp(std::floor(X), -Most, Most));
}

/// The texel that \p I means on an axis of \p N, or -1.
int indexOf(int64_t I, int64_t N, unsigned Mode) {
  if (N <= 0)
    return -1;
  switch (Mode) {
  case HEDDLE_ADDRESS_CLAMP:
    return int(std::clamp<int64_t>(I, 0, N - 1));
  case HEDDLE_ADDRESS_WRAP:
    return int((I % N + N) % N);
  case HEDDLE_ADDRESS_MIRROR: {
    const int64_t R = (I % (2 * N) + 2 * N) % (2 * N);
    return int(R < N ? R : 2 * N - 1 - R);
  }
  default:
    return I < 0 || I >= N ? -1 : int(I);
  }
}

Span spanOf(const Axis &A) {
  if (!A.Filtered || A.First == A.Second || A.Second < 0)
    return {std::max(A.First, 0), A.First >= 0 ? 1u : 0u};
  if (A.First < 0)
    return {A.Second, 1};
  // Across the seam of a wrapped axis the other side is left out.
  return {A.First, A.Second == A.First + 1 ? 2u : 1u};
}

unsigned openCLMode(uint64_t Sampler) {
  switch (Sampler & HEDDLE_SAMPLER_MODES) {
  case HEDDLE_SAMPLER_BORDER:
    return HEDDLE_ADDRESS_BORDER;
  case HEDDLE_SAMPLER_REPEAT:
    return HEDDLE_ADDRESS_WRAP;
  case HEDDLE_SAMPLER_MIRROR:
    return HEDDLE_ADDRESS_MIRROR;
  default:
    return HEDDLE_ADDRESS_CLAMP;
  }
}

Sampling samplingOf(const HeddleImage &D, HeddleTextureShape Shape,
                    uint64_t Sampler) {
  Sampling S;
  const bool Fetches = Shape.Kind == HEDDLE_TEXTURE_FETCH;
  S.IsOpenCL = Shape.Flags & HEDDLE_TEXTURE_SAMPLER;
  if (S.IsOpenCL) {
    S.Mode = openCLMode(Sampler);
    S.Linear = !Fetches && Sampler & HEDDLE_SAMPLER_LINEAR &&
               Shape.Type == HEDDLE_TEXTURE_F32;
    S.Normalized = !Fetches && Sampler & HEDDLE_SAMPLER_NORMALIZED;
    return S;
  }
  if (Fetches) {
    S.Mode = HEDDLE_ADDRESS_BORDER;
    return S;
  }
  S.Linear = D.Filter || Shape.Kind == HEDDLE_TEXTURE_GATHER;
  S.Normalized = D.NormalizedCoordinates;
  if (Shape.Flags & HEDDLE_TEXTURE_CUBE)
    S.Normalized = true; // a face ends at its edges
  else if (D.NormalizedCoordinates || D.Address == HEDDLE_ADDRESS_BORDER)
    S.Mode = D.Address; // wrap and mirror need normalized coordinates
  return S;
}

/// The axis of \p N texels at \p X.
Axis axisOf(float X, uint32_t N, const Sampling &S) {
  if (S.Normalized)
    X *= float(N);
  Axis A;
  if (!S.Linear) {
    A.First = indexOf(wholeOf(X), N, S.Mode);
    return A;
  }
  X -= 0.5f;
  const int I = wholeOf(X);
  A.Filtered = true;
  A.First = indexOf(I, N, S.Mode);
  A.Second = indexOf(int64_t(I) + 1, N, S.Mode);
  A.Weight = X - float(I);
  if (!S.IsOpenCL)
    A.Weight = std::rint(A.Weight * 256) / 256;
  return A;
}

/// The face of a cube that (x, y, z) points at, and the place on it (CUDA C++
/// Programming Guide, "Cubemap Textures").
int faceOf(float X, float Y, float Z, float &S, float &T) {
  const float AX = std::fabs(X), AY = std::fabs(Y), AZ = std::fabs(Z);
  float Major;
  int Face;
  if (AX >= AY && AX >= AZ) {
    Face = X < 0;
    Major = AX;
    S = X < 0 ? Z : -Z;
    T = -Y;
  } else if (AY >= AZ) {
    Face = 2 + (Y < 0);
    Major = AY;
    S = X;
    T = Y < 0 ? -Z : Z;
  } else {
    Face = 4 + (Z < 0);
    Major = AZ;
    S = Z < 0 ? -X : X;
    T = -Y;
  }
  S = (S / Major + 1) / 2;
  T = (T / Major + 1) / 2;
  return Face;
}

template <typename E> E numberOf(float V) {
  if constexpr (std::is_same_v<E, float>)
    return V;
  if (std::isnan(V))
    return 0;
  constexpr double Least = double(std::numeric_limits<E>::min()),
                   Most = double(std::numeric_limits<E>::max());
  return E(std::clamp(double(V), Least, Most));
}

/// What one lane reads.
class Read {
public:
  Read(HeddleTextureShape Shape, const HeddleImage &D, uint64_t Sampler)
      : Shape(Shape), D(D), How(samplingOf(D, Shape, Sampler)) {}

  /// \p Words: the lane's coordinates.
  void aim(const uint32_t *Words);
  void describe(uint64_t &Place, uint64_t &Footprint) const;
  /// The results as words.
  void execute(uint32_t *Results) const {
    switch (Shape.Type) {
    case HEDDLE_TEXTURE_F32:
      return executeAs<float>(Results);
    case HEDDLE_TEXTURE_S32:
      return executeAs<int32_t>(Results);
    default:
      return executeAs<uint32_t>(Results);
    }
  }

private:
  void aimAtTexel(const uint32_t *Words);
  int layerOf(int64_t Layer) const;
  uint64_t addressOf(int X, int Y, int Z) const {
    return D.Data + uint64_t(Z) * D.SliceBytes + uint64_t(Y) * D.RowBytes +
           uint64_t(X) * texelBytes();
  }
  uint32_t texelBytes() const { return D.Channels * D.Bytes; }
  int64_t integerAt(const uint8_t *At) const;
  float floatAt(const uint8_t *At) const;
  float fractionAt(const uint8_t *At) const;
  template <typename E> E channelAt(const uint8_t *At) const;
  template <typename E> void texelAt(int X, int Y, int Z, E *Channels) const;
  template <typename E> void gather(E *Channels) const;
  template <typename E> void executeAs(uint32_t *Results) const;

  HeddleTextureShape Shape;
  const HeddleImage &D;
  Sampling How;
  Axis X, Y, Z;
};

/// OpenCL's reads and filtered ones go to the nearest layer; a CUDA texel that
/// is fetched lies in a layer or outside.
int Read::layerOf(int64_t Layer) const {
  return indexOf(Layer, D.Depth,
                 Shape.Kind == HEDDLE_TEXTURE_FETCH && !How.IsOpenCL
                     ? HEDDLE_ADDRESS_BORDER
                     : HEDDLE_ADDRESS_CLAMP);
}

void Read::aimAtTexel(const uint32_t *Words) {
  auto place = [&](unsigned N, uint32_t Size) {
    return indexOf(int32_t(Words[N]), Size, How.Mode);
  };
  X.First = place(HEDDLE_TEXTURE_X, D.Width);
  if (Shape.Axes > 1)
    Y.First = place(HEDDLE_TEXTURE_Y, D.Height);
  if (Shape.Axes > 2)
    Z.First = place(HEDDLE_TEXTURE_Z, D.Depth);
}

void Read::aim(const uint32_t *Words) {
  auto number = [&](unsigned N) { return std::bit_cast<float>(Words[N]); };
  const int Layer = int32_t(Words[HEDDLE_TEXTURE_LAYER]);
  if (Shape.Axes < 3)
    Z.First = layerOf(Shape.Flags & HEDDLE_TEXTURE_LAYERED ? Layer : 0);
  if (Shape.Kind == HEDDLE_TEXTURE_FETCH)
    return aimAtTexel(Words);
  float S = number(HEDDLE_TEXTURE_X), T = number(HEDDLE_TEXTURE_Y);
  if (Shape.Flags & HEDDLE_TEXTURE_CUBE) {
    const int Face = faceOf(S, T, number(HEDDLE_TEXTURE_Z), S, T);
    Z.First = layerOf(6 * int64_t(Layer) + Face);
  } else if (Shape.Axes > 2) {
    Z = axisOf(number(HEDDLE_TEXTURE_Z), D.Depth, How);
  }
  X = axisOf(S, D.Width, How);
  if (Shape.Axes > 1)
    Y = axisOf(T, D.Height, How);
}

void Read::describe(uint64_t &Place, uint64_t &Footprint) const {
  const Span Columns = spanOf(X), Rows = spanOf(Y), Slices = spanOf(Z);
  Place = addressOf(Columns.Begin, Rows.Begin, Slices.Begin);
  Footprint = 0;
  if (!Columns.Count || !Rows.Count || !Slices.Count)
    return;
  auto pitch = [](uint64_t V) {
    return std::min<uint64_t>(V, HEDDLE_FOOTPRINT_PITCH);
  };
  Footprint = std::min<uint32_t>(texelBytes(), HEDDLE_FOOTPRINT_TEXEL);
  if (How.Linear && Shape.Kind == HEDDLE_TEXTURE_SAMPLE)
    Footprint |= HEDDLE_FOOTPRINT_FILTERED;
  if (Columns.Count > 1)
    Footprint |= HEDDLE_FOOTPRINT_COLUMNS;
  if (Rows.Count > 1)
    Footprint |= HEDDLE_FOOTPRINT_ROWS;
  if (Slices.Count > 1)
    Footprint |= HEDDLE_FOOTPRINT_SLICES;
  if (Rows.Count > 1 || Slices.Count > 1)
    Footprint |= pitch(D.RowBytes) << HEDDLE_FOOTPRINT_ROW_SHIFT;
  if (Slices.Count > 1)
    Footprint |= pitch(D.SliceBytes / std::max(1u, D.RowBytes))
                 << HEDDLE_FOOTPRINT_SLICE_SHIFT;
}

int64_t Read::integerAt(const uint8_t *At) const {
  // OpenCL gives the bits of floating channels to readers of integers.
  switch (D.Bytes) {
  case 1:
    return D.Kind ? load<uint8_t>(At) : load<int8_t>(At);
  case 2:
    return D.Kind ? load<uint16_t>(At) : load<int16_t>(At);
  default:
    return D.Kind ? int64_t(load<uint32_t>(At)) : load<int32_t>(At);
  }
}

float Read::floatAt(const uint8_t *At) const {
  return D.Bytes == 2 ? float(load<_Float16>(At)) : load<float>(At);
}

float Read::fractionAt(const uint8_t *At) const {
  const float Scale = D.Bytes == 1 ? (D.Kind ? 255.0f : 127.0f)
                                   : (D.Kind ? 65535.0f : 32767.0f);
  return std::max(float(integerAt(At)) / Scale, -1.0f);
}

template <typename E> E Read::channelAt(const uint8_t *At) const {
  constexpr bool IsFloat = std::is_same_v<E, float>;
  if (How.IsOpenCL && !IsFloat)
    return E(integerAt(At));
  if (D.Kind == 2)
    return numberOf<E>(floatAt(At));
  if (How.IsOpenCL || D.NormalizedValues)
    return numberOf<E>(fractionAt(At));
  return E(integerAt(At));
}

template <typename E>
void Read::texelAt(int AtX, int AtY, int AtZ, E *Channels) const {
  std::fill(Channels, Channels + 4, E(0));
  if (How.IsOpenCL && D.Channels != 4)
    Channels[3] = E(1);
  if (AtX < 0 || AtY < 0 || AtZ < 0)
    return;
  const auto *Texel =
      reinterpret_cast<const uint8_t *>(addressOf(AtX, AtY, AtZ));
  for (unsigned C = 0; C < std::min(4u, D.Channels); ++C)
    Channels[C] = channelAt<E>(Texel + C * D.Bytes);
}

/// Counterclockwise from the lower left.
template <typename E> void Read::gather(E *Channels) const {
  for (unsigned N = 0; N < 4; ++N) {
    E Texel[4];
    texelAt(X.at(N == 1 || N == 2), Y.at(N < 2), Z.First, Texel);
    Channels[N] = Texel[Shape.Component & 3];
  }
}

template <typename E> void Read::executeAs(uint32_t *Results) const {
  E Channels[4];
  if (Shape.Kind == HEDDLE_TEXTURE_GATHER) {
    gather(Channels);
  } else if (!X.Filtered) {
    texelAt(X.First, Y.First, Z.First, Channels);
  } else {
    float Sum[4] = {};
    for (unsigned K = 0; K < Z.count(); ++K)
      for (unsigned J = 0; J < Y.count(); ++J)
        for (unsigned I = 0; I < 2; ++I) {
          const float Weight = X.weight(I) * (Y.Filtered ? Y.weight(J) : 1) *
                               (Z.Filtered ? Z.weight(K) : 1);
          texelAt(X.at(I), Y.at(J), Z.at(K), Channels);
          for (unsigned C = 0; C < 4; ++C)
            Sum[C] = std::fma(Weight, float(Channels[C]), Sum[C]);
        }
    for (unsigned C = 0; C < 4; ++C)
      Channels[C] = numberOf<E>(Sum[C]);
  }
  for (unsigned C = 0; C < 4; ++C)
    Results[C] = std::bit_cast<uint32_t>(Channels[C]);
}

/// Where a lane accesses a surface.
struct SurfacePlace {
  uint64_t Address;
  bool Exists, Traps;
};

SurfacePlace placeOf(HeddleTextureShape Shape, const HeddleImage &D,
                     const uint32_t *Words) {
  const int Texel = int(std::max(1u, D.Channels * D.Bytes));
  int X = int32_t(Words[HEDDLE_TEXTURE_X]);
  int Y = Shape.Axes > 1 ? int32_t(Words[HEDDLE_TEXTURE_Y]) : 0;
  int Z = Shape.Axes > 2 ? int32_t(Words[HEDDLE_TEXTURE_Z])
          : Shape.Flags & HEDDLE_TEXTURE_LAYERED
              ? int32_t(Words[HEDDLE_TEXTURE_LAYER])
              : 0;
  const int Column = X / Texel;
  const bool Outside = X < 0 || Column >= int(D.Width) || Y < 0 ||
                       Y >= int(D.Height) || Z < 0 || Z >= int(D.Depth);
  if (Outside) {
    auto nearest = [](int I, uint32_t N) {
      return std::max(0, indexOf(I, N, HEDDLE_ADDRESS_CLAMP));
    };
    X = nearest(X < 0 ? -1 : Column, D.Width) * Texel;
    Y = nearest(Y, D.Height);
    Z = nearest(Z, D.Depth);
  }
  return {D.Data + uint64_t(Z) * D.SliceBytes + uint64_t(Y) * D.RowBytes +
              uint64_t(X),
          !Outside || Shape.Mode == HEDDLE_SURFACE_CLAMP,
          Outside && Shape.Mode == HEDDLE_SURFACE_TRAP};
}

/// The registers of lane \p Lane, from or to memory.
void accessSurface(HeddleTextureShape Shape, const SurfacePlace &P,
                   uint64_t *Data, unsigned Lane) {
  for (unsigned N = 0; N < Shape.Elements; ++N) {
    uint64_t &Register = Data[N * HEDDLE_WARP_SIZE + Lane];
    const uint64_t At = P.Address + N * Shape.Bytes;
    if (Shape.Kind == HEDDLE_SURFACE_LOAD) {
      Register = 0;
      if (P.Exists)
        heddleReadMemory(&Register, At, Shape.Bytes);
    } else if (P.Exists) {
      heddleWriteMemory(At, &Register, Shape.Bytes);
    }
  }
}

uint32_t answer(HeddleTextureShape Shape, const HeddleImage &D) {
  return Shape.Component == 0   ? D.Width
         : Shape.Component == 1 ? D.Height
                                : D.Depth;
}

} // namespace

uint32_t heddleTexture(uint64_t ShapeBits, uint32_t Mask,
                       const uint64_t *Handles, const uint32_t *Coordinates,
                       void *Data, uint64_t *Records) {
  const auto Shape = std::bit_cast<HeddleTextureShape>(ShapeBits);
  uint32_t Traps = 0;
  for (uint32_t Left = Mask; Left; Left &= Left - 1) {
    const unsigned Lane = std::countr_zero(Left);
    HeddleImage D;
    heddleReadMemory(&D, Handles[Lane], sizeof(D));
    uint32_t Words[HEDDLE_TEXTURE_COORDINATES];
    for (unsigned N = 0; N < HEDDLE_TEXTURE_COORDINATES; ++N)
      Words[N] = Coordinates[N * HEDDLE_WARP_SIZE + Lane];
    uint64_t Place = 0, Footprint = 0;
    if (Shape.Kind == HEDDLE_TEXTURE_QUERY) {
      static_cast<uint32_t *>(Data)[Lane] = answer(Shape, D);
      continue;
    }
    if (Shape.Kind >= HEDDLE_SURFACE_LOAD) {
      const SurfacePlace P = placeOf(Shape, D, Words);
      Place = P.Address;
      Footprint = P.Exists ? Shape.Elements * Shape.Bytes : 0;
      Traps |= uint32_t(P.Traps) << Lane;
      if (Data)
        accessSurface(Shape, P, static_cast<uint64_t *>(Data), Lane);
    } else {
      Read R(Shape, D, Handles[HEDDLE_WARP_SIZE + Lane]);
      R.aim(Words);
      R.describe(Place, Footprint);
      uint32_t Results[4];
      if (Data)
        R.execute(Results);
      for (unsigned N = 0; Data && N < 4; ++N)
        static_cast<uint32_t *>(Data)[N * HEDDLE_WARP_SIZE + Lane] = Results[N];
    }
    if (Records) {
      Records[HEDDLE_TEXTURE_PLACE * HEDDLE_WARP_SIZE + Lane] = Place;
      Records[HEDDLE_TEXTURE_FOOTPRINT * HEDDLE_WARP_SIZE + Lane] = Footprint;
    }
  }
  return Traps;
}
