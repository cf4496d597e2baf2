#include "muslin/render/drawing.h"

#include "muslin/io/markup.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace muslin {
namespace {

std::string hex(const Vec3& color) {
    const auto byte = [](double x) {
        return static_cast<int>(std::lround(255 * std::clamp(x, 0.0, 1.0)));
    };
    return fmt::format("#{:02x}{:02x}{:02x}", byte(color.x), byte(color.y), byte(color.z));
}

std::string path_of(const std::vector<Vec2>& points) {
    std::string out;
    for (std::size_t i = 0; i < points.size(); ++i)
        out += fmt::format("{}{:.2f} {:.2f}", i == 0 ? "M" : " L", points[i].x, points[i].y);
    return out;
}

/// Writes each kind of mark as an element.
struct SvgWriter {
    std::string out;

    void operator()(const DrawnArea& area) {
        std::string path;
        for (const std::vector<Vec2>& loop : area.loops)
            path += path_of(loop) + " Z ";
        out += fmt::format("<path d=\"{}\" fill=\"{}\" fill-rule=\"evenodd\"/>\n", path,
                           hex(area.color));
    }
    void operator()(const DrawnLine& line) {
        out += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" "
                           "stroke-linecap=\"round\" stroke-linejoin=\"round\"/>\n",
                           path_of(line.points), hex(line.color), line.width);
    }
    void operator()(const DrawnDisc& disc) {
        out += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{}\" fill=\"{}\"/>\n",
                           disc.middle.x, disc.middle.y, disc.radius, hex(disc.color));
    }
    void operator()(const DrawnText& text) {
        constexpr std::array<const char*, 3> anchors = {"start", "middle", "end"};
        out += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{:.2f}\" fill=\"{}\" "
                           "text-anchor=\"{}\">{}</text>\n",
                           text.at.x, text.at.y, em_of(text.style.size), hex(text.style.color),
                           anchors[static_cast<std::size_t>(text.style.align)],
                           escape_markup(text.text));
    }

    /// The size of letters that a font's name goes with, of the height from deepest to highest.
    static double em_of(double size) { return size / 1.164; } // of DejaVu Sans
};

struct Box {
    int left, top, right, bottom; ///< the last two are one beyond
};

Box box_around(const std::vector<Vec2>& points, double margin, const Image& image) {
    Box out = {image.width, image.height, 0, 0};
    for (const Vec2& p : points) {
        out.left = std::min(out.left, static_cast<int>(std::floor(p.x - margin)));
        out.top = std::min(out.top, static_cast<int>(std::floor(p.y - margin)));
        out.right = std::max(out.right, static_cast<int>(std::ceil(p.x + margin)) + 1);
        out.bottom = std::max(out.bottom, static_cast<int>(std::ceil(p.y + margin)) + 1);
    }
    return {std::max(out.left, 0), std::max(out.top, 0), std::min(out.right, image.width),
            std::min(out.bottom, image.height)};
}

double distance_to(const Vec2& p, const Vec2& a, const Vec2& b) {
    const Vec2 d = b - a;
    const double l2 = dot(d, d);
    const double t = l2 > 0 ? std::clamp(dot(p - a, d) / l2, 0.0, 1.0) : 0;
    return norm(p - a - t * d);
}

/// Paints each kind of mark.
struct Brush {
    Image& image;

    /// Lines within a pixel, each with the exact part of the pixel's width that is covered.
    static constexpr int lines = 5;

