#include "muslin/model/conditions.h"

#include "muslin/model/body.h"

namespace muslin {

FrameInterval find_interval(const Pin& pin, double time) {
    return pin.path ? pin.path->at(time) : find_interval(pin.frames.size(), pin.frame_rate, time);
}

} // namespace muslin
