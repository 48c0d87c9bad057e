// There is nothing to call. In a program that links this, each Set and Dictionary has the same order in every process.
#pragma once