    void operator()(const DrawnArea& area) {
        std::vector<Vec2> all;
        for (const std::vector<Vec2>& loop : area.loops)
            all.insert(all.end(), loop.begin(), loop.end());
        const Box box = box_around(all, 1, image);
        std::vector<double> covered(static_cast<std::size_t>(image.width) + 1);
        for (int y = box.top; y < box.bottom; ++y) {
            std::fill(covered.begin(), covered.end(), 0.0);
            for (int k = 0; k < lines; ++k)
                cover_line(area, y + (k + 0.5) / lines, covered);
            for (int x = box.left; x < box.right; ++x)
                if (covered[x] > 0)
                    blend(image, x, y, area.color, std::min(1.0, covered[x]));
        }
    }
    void operator()(const DrawnLine& line) {
        const double reach = 0.5 * line.width + 1;
        const Box box = box_around(line.points, reach, image);
        const int columns = box.right - box.left;
        if (columns <= 0 || box.bottom <= box.top)
            return;
        // Of all segments the most, so that joints are not painted twice.
        std::vector<double> most(static_cast<std::size_t>(columns) * (box.bottom - box.top), 0.0);
        for (std::size_t i = 0; i + 1 < line.points.size(); ++i) {
            const Vec2 &a = line.points[i], &b = line.points[i + 1];
            const Box part = box_around({a, b}, reach, image);
            for (int y = part.top; y < part.bottom; ++y)
                for (int x = part.left; x < part.right; ++x) {
                    const double d = distance_to({x + 0.5, y + 0.5}, a, b);
                    double& m =
                        most[static_cast<std::size_t>(y - box.top) * columns + x - box.left];
                    m = std::max(m, std::clamp(0.5 * line.width + 0.5 - d, 0.0, 1.0));
                }
        }
        for (int y = box.top; y < box.bottom; ++y)
            for (int x = box.left; x < box.right; ++x)
                blend(image, x, y, line.color,
                      most[static_cast<std::size_t>(y - box.top) * columns + x - box.left]);
    }
    void operator()(const DrawnDisc& disc) {
        const Box box = box_around({disc.middle}, disc.radius + 1, image);
        for (int y = box.top; y < box.bottom; ++y)
            for (int x = box.left; x < box.right; ++x)
                blend(image, x, y, disc.color,
                      std::clamp(disc.radius + 0.5 - norm(Vec2{x + 0.5, y + 0.5} - disc.middle),
                                 0.0, 1.0));
    }
    void operator()(const DrawnText& text) {
        draw_text(image, text.text, text.at.x, text.at.y, text.style);
    }

private:
    static void cover_line(const DrawnArea& area, double y, std::vector<double>& covered) {
        std::vector<double> cuts;
        for (const std::vector<Vec2>& loop : area.loops)
            for (std::size_t i = 0; i < loop.size(); ++i) {
                const Vec2 &a = loop[i], &b = loop[(i + 1) % loop.size()];
                if ((a.y > y) != (b.y > y))
                    cuts.push_back(a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x));
            }
        std::sort(cuts.begin(), cuts.end());
        const double width = static_cast<double>(covered.size()) - 1;
        for (std::size_t i = 0; i + 1 < cuts.size(); i += 2) {
            const double low = std::clamp(cuts[i], 0.0, width);
            const double high = std::clamp(cuts[i + 1], 0.0, width);
            for (int x = static_cast<int>(low); x < high; ++x)
                covered[x] += (std::min(high, x + 1.0) - std::max<double>(low, x)) / lines;
        }
    }
};

} // namespace

std::string write_svg(const Drawing& drawing) {
    SvgWriter writer;
    for (const DrawnMark& mark : drawing.marks)
        std::visit(writer, mark);
    return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" "
                       "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
                       "font-family=\"DejaVu Sans, Verdana, sans-serif\">\n"
                       "<rect width=\"100%\" height=\"100%\" fill=\"{2}\"/>\n{3}</svg>\n",
                       drawing.width, drawing.height, hex(drawing.background), writer.out);
}

Image paint(const Drawing& drawing) {
    Image image(static_cast<int>(std::ceil(drawing.width)),
                static_cast<int>(std::ceil(drawing.height)));
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x)
            blend(image, x, y, drawing.background, 1);
    Brush brush{image};
    for (const DrawnMark& mark : drawing.marks)
        std::visit(brush, mark);
    return image;
}

} // namespace muslin
