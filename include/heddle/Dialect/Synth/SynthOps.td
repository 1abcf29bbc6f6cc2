//===- SynthOps.td - Operations of the synth dialect ----------------------===//

#ifndef HEDDLE_DIALECT_SYNTH_SYNTHOPS
#define HEDDLE_DIALECT_SYNTH_SYNTHOPS

include "heddle/Dialect/Synth/SynthDialect.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

class SynthOp<string mnemonic, list<Trait> traits = []>
    : Op<SynthDialect, mnemonic, traits>;

// Declarations say what a kernel has; they stand in its first block.
class SynthDeclaration<string mnemonic>
    : SynthOp<mnemonic, [HasParent<"KernelOp">, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]>;

def KernelOp : SynthOp<"kernel", [IsolatedFromAbove, Symbol]> {
  let summary = "a kernel and its launch";
  let description = [{
    `grid` and `threads` are the launch: blocks, and threads of a block, along
    x, y and z. `registers` is per thread, `shared` bytes per block.
    `of_grid` is the grid that the original was launched with, if
    `synth-reduce-grid` took blocks away; `executes` the warp and the thread
    instructions of the original.

    The body's first block begins with the declarations (`synth.array`,
    `synth.loop`, `synth.register`).

    ```mlir
    synth.kernel @chain grid [80, 1, 1] threads [256, 1, 1] registers 16 {
      %loop = synth.loop trips [1000]
      %sum = synth.register
      synth.br ^body
    ^body:
      synth.block heads %loop
      synth.op "fma.rn.f32"(%sum, %sum, %sum) into %sum
      synth.branch trips %loop ^body, ^end
    ^end:
      synth.return
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, DenseI64ArrayAttr:$grid, DenseI64ArrayAttr:$threads,
                       DefaultValuedAttr<I64Attr, "16">:$registers, DefaultValuedAttr<I64Attr, "0">:$shared,
                       OptionalAttr<DenseI64ArrayAttr>:$of_grid,
                       OptionalAttr<DenseI64ArrayAttr>:$executes);
  let regions = (region MinSizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `grid` $grid (`of` $of_grid^)? `threads` $threads (`registers` $registers^)? (`shared` $shared^)?
    (`executes` $executes^)? attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def ArrayOp : SynthDeclaration<"array"> {
  let summary = "memory that the kernel accesses";
  let description = [{
    An array with its size in bytes. A clone gives a global one a buffer of its own,
    larger if accesses leave it; all shared ones lie in the kernel's shared
    memory and begin where it does.

    ```mlir
    %a = synth.array global 1048576
    ```
  }];
  let arguments = (ins SpaceAttr:$space, I64Attr:$size);
  let results = (outs ArrayType:$result);
  let assemblyFormat = "$space $size attr-dict";
  let hasVerifier = 1;
}

def LoopOp : SynthDeclaration<"loop"> {
  let summary = "a loop and its trip counts";
  let description = [{
    `trips` is how often the header runs each time that a warp enters the loop,
    as long as the longest of its threads: one number, or the quantiles 0,
    1/16, ... 1 over all entries. Where threads of a warp differ (`varies`),
    `threads` says the same of each thread's entries: one number, or the means
    of 64 equal shares of all entries, from the least to the most; `mean` is the
    mean of all. `affine` is the trip count of a thread as a function of
    thread, block and outer iteration numbers, if there is one. `within` names
    the loop around it. `blocks` lists the trips of each thread block of the
    original, where its threads make the same. Blocks say with `synth.block` that they belong to it.

    `reduced_by` divides the iterations of the loop in a clone
    (`synth-reduce-loops` sets it). `at_least` of them remain, if the original
    had as many.

    ```mlir
    %outer = synth.loop trips [64]
    %inner = synth.loop within %outer trips [128] affine <128 - i0> reduced_by 16 at_least 2
    ```
  }];
  let arguments = (ins Optional<LoopType>:$parent, DenseI64ArrayAttr:$trips,
                       OptionalAttr<F64ArrayAttr>:$threads, OptionalAttr<F64Attr>:$mean, UnitAttr:$varies,
                       OptionalAttr<DenseI64ArrayAttr>:$blocks,
                       OptionalAttr<FunctionAttr>:$affine, DefaultValuedAttr<I64Attr, "1">:$reduced_by,
                       DefaultValuedAttr<I64Attr, "1">:$at_least);
  let results = (outs LoopType:$result);
  let assemblyFormat = [{
    (`within` $parent^)? `trips` $trips (`varies` $varies^)? (`threads` $threads^)? (`mean` $mean^)?
    (`blocks` $blocks^)? (`affine` $affine^)? (`reduced_by` $reduced_by^)? (`at_least` $at_least^)? attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    static constexpr unsigned NumQuantiles = 17, NumThreadShares = 64, MaxDepth = 4;
    LoopOp getParentLoop();
    /// 0 for an outermost one.
    unsigned getDepth();
    /// All quantiles of the warps' entries, all shares of the threads'.
    llvm::SmallVector<int64_t> getWarpQuantiles();
    llvm::SmallVector<double> getThreadShares();
    /// What threads has where it is not given: as the warps do.
    llvm::SmallVector<double> getDefaultThreadShares();
    /// What mean has where it is not given: that of the threads' shares.
    double getDefaultMean();
  }];
}

def RegisterOp : SynthDeclaration<"register"> {
  let summary = "a register that is written in several places, or nowhere";
  let description = [{
    Results of `synth.op` are the registers that one operation writes and all
    that read it come after. Others are declared: what a loop carries from one
    iteration to the next, what both sides of a branch write, what nothing
    writes.

    ```mlir
    %sum = synth.register
    ```
  }];
  let results = (outs RegisterType:$result);
  let assemblyFormat = "attr-dict";
}

def BlockOp : SynthOp<"block", [AttrSizedOperandSegments, HasParent<"KernelOp">]> {
  let summary = "what the DFSG says of a block";
  let description = [{
    The first operation of a block (after the declarations): the innermost loop
    that it is in, whether it is its header, how often it ran, and its
    executions by number of active lanes: 0, 1-8, 9-16, 17-24, 25-31, 32.
    A block without it is in no loop. Counts may be omitted: they follow from
    launch, trip counts and shares. `after` names a loop that runs before, in
    the same iteration of the loop around both: the header's loop goes on from
    there, as what is left over of an unrolled loop does. Addresses in it may
    depend on `earlier`, the iterations that the thread made there.

    ```mlir
    synth.block heads %loop
    synth.block heads %rest after %loop
    synth.block in %loop counts <ECount = 96, WarpCount = 3> lanes [0, 0, 0, 0, 0, 3]
    ```
  }];
  let arguments = (ins Optional<LoopType>:$header_of, Optional<LoopType>:$in, OptionalAttr<CountsAttr>:$counts,
                       OptionalAttr<DenseI64ArrayAttr>:$lanes, Optional<LoopType>:$after);
  let assemblyFormat = [{
    (`heads` $header_of^)? (`after` $after^)? (`in` $in^)? (`counts` $counts^)? (`lanes` $lanes^)? attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The innermost loop, null outside of loops.
    LoopOp getLoop();
    /// Null unless the header's loop goes on from another.
    LoopOp getAfterLoop();
  }];
}

def AccessOp : SynthOp<"access", [AttrSizedOperandSegments, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "how the operations that name it touch an array";
  let description = [{
    The offset of each lane's first byte follows from `at`, a function of
    thread, block and iteration numbers; or it is drawn from `range` such that
    a request (of a warp) touches `sectors` sectors of 32 bytes. `at` of a drawn
    access is the function that fits best, `explained` the share of the
    addresses that it gives. `requests` counts the warps' requests, `conflicts`
    the bank-conflict replays per request of shared memory. `modulo` a power of
    two: an affine offset goes around in so many bytes from the least of `range`
    on, as an index that a mask cuts does. `near` so many bytes: a drawn offset
    lies behind `at`, at most so far.
    Reuse and locality: `step` is the commonest distance from a thread's access
    to its next one in the same entry of the innermost loop, `lanes` that from
    a lane to the next active one, each with its share; `follows` an earlier
    access, of the block or of one that leads there in each iteration, that was
    nearly always that many bytes before, in the same lane; `footprint` the sectors touched at all, `entropy` that of the touches over them, in bits.
    `own 12.5 lines 14.0 sectors in 8192`: in each entry of the innermost loop a
    thread returns to 12.5 lines of 128 bytes and 14 sectors of 32, which lie at
    most 8192 bytes apart; `together`: all lanes of a warp by the same steps.
    Without an array no address is known.

    ```mlir
    %x = synth.access %a load 4 bytes affine at <4 * tid.x + 1024 * ctaid.x>
    %y = synth.access %a store 4 bytes drawn range [0, 65532] sectors 8.0 step 4 in 0.75
    ```
  }];
  let arguments = (ins Optional<ArrayType>:$array, Optional<AccessType>:$leader, OptionalAttr<I64Attr>:$distance,
                       UnitAttr:$store, I64Attr:$bytes, UnitAttr:$affine,
                       OptionalAttr<FunctionAttr>:$at, OptionalAttr<I64Attr>:$modulus, OptionalAttr<I64Attr>:$near,
                       DefaultValuedAttr<I64Attr, "0">:$requests,
                       DefaultValuedAttr<F64Attr, "0.0">:$explained, OptionalAttr<DenseI64ArrayAttr>:$range,
                       DefaultValuedAttr<F64Attr, "0.0">:$sectors, DefaultValuedAttr<F64Attr, "0.0">:$conflicts,
                       OptionalAttr<I64Attr>:$step, OptionalAttr<F64Attr>:$step_share,
                       OptionalAttr<I64Attr>:$lane_stride, OptionalAttr<F64Attr>:$lane_share,
                       DefaultValuedAttr<I64Attr, "0">:$footprint, DefaultValuedAttr<F64Attr, "0.0">:$entropy,
                       OptionalAttr<F64Attr>:$own_lines, OptionalAttr<F64Attr>:$own_sectors,
                       OptionalAttr<I64Attr>:$own_bytes,
                       UnitAttr:$own_together);
  let results = (outs AccessType:$result);
  let assemblyFormat = [{
    ($array^)? (`store` $store^) : (`load`)? $bytes `bytes` (`affine` $affine^) : (`drawn`)? (`at` $at^)? (`modulo` $modulus^)? (`near` $near^)?
    (`range` $range^)? (`sectors` $sectors^)? (`conflicts` $conflicts^)? (`requests` $requests^)?
    (`explained` $explained^)? (`step` $step^ `in` $step_share)? (`lanes` $lane_stride^ `in` $lane_share)?
    (`follows` $leader^ `by` $distance)? (`footprint` $footprint^)? (`entropy` $entropy^)?
    (`own` $own_lines^ `lines` $own_sectors `sectors` `in` $own_bytes)? (`together` $own_together^)? attr-dict
  }];
  let hasVerifier = 1;
}

def OpOp : SynthOp<"op", [AttrSizedOperandSegments, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "one PTX instruction";
  let description = [{
    A PTX opcode with its types, the registers that it reads (constants are
    not among them), and for a memory operation its access and how far behind
    that access's offset it begins. It writes its results, or the declared
    registers after `into`. `special` marks the read of a special register,
    `issued` says how many instructions hardware issues for it.
    Jumps may be given as operations too (`bra` with its predicate, `bra.uni`,
    `ret`): a clone then has as many.

    ```mlir
    %p = synth.op "mul.wide.s32"(%i)
    %v:2 = synth.op "ld.global.v2.f32"(%p) at %x plus 8
    synth.op "fma.rn.f32"(%v#0, %v#1, %sum) into %sum
    ```
  }];
  let arguments = (ins StrAttr:$opcode, Variadic<RegisterType>:$reads, Optional<AccessType>:$access,
                       DefaultValuedAttr<I64Attr, "0">:$offset, Variadic<RegisterType>:$into, UnitAttr:$special,
                       DefaultValuedAttr<I64Attr, "1">:$issued);
  let results = (outs Variadic<RegisterType>:$writes);
  let assemblyFormat = [{
    $opcode `` custom<Results>(type($writes)) (`(` $reads^ `)`)? (`at` $access^ (`plus` $offset^)?)? (`into` $into^)?
    (`special` $special^)? (`issued` $issued^)? attr-dict
  }];
  let hasVerifier = 1;
}

def BarrierOp : SynthOp<"barrier"> {
  let summary = "the threads of a block wait for each other";
  let description = [{
    `synth.barrier "bar.sync"`, or another barrier of PTX that reads no
    register.
  }];
  let arguments = (ins StrAttr:$opcode);
  let assemblyFormat = "$opcode attr-dict";
  let hasVerifier = 1;
}

class SynthTerminator<string mnemonic, list<Trait> traits = []>
    : SynthOp<mnemonic, !listconcat([Terminator, HasParent<"KernelOp">], traits)>;

def BrOp : SynthTerminator<"br"> {
  let summary = "all lanes go on to a block";
  let description = [{
    ```mlir
    synth.br ^body edge <Count = 96, WarpCount = 3, TCount = 96>
    ```
  }];
  let arguments = (ins OptionalAttr<EdgeAttr>:$edge);
  let successors = (successor AnySuccessor:$dest);
  let assemblyFormat = "$dest (`edge` $edge^)? attr-dict";
}

def BranchOp : SynthTerminator<"branch"> {
  let summary = "lanes or iterations divide";
  let description = [{
    Which lanes go to the first successor:
    - `where FUNCTION from LEAST below LIMIT`: those for which a function of
      thread, block and iteration numbers (`modulo` a power of two) lies there;
      either bound may be omitted. `where <tid.x> below 16` are the first 16
      threads of each block, `where <ctaid.x> below 8` eight groups of threads,
      `where <tid.x> modulo 32 below 1` the first lane of each warp, `where
      <i0> below 3` all lanes in the first three iterations. `also FUNCTION ...`
      is a second condition that must hold too.
    - `trips %loop`: as long as the loop has iterations left.
    - `shares`: all, or some, in a share of the executions.

    Shares may also be given beside `where`.

    ```mlir
    synth.branch where <tid.x> below 16 ^some, ^rest
    synth.branch trips %loop ^body, ^end
    synth.branch shares <all = 0.25, mixed = 0.5, lanes = 0.125> ^hit, ^miss
    ```
  }];
  let arguments = (ins OptionalAttr<FunctionAttr>:$where, OptionalAttr<I64Attr>:$modulo,
                       OptionalAttr<I64Attr>:$from, OptionalAttr<I64Attr>:$below,
                       OptionalAttr<FunctionAttr>:$also,
                       OptionalAttr<I64Attr>:$also_from, OptionalAttr<I64Attr>:$also_below,
                       Optional<LoopType>:$trips, OptionalAttr<SharesAttr>:$shares,
                       OptionalAttr<EdgeAttr>:$taken_edge, OptionalAttr<EdgeAttr>:$other_edge);
  let successors = (successor AnySuccessor:$taken, AnySuccessor:$other);
  let assemblyFormat = [{
    (`where` $where^ (`modulo` $modulo^)? (`from` $from^)? (`below` $below^)?
     (`also` $also^ (`from` $also_from^)? (`below` $also_below^)?)?)? (`trips` $trips^)?
    (`shares` $shares^)? $taken (`edge` $taken_edge^)? `,` $other (`edge` $other_edge^)? attr-dict
  }];
  let hasVerifier = 1;
}

def ReturnOp : SynthTerminator<"return"> {
  let summary = "the lanes end, or none ever came here";
  let assemblyFormat = "attr-dict";
}

#endif // HEDDLE_DIALECT_SYNTH_SYNTHOPS
