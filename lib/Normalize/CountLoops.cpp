#include "Normalize/Rebuild.h"
#include "Normalize/Simplify.h"

namespace colonnade::canonical {
ir::Function countLoops(const ir::Function &from) { return Rebuilder(from).run(); }
} // namespace colonnade::canonical
