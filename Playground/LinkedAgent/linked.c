// The agent as a part of a program, which needs it if Swift's libraries are inside the program, too: nothing can be
// loaded into that. The linker then leads the calls to the functions that the agent replaces; see Package.swift.
#include "LinkedAgent.h"

// The playground finds this section in the program's file.
__attribute__((section("playground_agent"), used, retain)) static const char isLinked = 1;
