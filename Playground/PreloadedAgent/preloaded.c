// The agent as a library that the system loads into a program before all others.
#include "PreloadedAgent.h"
