// OpenCL 2: some of it runs, pipes and queues are named.
typedef struct { atomic_int head; int tail; int data[64]; } queue_type;
global atomic_int ticket = ATOMIC_VAR_INIT(0);
global int table[4] = {1, 2, 3, 4};
int pick(int *p, int i) { return p[i]; }
kernel void generic_ptr(global int *g, local int *l) {
  int mine[2] = {7, 8};
  int i = get_global_id(0);
  l[get_local_id(0)] = g[i];
  work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_work_group);
  int *p = i % 3 == 0 ? (int *)&g[i] : i % 3 == 1 ? (int *)&l[get_local_id(0)] : (int *)&mine[0];
  g[i] = pick(p, 0) + (to_local(p) ? 1 : 0) + table[i & 3] + work_group_scan_inclusive_add(1);
}
kernel void tickets(global queue_type *q, global int *o) {
  int t = atomic_fetch_add_explicit(&ticket, 1, memory_order_relaxed, memory_scope_device);
  int expected = 0;
  while (!atomic_compare_exchange_weak(&q->head, &expected, t)) { if (expected > 1000) break; }
  o[get_global_linear_id()] = t + sub_group_reduce_add(1) + get_sub_group_id();
}
kernel void producer(write_only pipe int p, global const int *src) {
  reserve_id_t r = work_group_reserve_write_pipe(p, get_local_size(0));
  if (is_valid_reserve_id(r)) { write_pipe(p, r, get_local_id(0), &src[get_global_id(0)]); work_group_commit_write_pipe(p, r); }
}
kernel void parent(global int *a, int depth) {
  queue_t q = get_default_queue();
  ndrange_t r = ndrange_1D(64);
  void (^work)(void) = ^{ a[get_global_id(0)] += depth; };
  if (get_global_id(0) == 0) enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, r, work);
}
kernel void cubes(global float3 *p, __constant float *w, uint n, local float *scratch) {
  event_t e = async_work_group_copy(scratch, (const global float *)p, (size_t)n, 0);
  prefetch((const global float *)p, n);
  wait_group_events(1, &e);
  float3 s = 0, part;
  int3 quotient;
  for (uint i = 0; i < n; i += 3) s += vload3(i / 3, scratch) * w[i];
  p[get_global_id(0)] = remquo(s, (float3)2, &quotient) + ldexp(s, 2) + fract(s, &part);
}
