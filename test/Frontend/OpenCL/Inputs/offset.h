#define OFFSET 42
