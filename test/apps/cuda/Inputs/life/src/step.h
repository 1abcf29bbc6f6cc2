#pragma once
/// One step of the game on a torus of CELLS x CELLS cells in device memory.
void step(const unsigned char *from, unsigned char *to);
