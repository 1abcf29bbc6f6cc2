#ifndef HEDDLE_TEST_OFFSET_H
#define HEDDLE_TEST_OFFSET_H

#define OFFSET 42

#endif
