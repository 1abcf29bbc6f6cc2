//===- SynthDialect.td - The dialect of kernel behaviour ------------------===//

#ifndef HEDDLE_DIALECT_SYNTH_SYNTHDIALECT
#define HEDDLE_DIALECT_SYNTH_SYNTHDIALECT

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def SynthDialect : Dialect {
  let name = "synth";
  let cppNamespace = "::heddle::synth";
  let summary = "What a GPU kernel does, without its data";
  let description = [{
    A kernel is a control-flow graph whose blocks and edges are those of the
    divergence flow statistics graph (DFSG) of GPGPU-MiniBench (Yu et al., IEEE
    TC 2015). Its operations are PTX opcodes with the values that they wait
    for; memory operations say which array they access and how the address
    follows from thread, block and iteration numbers, or how it is spread if it
    does not; terminators say how lanes and iterations divide. No value,
    constant, name or address of an original is in it.

    `heddle clone KERNEL --launch LAUNCH -o DIR` writes `DIR/clone.mlir`;
    `heddle clone FILE.mlir -o DIR` makes a clone of what such a file says, and
    `heddle run`, `trace`, `simulate`, `kernels` and `analyze` take it as a kernel with
    its launch. `heddle-opt` checks it and runs passes on it, as mlir-opt would.
    A file written by hand omits what it does not know: without `executes`
    all counts follow from launch, trip counts and shares. Integer instructions
    stand for address arithmetic and counting: those that a clone needs take
    their place. Other instructions come out as they are written.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

class SynthType<string name, string typeMnemonic, string about>
    : TypeDef<SynthDialect, name> {
  let mnemonic = typeMnemonic;
  let summary = about;
}
def ArrayType : SynthType<"Array", "array", "memory that a kernel accesses">;
def AccessType : SynthType<"Access", "access", "which part of an array an operation touches">;
def LoopType : SynthType<"Loop", "loop", "a loop and its trip counts">;
def RegisterType : SynthType<"Register", "register", "what one instruction writes and another waits for">;

def SpaceAttr : I32EnumAttr<"Space", "a memory space of PTX", [
    I32EnumAttrCase<"Global", 0, "global">,
    I32EnumAttrCase<"Shared", 1, "shared">,
    I32EnumAttrCase<"Const", 2, "const">,
    I32EnumAttrCase<"Local", 3, "local">]> {
  let cppNamespace = "::heddle::synth";
}

def KeyAttr : I32EnumAttr<"Key", "what addresses and branches may depend on", [
    I32EnumAttrCase<"ThreadX", 0, "tid.x">,
    I32EnumAttrCase<"ThreadY", 1, "tid.y">,
    I32EnumAttrCase<"ThreadZ", 2, "tid.z">,
    I32EnumAttrCase<"BlockX", 3, "ctaid.x">,
    I32EnumAttrCase<"BlockY", 4, "ctaid.y">,
    I32EnumAttrCase<"BlockZ", 5, "ctaid.z">,
    I32EnumAttrCase<"Iteration0", 6, "i0">,
    I32EnumAttrCase<"Iteration1", 7, "i1">,
    I32EnumAttrCase<"Iteration2", 8, "i2">,
    I32EnumAttrCase<"Iteration3", 9, "i3">,
    I32EnumAttrCase<"Earlier", 10, "earlier">]> {
  let cppNamespace = "::heddle::synth";
}

class SynthAttr<string name, string attrMnemonic, string about>
    : AttrDef<SynthDialect, name> {
  let mnemonic = attrMnemonic;
  let summary = about;
}

def FunctionAttr : SynthAttr<"Function", "function", "a byte offset that is affine in the keys"> {
  let description = [{
    A sum of terms, each an integer, a key (`tid.x`, `ctaid.y`, `i0`, ...) or
    an integer times a key. `i0` counts the iterations of the outermost loop
    around the operation from zero, `i1` those of the next. `tid.x[5:10]` are
    five bits of a thread or block index from bit 5 up, as a number: a remainder
    or quotient by a power of two. `earlier` counts the iterations of the loop
    from which the innermost loop with `after` (`synth.block`) goes on. Only
    accesses depend on bits and on `earlier`.

    ```mlir
    #synth.function<4 * tid.x + 1024 * ctaid.x - 16 * i0 + 64>
    #synth.function<128 * tid.x[5:10] + 4 * tid.x[0:5]>
    ```
  }];
  let parameters = (ins "int64_t":$constant, ArrayRefParameter<"int64_t", "of each key">:$coefficients,
                        OptionalArrayRefParameter<"int64_t", "key, first bit, number of bits and factor of each field">:$fields);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def CountsAttr : SynthAttr<"Counts", "counts", "how often a block of the DFSG ran"> {
  let description = [{
    `ECount`: executions by all threads. `WarpCount`: by warps. `LCount`:
    iterations of the innermost loop around it, by all threads. `SCount`:
    barriers that its warps executed.
  }];
  let parameters = (ins DefaultValuedParameter<"uint64_t", "0">:$ECount,
                        DefaultValuedParameter<"uint64_t", "0">:$WarpCount,
                        DefaultValuedParameter<"uint64_t", "0">:$LCount,
                        DefaultValuedParameter<"uint64_t", "0">:$SCount);
  let assemblyFormat = "`<` struct(params) `>`";
}

def EdgeAttr : SynthAttr<"Edge", "edge", "how often an edge of the DFSG was taken"> {
  let description = [{
    `Count` (OECount of its source, IECount of its target): times that threads
    took it. `WarpCount`: times that at least one lane of a warp did. `TCount`:
    threads that took it at least once.
  }];
  let parameters = (ins DefaultValuedParameter<"uint64_t", "0">:$Count,
                        DefaultValuedParameter<"uint64_t", "0">:$WarpCount,
                        DefaultValuedParameter<"uint64_t", "0">:$TCount);
  let assemblyFormat = "`<` struct(params) `>`";
}

def SharesAttr : SynthAttr<"Shares", "shares", "how often lanes part at a branch"> {
  let description = [{
    `all`: share of the executions by warps in which all lanes go to the first
    successor. `mixed`: in which some do. `lanes`: the share of the lanes that
    do in those.
  }];
  let parameters = (ins APFloatParameter<"">:$all, APFloatParameter<"">:$mixed, APFloatParameter<"">:$lanes);
  let builders = [AttrBuilder<(ins "double":$all, "double":$mixed, "double":$lanes), [{
    return $_get($_ctxt, llvm::APFloat(all), llvm::APFloat(mixed), llvm::APFloat(lanes));
  }]>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // HEDDLE_DIALECT_SYNTH_SYNTHDIALECT
