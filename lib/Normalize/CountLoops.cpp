#include "Normalize/Rebuild.h"
#include "Normalize/Simplify.h"

namespace colonnade::normalize {
ir::Function countLoops(const ir::Function &from) { return Rebuilder(from).run(); }
} // namespace colonnade::normalize
