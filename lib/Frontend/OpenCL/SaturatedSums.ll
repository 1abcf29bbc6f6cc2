; mad_sat of 64-bit integers with a sign, in 128 bits. libclc saturates the product
; alone, and what is added may wrap.

declare i128 @llvm.smax.i128(i128, i128)
declare i128 @llvm.smin.i128(i128, i128)
define i64 @_Z7mad_satlll(i64 %x, i64 %y, i64 %z) #0 {
  %wide.x = sext i64 %x to i128
  %wide.y = sext i64 %y to i128
  %wide.z = sext i64 %z to i128
  %product = mul nsw i128 %wide.x, %wide.y
  %sum = add nsw i128 %product, %wide.z
  %above = call i128 @llvm.smax.i128(i128 %sum, i128 -9223372036854775808)
  %within = call i128 @llvm.smin.i128(i128 %above, i128 9223372036854775807)
  %result = trunc i128 %within to i64
  ret i64 %result
}

declare <2 x i128> @llvm.smax.v2i128(<2 x i128>, <2 x i128>)
declare <2 x i128> @llvm.smin.v2i128(<2 x i128>, <2 x i128>)
define <2 x i64> @_Z7mad_satDv2_lS_S_(<2 x i64> %x, <2 x i64> %y, <2 x i64> %z) #0 {
  %wide.x = sext <2 x i64> %x to <2 x i128>
  %wide.y = sext <2 x i64> %y to <2 x i128>
  %wide.z = sext <2 x i64> %z to <2 x i128>
  %product = mul nsw <2 x i128> %wide.x, %wide.y
  %sum = add nsw <2 x i128> %product, %wide.z
  %above = call <2 x i128> @llvm.smax.v2i128(<2 x i128> %sum, <2 x i128> splat (i128 -9223372036854775808))
  %within = call <2 x i128> @llvm.smin.v2i128(<2 x i128> %above, <2 x i128> splat (i128 9223372036854775807))
  %result = trunc <2 x i128> %within to <2 x i64>
  ret <2 x i64> %result
}

declare <3 x i128> @llvm.smax.v3i128(<3 x i128>, <3 x i128>)
declare <3 x i128> @llvm.smin.v3i128(<3 x i128>, <3 x i128>)
define <3 x i64> @_Z7mad_satDv3_lS_S_(<3 x i64> %x, <3 x i64> %y, <3 x i64> %z) #0 {
  %wide.x = sext <3 x i64> %x to <3 x i128>
  %wide.y = sext <3 x i64> %y to <3 x i128>
  %wide.z = sext <3 x i64> %z to <3 x i128>
  %product = mul nsw <3 x i128> %wide.x, %wide.y
  %sum = add nsw <3 x i128> %product, %wide.z
  %above = call <3 x i128> @llvm.smax.v3i128(<3 x i128> %sum, <3 x i128> splat (i128 -9223372036854775808))
  %within = call <3 x i128> @llvm.smin.v3i128(<3 x i128> %above, <3 x i128> splat (i128 9223372036854775807))
  %result = trunc <3 x i128> %within to <3 x i64>
  ret <3 x i64> %result
}

declare <4 x i128> @llvm.smax.v4i128(<4 x i128>, <4 x i128>)
declare <4 x i128> @llvm.smin.v4i128(<4 x i128>, <4 x i128>)
define <4 x i64> @_Z7mad_satDv4_lS_S_(<4 x i64> %x, <4 x i64> %y, <4 x i64> %z) #0 {
  %wide.x = sext <4 x i64> %x to <4 x i128>
  %wide.y = sext <4 x i64> %y to <4 x i128>
  %wide.z = sext <4 x i64> %z to <4 x i128>
  %product = mul nsw <4 x i128> %wide.x, %wide.y
  %sum = add nsw <4 x i128> %product, %wide.z
  %above = call <4 x i128> @llvm.smax.v4i128(<4 x i128> %sum, <4 x i128> splat (i128 -9223372036854775808))
  %within = call <4 x i128> @llvm.smin.v4i128(<4 x i128> %above, <4 x i128> splat (i128 9223372036854775807))
  %result = trunc <4 x i128> %within to <4 x i64>
  ret <4 x i64> %result
}

declare <8 x i128> @llvm.smax.v8i128(<8 x i128>, <8 x i128>)
declare <8 x i128> @llvm.smin.v8i128(<8 x i128>, <8 x i128>)
define <8 x i64> @_Z7mad_satDv8_lS_S_(<8 x i64> %x, <8 x i64> %y, <8 x i64> %z) #0 {
  %wide.x = sext <8 x i64> %x to <8 x i128>
  %wide.y = sext <8 x i64> %y to <8 x i128>
  %wide.z = sext <8 x i64> %z to <8 x i128>
  %product = mul nsw <8 x i128> %wide.x, %wide.y
  %sum = add nsw <8 x i128> %product, %wide.z
  %above = call <8 x i128> @llvm.smax.v8i128(<8 x i128> %sum, <8 x i128> splat (i128 -9223372036854775808))
  %within = call <8 x i128> @llvm.smin.v8i128(<8 x i128> %above, <8 x i128> splat (i128 9223372036854775807))
  %result = trunc <8 x i128> %within to <8 x i64>
  ret <8 x i64> %result
}

declare <16 x i128> @llvm.smax.v16i128(<16 x i128>, <16 x i128>)
declare <16 x i128> @llvm.smin.v16i128(<16 x i128>, <16 x i128>)
define <16 x i64> @_Z7mad_satDv16_lS_S_(<16 x i64> %x, <16 x i64> %y, <16 x i64> %z) #0 {
  %wide.x = sext <16 x i64> %x to <16 x i128>
  %wide.y = sext <16 x i64> %y to <16 x i128>
  %wide.z = sext <16 x i64> %z to <16 x i128>
  %product = mul nsw <16 x i128> %wide.x, %wide.y
  %sum = add nsw <16 x i128> %product, %wide.z
  %above = call <16 x i128> @llvm.smax.v16i128(<16 x i128> %sum, <16 x i128> splat (i128 -9223372036854775808))
  %within = call <16 x i128> @llvm.smin.v16i128(<16 x i128> %above, <16 x i128> splat (i128 9223372036854775807))
  %result = trunc <16 x i128> %within to <16 x i64>
  ret <16 x i64> %result
}

attributes #0 = { alwaysinline nounwind }
