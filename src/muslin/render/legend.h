#pragma once

#include "muslin/mesh/fields.h"
#include "muslin/render/image.h"

#include <string>
#include <vector>

namespace muslin {

/// Values from low to high, a round step apart, about `wanted` of them: steps are 1, 2, 2.5 or 5
/// times a power of ten. Empty unless low < high.
std::vector<double> round_ticks(double low, double high, int wanted);

/// A tick's value with as many decimals as the step of the ticks needs.
std::string tick_text(double value, double step);

/// The scale of a colour map as it stands in a picture: a card on its right with the field's label,
/// its unit, a bar from low (below) to high and ticks. It grows with the picture.
class Legend {
public:
    struct Tick {
        double value;
        double y; ///< middle of its line in the picture [pixels]
    };

    Legend(int width, int height, const FieldInfo& field, double low, double high);

    void draw(Image& target) const;

    const RoundBox& card() const { return card_; }
    const RoundBox& bar() const { return bar_; }
    const std::vector<Tick>& ticks() const { return ticks_; }

private:
    std::string label_, unit_;
    double size_; ///< of the letters [pixels]
    double step_ = 1;
    RoundBox card_, bar_;
    std::vector<Tick> ticks_;
};

/// A line of text in the lower left corner, on a card like the legend's.
void draw_caption(Image& target, const std::string& text);

} // namespace muslin
