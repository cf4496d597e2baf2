#include "muslin/garment/mannequin_parts.h"

namespace muslin::mannequin {

void add_clips(Character& character, const Plan&) {
    character.clips.clear();
}

} // namespace muslin::mannequin
