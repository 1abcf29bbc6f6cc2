// Bodies in a plane: what the three files share.
#pragma once
struct Body {
  float x, y, vx, vy, mass;
};
void advance(Body *bodies, int n, float dt, int steps);
void forces(Body *device, int n, float dt);
