//===- Images.cpp - Images and samplers in device memory ------------------===//

#include "exec/Binding.h"
#include "launch/BufferInit.h"
#include "launch/ScalarTypes.h"

#include <cstring>

namespace heddle::exec {

using namespace launch;

static uint32_t kindOf(ScalarType Type) {
  if (isFloat(Type))
    return 2;
  return Type == ScalarType::U8 || Type == ScalarType::U16 ||
         Type == ScalarType::U32;
}

Result<uint64_t> placeImage(const ImageArg &Image, const std::string &Name,
                            DeviceMemory &Memory) {
  const BufferArg &Texels = Image.Texels;
  uint32_t Bytes = uint32_t(sizeOf(Texels.Type));
  auto Data = Memory.allocateArgument(Name, Texels.Count * Bytes);
  if (!Data)
    return std::unexpected(Data.error());
  (*Data)->Type = Texels.Type;
  (*Data)->Initialised = !std::holds_alternative<InitNone>(Texels.Init);
  if (Result<void> Ok = initialise(Texels, Memory.bytes(**Data)); !Ok)
    return std::unexpected(Ok.error());
  ImageDescriptor D = {};
  D.Data = (*Data)->Address;
  D.Width = Image.Width;
  D.Height = Image.Height;
  D.Depth = Image.Depth;
  D.RowBytes = Image.Width * Image.Channels * Bytes;
  D.SliceBytes = D.RowBytes * Image.Height;
  D.Channels = Image.Channels;
  D.Kind = kindOf(Texels.Type);
  D.Bytes = Bytes;
  D.Address = uint32_t(Image.Sampling.Address);
  D.Filter = Image.Sampling.Linear;
  D.NormalizedCoordinates = Image.Sampling.Normalized;
  D.NormalizedValues = Image.NormalizedValues;
  auto Described = Memory.allocate(Name + ".descriptor", sizeof(D));
  if (!Described)
    return std::unexpected(Described.error());
  (*Described)->Initialised = true;
  std::memcpy(Memory.bytes(**Described).data(), &D, sizeof(D));
  return (*Described)->Address;
}

} // namespace heddle::exec
