// The agent, linked into a program. A program that contains Swift's libraries needs it, since the agent cannot be
// loaded into that program. The linker redirects calls of the functions that the agent replaces; see Package.swift.
#include "LinkedAgent.h"

// The playground finds this section in the program's file.
__attribute__((section("playground_agent"), used, retain)) static const char isLinked = 1;
