#include "CPluginABI.h"
