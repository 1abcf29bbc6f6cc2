// Structs by value and by address space, helpers before and after, recursion
// written out, random numbers, images.
typedef struct { float3 origin, direction; } Ray;
typedef struct __attribute__((aligned(16))) { float3 centre; float radius; uchar4 colour; int kind; } Sphere;
typedef enum { DIFFUSE, MIRROR, GLASS } Material;
#define EPSILON 0.003f
#define rinit(r, a, b) { (r).origin = a; (r).direction = b; }
static float random01(uint2 *seed) {
  seed->x = 36969 * ((seed->x) & 65535) + ((seed->x) >> 16);
  seed->y = 18000 * ((seed->y) & 65535) + ((seed->y) >> 16);
  union { float f; uint u; } res;
  res.u = ((((seed->x) << 16) + seed->y) & 0x007fffff) | 0x40000000;
  return (res.f - 2.f) / 2.f;
}
static bool hit(__constant const Sphere *s, const Ray *r, float *t) {
  float3 op = s->centre - r->origin;
  float b = dot(op, r->direction), det = b * b - dot(op, op) + s->radius * s->radius;
  if (det < 0.f)
    return false;
  det = sqrt(det);
  *t = b - det > EPSILON ? b - det : b + det;
  return *t > EPSILON;
}
float3 shade(__constant Sphere *spheres, const uint n, Ray ray, uint2 *seed);
__kernel void trace(__constant Sphere *spheres, const uint n, __global uchar4 *pixels, __write_only image2d_t film, uint2 seed, const int width) {
  const int2 at = {get_global_id(0), get_global_id(1)};
  Ray ray;
  rinit(ray, (float3)(0, 0, -1), normalize((float3)(at.x, at.y, 1.0f)));
  seed += (uint2)(at.x, at.y);
  float3 c = shade(spheres, n, ray, &seed);
  pixels[at.y * width + at.x] = convert_uchar4_sat((float4)(c, 1) * 255.f);
  write_imagef(film, at, (float4)(c.xyz, 1.0f));
}
float3 shade(__constant Sphere *spheres, const uint n, Ray ray, uint2 *seed) {
  float3 light = 0, through = (float3)(1);
  for (int depth = 0; depth < 5; ++depth) {
    float nearest = INFINITY, t;
    int found = -1;
    for (uint i = 0; i < n; ++i)
      if (hit(&spheres[i], &ray, &t) && t < nearest) {
        nearest = t;
        found = i;
      }
    if (found < 0)
      return light;
    switch ((Material)spheres[found].kind) {
    case DIFFUSE: light += through * random01(seed); break;
    case MIRROR: ray.direction -= 2.f * dot(ray.direction, spheres[found].centre) * ray.direction; break;
    case GLASS:
    default: through *= convert_float3(spheres[found].colour.xyz) / 255.0f;
    }
    ray.origin += nearest * ray.direction;
  }
  return light;
}
