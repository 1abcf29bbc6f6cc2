//===- PTXInstructions.h - What is known of a PTX opcode --------*- C -*-===//
//
// The rows of PTXInstructions.def and how an opcode finds its own. Both halves
// read them: the compiler half what an instruction means, the runtime half the
// operands that a clone must give it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ABI_PTXINSTRUCTIONS_H
#define HEDDLE_ABI_PTXINSTRUCTIONS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What an instruction does beside writing its results.
enum HeddlePTXEffect {
  HEDDLE_PTX_None,
  HEDDLE_PTX_Divides, ///< has no meaning for some operands
  HEDDLE_PTX_Carry,   ///< reads or writes the carry flag
  HEDDLE_PTX_Read,    ///< of memory
  HEDDLE_PTX_Write,
  HEDDLE_PTX_Atomic,
  HEDDLE_PTX_Warp, ///< depends on which lanes execute it
  HEDDLE_PTX_Barrier,
  HEDDLE_PTX_Fence,
  HEDDLE_PTX_Control, ///< leaves the block
};

/// A row, with the columns that PTXInstructions.def describes.
typedef struct HeddlePTXRow {
  const char *Name, *Modifiers, *Types, *Operands;
  uint8_t Class;  ///< HeddleOpClass
  uint8_t Effect; ///< HeddlePTXEffect
} HeddlePTXRow;

/// The row of an opcode, and what its type says.
typedef struct HeddlePTXForm {
  const HeddlePTXRow *Row;
  uint32_t Number;      ///< of the row
  uint32_t Exact;       ///< 0: only the first word is known
  uint32_t Issued;      ///< instructions on the common path
  uint32_t Temporaries; ///< 32-bit registers beside the operands
} HeddlePTXForm;

/// A type by its name.
typedef struct HeddlePTXType {
  const char *Name;
  uint8_t Data;  ///< HeddleDataType
  uint8_t Bytes; ///< of a register or in memory
} HeddlePTXType;

/// All rows, in the order of the file.
const HeddlePTXRow *heddlePTXRows(uint32_t *Count);

/// Finds the row of the opcode of \p Length characters at \p Opcode, with all
/// its modifiers: "ld.global.nc.v2.b32". 0 if its first word is not known.
int heddleFindPTX(const char *Opcode, uint32_t Length, HeddlePTXForm *Form);

/// The type called so ("u32"), or null.
const HeddlePTXType *heddlePTXType(const char *Name, uint32_t Length);

#ifdef __cplusplus
}
#endif

#endif // HEDDLE_ABI_PTXINSTRUCTIONS_H
