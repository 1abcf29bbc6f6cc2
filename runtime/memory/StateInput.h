//===- StateInput.h - Reads what a saved state holds ------------*- C++ -*-===//

#ifndef HEDDLE_MEMORY_STATEINPUT_H
#define HEDDLE_MEMORY_STATEINPUT_H

#include <cereal/archives/binary.hpp>

#include <cstring>
#include <span>

namespace heddle::memory {

/// Reads what cereal::BinaryOutputArchive wrote. Bytes that lie cost no more
/// memory than those that do not: a list of more elements than bytes are left
/// is refused before room is made for it. Throws cereal::Exception.
class StateInput
    : public cereal::InputArchive<StateInput, cereal::AllowEmptyClassElision> {
public:
  explicit StateInput(std::span<const uint8_t> Bytes)
      : InputArchive(this), Rest(Bytes) {}

  void read(void *To, size_t Size) {
    if (Size > Rest.size())
      throw cereal::Exception("it ends too early");
    if (Size)
      std::memcpy(To, Rest.data(), Size);
    Rest = Rest.subspan(Size);
  }
  size_t left() const { return Rest.size(); }

private:
  std::span<const uint8_t> Rest;
};

template <class T>
  requires std::is_arithmetic_v<T>
void load(StateInput &A, T &Value) {
  if constexpr (std::is_same_v<T, bool>) {
    uint8_t Byte; // any other byte would be no bool
    A.read(&Byte, 1);
    Value = Byte != 0;
  } else {
    A.read(&Value, sizeof(Value));
  }
}
template <class T> void load(StateInput &A, cereal::SizeTag<T> &Size) {
  A(Size.size);
  if (Size.size > A.left())
    throw cereal::Exception("it has a list of impossible size");
}
template <class T> void load(StateInput &A, cereal::BinaryData<T> &Data) {
  A.read(Data.data, size_t(Data.size));
}
template <class T> void load(StateInput &A, cereal::NameValuePair<T> &Pair) {
  A(Pair.value);
}

} // namespace heddle::memory

/// What wrote it. The other way round the archive has cereal's own.
template <>
struct cereal::traits::detail::get_output_from_input<
    heddle::memory::StateInput> {
  using type = cereal::BinaryOutputArchive;
};

#endif // HEDDLE_MEMORY_STATEINPUT_H
