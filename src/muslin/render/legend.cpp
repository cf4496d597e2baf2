#include "muslin/render/legend.h"

#include "muslin/render/color_map.h"
#include "muslin/render/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace muslin {

namespace {

constexpr Vec3 card_color = {0.985, 0.985, 0.98}, ink = {0.17, 0.18, 0.20};
constexpr double card_opacity = 0.86;

/// Letters of a readable size in any picture, in proportion in large ones.
double letter_size(int width, int height) {
    return std::max(10.0, std::min(height / 42.0, width / 60.0));
}

double round_step(double span, int wanted) {
    const double raw = span / wanted;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 2.5, 5.0})
        if (factor * power >= 0.999 * raw)
            return factor * power;
    return 10 * power;
}

} // namespace

std::vector<double> round_ticks(double low, double high, int wanted) {
    std::vector<double> out;
    if (!(low < high) || !std::isfinite(high - low) || wanted < 1)
        return out;
    const double step = round_step(high - low, wanted);
    const double slack = 1e-6 * step;
    const double first = std::ceil((low - slack) / step);
    // Counted, as adding one to a large number may not change it.
    for (int i = 0; i <= 2 * wanted && (first + i) * step <= high + slack; ++i)
        out.push_back((first + i) * step);
    return out;
}

std::string tick_text(double value, double step) {
    const double largest = std::max(std::abs(value), step);
    if (largest >= 1e5 || step < 1e-4)
        return fmt::format("{:.3g}", value);
    int decimals = 0; // until the step itself is whole
    for (double s = step; decimals < 6 && std::abs(s - std::round(s)) > 1e-6 * s; ++decimals)
        s *= 10;
    const std::string text = fmt::format("{:.{}f}", value, decimals);
    return text.starts_with("-0") && std::abs(value) < 1e-9 * step ? text.substr(1) : text;
}

Legend::Legend(int width, int height, const FieldInfo& field, double low, double high)
    : label_(field.label), unit_(field.unit), size_(letter_size(width, height)) {
    // One row at least: letters have a least size, which in small pictures leaves no room.
    const double bar_height = std::max(1.0, std::round(std::min(15 * size_, height - 7.5 * size_)));
    const int wanted = std::clamp(static_cast<int>(bar_height / (2.2 * size_)), 2, 6);
    const std::vector<double> values = round_ticks(low, high, wanted);
    step_ = values.size() > 1 ? values[1] - values[0] : std::max(std::abs(high - low), 1e-12);

    double numbers = 0;
    for (const double value : values)
        numbers = std::max(numbers, text_width(tick_text(value, step_), size_));
    const double bar_width = std::round(0.9 * size_), pad = 0.9 * size_;
    const double inner = std::max(
        {bar_width + 0.9 * size_ + numbers, text_width(label_, size_), text_width(unit_, size_)});
    const double margin = 1.3 * size_;
    card_.right = std::round(width - margin);
    card_.left = std::round(card_.right - inner - 2 * pad);
    card_.top = std::round(margin);
    bar_.left = std::round(card_.left + pad);
    bar_.right = bar_.left + bar_width;
    bar_.top = std::round(card_.top + 4.1 * size_);
    bar_.bottom = bar_.top + bar_height;
    card_.bottom = std::round(bar_.bottom + 1.1 * size_);
    card_.radius = 0.45 * size_;
    for (const double value : values)
        ticks_.push_back(
            {value, bar_.bottom - (value - low) / (high - low) * (bar_.bottom - bar_.top)});
}

void Legend::draw(Image& target) const {
    fill(target, card_, card_color, card_opacity);
    draw_text(target, label_, bar_.left, card_.top + 1.55 * size_, {.size = size_, .color = ink});
    draw_text(target, unit_, bar_.left, card_.top + 2.8 * size_,
              {.size = size_, .color = ink, .opacity = 0.66});
    const int rows = static_cast<int>(bar_.bottom - bar_.top);
    for (int row = 0; row < rows; ++row) {
        const double y = bar_.top + row;
        fill(target, {bar_.left, y, bar_.right, y + 1, 0}, color_at((rows - row - 0.5) / rows));
    }
    for (const Tick& tick : ticks_) {
        const double y = std::clamp(std::round(tick.y - 0.5), bar_.top, bar_.bottom - 1);
        fill(target, {bar_.right, y, bar_.right + 0.4 * size_, y + 1, 0}, ink, 0.6);
        draw_text(target, tick_text(tick.value, step_), bar_.right + 0.75 * size_,
                  y + 0.5 + 0.5 * cap_height(size_), {.size = size_, .color = ink});
    }
}

void draw_caption(Image& target, const std::string& text) {
    if (text.empty())
        return;
    const double size = letter_size(target.width, target.height), margin = 1.3 * size;
    RoundBox card;
    card.left = std::round(margin);
    card.bottom = std::round(target.height - margin);
    card.top = std::round(card.bottom - 1.9 * size);
    card.right = std::round(card.left + text_width(text, size) + 1.6 * size);
    card.radius = 0.45 * size;
    fill(target, card, card_color, card_opacity);
    const double baseline = 0.5 * (card.top + card.bottom) + 0.5 * cap_height(size);
    draw_text(target, text, card.left + 0.8 * size, baseline, {.size = size, .color = ink});
}

} // namespace muslin
