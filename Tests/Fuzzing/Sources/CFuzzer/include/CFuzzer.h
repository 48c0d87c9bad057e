#pragma once
#include <stddef.h>
#include <stdint.h>

typedef int (*FuzzBody)(const uint8_t *_Nullable bytes, size_t count);

/// Runs libFuzzer with the arguments of a command line, and returns the exit code of the process.
int LLVMFuzzerRunDriver(int *_Nonnull count, char *_Nonnull *_Nonnull *_Nonnull arguments, FuzzBody _Nonnull body);
