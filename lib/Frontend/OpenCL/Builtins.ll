; OpenCL built-in functions that libclc lacks for NVPTX, or that it has without
; the global offset. Size_t results are zero-extended 32-bit arithmetic, as
; NVIDIA's machines count.

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
declare i32 @heddle.special.workdim() #0
declare i32 @heddle.special.globaloffset.x() #0
declare i32 @heddle.special.globaloffset.y() #0
declare i32 @heddle.special.globaloffset.z() #0

; Where work-group functions exchange: a word for each of the 32 warps.
@heddle.scratch = internal addrspace(3) global [32 x i64] undef, align 8

define ptr addrspace(3) @__heddle_scratch() #1 {
  ret ptr addrspace(3) @heddle.scratch
}

; get_work_dim
define i32 @_Z12get_work_dimv() #1 {
  %dim = call i32 @heddle.special.workdim()
  ret i32 %dim
}

; get_global_offset
define i64 @_Z17get_global_offsetj(i32 %dim) #1 {
  switch i32 %dim, label %other [ i32 0, label %x
                                  i32 1, label %y
                                  i32 2, label %z ]
x:
  %ox = call i32 @heddle.special.globaloffset.x()
  br label %done
y:
  %oy = call i32 @heddle.special.globaloffset.y()
  br label %done
z:
  %oz = call i32 @heddle.special.globaloffset.z()
  br label %done
other:
  br label %done
done:
  %offset = phi i32 [ %ox, %x ], [ %oy, %y ], [ %oz, %z ], [ 0, %other ]
  %wide = zext i32 %offset to i64
  ret i64 %wide
}

; get_global_id
define i64 @_Z13get_global_idj(i32 %dim) #1 {
  switch i32 %dim, label %other [ i32 0, label %x
                                  i32 1, label %y
                                  i32 2, label %z ]
x:
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ox = call i32 @heddle.special.globaloffset.x()
  %fx = mul nuw i32 %bx, %nx
  %gx = add nuw i32 %fx, %tx
  %ix = add nuw i32 %gx, %ox
  br label %done
y:
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %oy = call i32 @heddle.special.globaloffset.y()
  %fy = mul nuw i32 %by, %ny
  %gy = add nuw i32 %fy, %ty
  %iy = add nuw i32 %gy, %oy
  br label %done
z:
  %bz = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %nz = call i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %tz = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %oz = call i32 @heddle.special.globaloffset.z()
  %fz = mul nuw i32 %bz, %nz
  %gz = add nuw i32 %fz, %tz
  %iz = add nuw i32 %gz, %oz
  br label %done
other:
  br label %done
done:
  %id = phi i32 [ %ix, %x ], [ %iy, %y ], [ %iz, %z ], [ 0, %other ]
  %wide = zext i32 %id to i64
  ret i64 %wide
}

; get_enqueued_local_size: all work-groups are full
define i64 @_Z23get_enqueued_local_sizej(i32 %dim) #1 {
  switch i32 %dim, label %other [ i32 0, label %x
                                  i32 1, label %y
                                  i32 2, label %z ]
x:
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %done
y:
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  br label %done
z:
  %nz = call i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  br label %done
other:
  br label %done
done:
  %size = phi i32 [ %nx, %x ], [ %ny, %y ], [ %nz, %z ], [ 1, %other ]
  %wide = zext i32 %size to i64
  ret i64 %wide
}

; get_local_linear_id
define i64 @_Z19get_local_linear_idv() #1 {
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %tz = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %rows = mul nuw i32 %tz, %ny
  %row = add nuw i32 %rows, %ty
  %first = mul nuw i32 %row, %nx
  %id = add nuw i32 %first, %tx
  %wide = zext i32 %id to i64
  ret i64 %wide
}

; get_global_linear_id: the offset does not count
define i64 @_Z20get_global_linear_idv() #1 {
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %bz = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %nz = call i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %gx = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %gy = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %tz = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %fx = mul nuw i32 %bx, %nx
  %fy = mul nuw i32 %by, %ny
  %fz = mul nuw i32 %bz, %nz
  %ix = add nuw i32 %fx, %tx
  %iy = add nuw i32 %fy, %ty
  %iz = add nuw i32 %fz, %tz
  %sx = mul nuw i32 %gx, %nx
  %sy = mul nuw i32 %gy, %ny
  %x64 = zext i32 %ix to i64
  %y64 = zext i32 %iy to i64
  %z64 = zext i32 %iz to i64
  %sx64 = zext i32 %sx to i64
  %sy64 = zext i32 %sy to i64
  %rows = mul nuw i64 %z64, %sy64
  %row = add nuw i64 %rows, %y64
  %first = mul nuw i64 %row, %sx64
  %id = add nuw i64 %first, %x64
  ret i64 %id
}

attributes #0 = { nounwind speculatable willreturn memory(none) }
attributes #1 = { alwaysinline nounwind willreturn memory(none) }

; Generic pointers of OpenCL 2: null where they point to another space. Private
; memory is generic to Clang.
declare i1 @llvm.nvvm.isspacep.global(ptr)
declare i1 @llvm.nvvm.isspacep.shared(ptr)
declare i1 @llvm.nvvm.isspacep.local(ptr)
define ptr addrspace(1) @__to_global(ptr %p) #1 {
  %is = call i1 @llvm.nvvm.isspacep.global(ptr %p)
  %cast = addrspacecast ptr %p to ptr addrspace(1)
  %r = select i1 %is, ptr addrspace(1) %cast, ptr addrspace(1) null
  ret ptr addrspace(1) %r
}
define ptr addrspace(3) @__to_local(ptr %p) #1 {
  %is = call i1 @llvm.nvvm.isspacep.shared(ptr %p)
  %cast = addrspacecast ptr %p to ptr addrspace(3)
  %r = select i1 %is, ptr addrspace(3) %cast, ptr addrspace(3) null
  ret ptr addrspace(3) %r
}
define ptr @__to_private(ptr %p) #1 {
  %is = call i1 @llvm.nvvm.isspacep.local(ptr %p)
  %r = select i1 %is, ptr %p, ptr null
  ret ptr %r
}
