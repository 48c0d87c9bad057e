// Nothing to call: a program that links this has the same order of each Set and Dictionary in every process.
#pragma once
