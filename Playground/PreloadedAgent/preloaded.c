// The agent, as a library that the system loads into a program before all other libraries.
#include "PreloadedAgent.h"
