// RUN: heddle-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{grid has 2 numbers; give x, y and z}}
synth.kernel @k grid [1, 1] threads [32, 1, 1] {
  synth.return
}

// -----
// expected-error@+1 {{threads has a side of 0}}
synth.kernel @k grid [1, 1, 1] threads [32, 0, 1] {
  synth.return
}

// -----
// expected-error@+1 {{has more than 1024 threads per block}}
synth.kernel @k grid [1, 1, 1] threads [64, 32, 1] {
  synth.return
}

// -----
// expected-error@+1 {{has a grid that is larger than the one it is of}}
synth.kernel @k grid [2, 1, 1] of [1, 1, 1] threads [32, 1, 1] {
  synth.return
}

// -----
// expected-error@+1 {{has 0 registers per thread}}
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] registers 0 {
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  // expected-error@+1 {{has no header: no block begins with 'synth.block heads' and this loop}}
  %l = synth.loop trips [4]
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  %l = synth.loop trips [4]
  synth.br ^a
^a:
  synth.block heads %l
  synth.branch shares <all = 0.5> ^a, ^b
^b:
  // expected-error@+1 {{heads a loop that another block heads already}}
  synth.block heads %l
  synth.branch shares <all = 0.5> ^b, ^c
^c:
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  synth.br ^a
^a:
  // expected-error@+1 {{goes back to a block that heads no loop around it; begin that block with 'synth.block heads %loop'}}
  synth.branch shares <all = 0.5> ^a, ^b
^b:
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  %l = synth.loop trips [4]
  // expected-error@+1 {{enters a loop beside its header}}
  synth.branch where <tid.x> below 16 ^a, ^b
^a:
  synth.block heads %l
  synth.br ^b
^b:
  synth.block in %l
  synth.branch trips %l ^a, ^c
^c:
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  synth.br ^a
^a:
  // expected-error@+1 {{belongs into the kernel's first block}}
  %r = synth.register
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  synth.barrier "bar.sync"
  // expected-error@+1 {{must stand before what the block executes}}
  %r = synth.register
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  synth.barrier "bar.sync"
  // expected-error@+1 {{must stand first in its block}}
  synth.block
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  // expected-error@+1 {{is larger than the shared memory of the kernel; raise the kernel's 'shared'}}
  %a = synth.array shared 64
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  // expected-error@+1 {{trips holds 3 numbers: give one, or 17 quantiles}}
  %l = synth.loop trips [1, 2, 3]
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  // expected-error@+1 {{quantiles must not fall}}
  %l = synth.loop trips [3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  %a = synth.array global 64
  // expected-error@+1 {{depends on i0, but is inside of 0 loops}}
  %x = synth.access %a load 4 bytes affine at <4 * tid.x + 128 * i0>
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  %a = synth.array global 64
  // expected-error@+1 {{'lane' is none of tid.x ... ctaid.z, i0 ... i3, on which an offset may depend}}
  %x = synth.access %a load 4 bytes affine at <4 * lane>
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  %a = synth.array global 64
  // expected-error@+1 {{is affine without a function; add 'at <...>'}}
  %x = synth.access %a load 4 bytes affine
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  %a = synth.array global 64
  // expected-error@+1 {{is drawn from no range; add 'range [LEAST, MOST]'}}
  %x = synth.access %a load 4 bytes drawn
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  %a = synth.array global 64
  // expected-error@+1 {{is near no sum of keys; 'near' needs a drawn access, 'at <...>' without bits, and 1 to 4294967295 bytes}}
  %x = synth.access %a load 4 bytes affine at <4 * tid.x> near 12 range [0, 60]
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  %a = synth.array global 64
  %x = synth.access %a load 4 bytes affine at <4 * tid.x>
  // expected-error@+1 {{'add.f32' accesses no memory}}
  %v = synth.op "add.f32" at %x
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  %a = synth.array global 64
  %x = synth.access %a load 4 bytes affine at <4 * tid.x>
  // expected-error@+1 {{'ld.shared.f32' does not reach an array in global memory}}
  %v = synth.op "ld.shared.f32" at %x
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  // expected-error@+1 {{'add f32' is not a PTX opcode}}
  %v = synth.op "add f32"
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  %v = synth.op "mov.u32"
  // expected-error@+1 {{writes a register that another operation makes; declare it with synth.register}}
  synth.op "add.u32"(%v, %v) into %v
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  // expected-error@+1 {{'add.f32' is not a barrier of PTX}}
  synth.barrier "add.f32"
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  // expected-error@+1 {{does not say how lanes divide: add 'where', 'trips' or 'shares'}}
  synth.branch ^a, ^b
^a:
  synth.return
^b:
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  // expected-error@+1 {{a share lies between 0 and 1, not at 1.5}}
  synth.branch shares <all = 1.5> ^a, ^b
^a:
  synth.return
^b:
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  // expected-error@+1 {{depends on i0, but is inside of 0 loops}}
  synth.branch where <i0> below 3 ^a, ^b
^a:
  synth.return
^b:
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  %l = synth.loop trips [4]
  synth.br ^a
^a:
  synth.block heads %l
  // expected-error@+1 {{counts a loop: the first successor must stay in it, the second must leave it}}
  synth.branch trips %l ^b, ^a
^b:
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  // expected-note@+1 {{previously used here with type '!synth.register'}}
  %x = synth.op "add.u32"(%v)
  // expected-error@+1 {{definition of SSA value '%v#0' has type '!synth.array'}}
  %v = synth.array global 64
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  // expected-error@+1 {{is within a loop that is not declared before it}}
  %l = synth.loop within %l trips [4]
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  "synth.br"()[^a] : () -> ()
^a(%l: !synth.loop):
  // expected-error@+1 {{names a loop that is not declared}}
  synth.block in %l
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  // expected-error@+1 {{does not bound its function: add 'from' or 'below'}}
  synth.branch where <tid.x> ^a, ^a
^a:
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  // expected-error@+1 {{takes its function modulo a number that is not a power of two}}
  synth.branch where <tid.x> modulo 3 below 1 ^a, ^a
^a:
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  // expected-error@+1 {{lets no lane go: its bounds hold no number}}
  synth.branch where <tid.x> from 4 below 4 ^a, ^a
^a:
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  // expected-error@+1 {{does not bound its second function: add 'from' or 'below'}}
  synth.branch where <tid.x> below 4 also <tid.y> ^a, ^a
^a:
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  // expected-error@+1 {{takes one of two functions modulo a number}}
  synth.branch where <tid.x> modulo 8 below 4 also <tid.y> below 1 ^a, ^a
^a:
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  // expected-error@+1 {{depends on bits of an index, which only an access may}}
  synth.branch where <tid.x[0:5]> below 4 ^a, ^a
^a:
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  %a = synth.array global 64
  // expected-error@+1 {{takes bits 5 to 5 of an index; give the first and the one past the last of 32}}
  %x = synth.access %a load 4 bytes affine at <4 * tid.x[5:5]>
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  // expected-error@+1 {{is reduced by less than 1}}
  %l = synth.loop trips [4] reduced_by 0
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  %a = synth.array global 64
  %b = synth.array global 64
  %x = synth.access %a load 4 bytes affine at <4 * tid.x>
  // expected-error@+1 {{follows an access of another array}}
  %y = synth.access %b load 4 bytes affine at <4 * tid.x> follows %x by 4
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  // expected-error@+1 {{threads holds 2 numbers: give one, or 64}}
  %l = synth.loop trips [4] threads [1.0, 2.0]
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  %a = synth.array global 4096
  // expected-error@+1 {{depends on iterations of an earlier loop, but no loop around it goes on 'after' another}}
  %x = synth.access %a load 4 bytes affine at <4 * tid.x + 128 * earlier>
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  // expected-error@+1 {{depends on iterations of an earlier loop, which only an access may}}
  %l = synth.loop trips [4] affine <4 - earlier>
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  %l = synth.loop trips [4]
  synth.br ^a
^a:
  // expected-error@+1 {{goes on from a loop that is not beside its own}}
  synth.block heads %l after %l
  synth.branch trips %l ^a, ^b
^b:
  synth.return
}

// -----
synth.kernel @k grid [1, 1, 1] threads [32, 1, 1] {
  %l = synth.loop trips [4]
  // expected-error@+1 {{heads no loop that could go on from another}}
  synth.block after %l
  synth.return
}
