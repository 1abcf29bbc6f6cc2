// Fluxes over the four faces of each cell of an unstructured mesh: five
// variables of each neighbour, gathered; two kinds of boundary.
#define GAMMA 1.4f
struct Vec { float x, y, z; };
__device__ float pressureOf(float density, float energy, float speed2) {
  return (GAMMA - 1.0f) * (energy - 0.5f * density * speed2);
}
__global__ void flux_gather(int cells, const int *neighbour, const float *normals, const float *variables,
                            float *fluxes) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= cells)
    return;
  float rho = variables[i], energy = variables[i + 4 * cells];
  Vec m = {variables[i + cells], variables[i + 2 * cells], variables[i + 3 * cells]};
  Vec u = {m.x / rho, m.y / rho, m.z / rho};
  float speed2 = u.x * u.x + u.y * u.y + u.z * u.z;
  float p = pressureOf(rho, energy, speed2), sound = sqrtf(GAMMA * p / rho);
  float fRho = 0, fEnergy = 0;
  Vec fm = {0, 0, 0};
#pragma unroll
  for (int j = 0; j < 4; j++) {
    int nb = neighbour[i + j * cells];
    Vec n = {normals[i + (j + 0 * 4) * cells], normals[i + (j + 1 * 4) * cells], normals[i + (j + 2 * 4) * cells]};
    float length = sqrtf(n.x * n.x + n.y * n.y + n.z * n.z);
    if (nb >= 0) {
      float rhoN = variables[nb], energyN = variables[nb + 4 * cells];
      Vec mn = {variables[nb + cells], variables[nb + 2 * cells], variables[nb + 3 * cells]};
      Vec un = {mn.x / rhoN, mn.y / rhoN, mn.z / rhoN};
      float speedN = un.x * un.x + un.y * un.y + un.z * un.z;
      float pn = pressureOf(rhoN, energyN, speedN), soundN = sqrtf(GAMMA * pn / rhoN);
      float factor = -length * 0.2f * 0.5f * (sqrtf(speed2) + sqrtf(speedN) + sound + soundN);
      fRho += factor * (rho - rhoN);
      fEnergy += factor * (energy - energyN);
      fm.x += factor * (m.x - mn.x);
      fm.y += factor * (m.y - mn.y);
      fm.z += factor * (m.z - mn.z);
      float half = 0.5f * (n.x * (u.x + un.x) + n.y * (u.y + un.y) + n.z * (u.z + un.z));
      fRho += half * (rho + rhoN);
      fEnergy += half * (energy + p + energyN + pn);
      fm.x += half * (m.x + mn.x) + n.x * (p + pn) * 0.5f;
      fm.y += half * (m.y + mn.y) + n.y * (p + pn) * 0.5f;
      fm.z += half * (m.z + mn.z) + n.z * (p + pn) * 0.5f;
    } else if (nb == -1) {
      fm.x += n.x * p;
      fm.y += n.y * p;
      fm.z += n.z * p;
    } else {
      float factor = 0.5f * n.x;
      fRho += factor * (0.6f + m.x);
      fEnergy += factor * (1.7f + energy + p);
    }
  }
  fluxes[i] = fRho;
  fluxes[i + cells] = fm.x;
  fluxes[i + 2 * cells] = fm.y;
  fluxes[i + 3 * cells] = fm.z;
  fluxes[i + 4 * cells] = fEnergy;
}
