// Nothing to call: the agent starts before `main`.
#pragma once
