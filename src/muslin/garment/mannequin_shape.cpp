// The body as one implicit surface: tubes of sections along spine, limbs and feet, and a few
// ellipsoids, joined by smooth unions. Numbers are those of a body of 1.72 m [m].
#include "muslin/garment/mannequin_parts.h"

#include "muslin/garment/girth.h"

#include <algorithm>
#include <span>

namespace muslin::mannequin {
namespace {

/// Across a tube at `s` of its axis: the middle and the radii to both sides of each direction.
struct Section {
    double s, u, v, u_plus, u_minus, v_plus, v_minus;
};

struct Frame {
    Vec3 origin, s, u, v;
};

/// The smaller of two distances, rounded where they differ by less than k [m].
double smooth_min(double a, double b, double k) {
    const double h = std::max(k - std::abs(a - b), 0.0) / k;
    return std::min(a, b) - h * h * h * k / 6;
}
double smooth_max(double a, double b, double k) {
    return -smooth_min(-a, -b, k);
}

/// A tube whose sections are superellipses in four quarters, with splines between the given ones.
class Tube {
public:
    Tube() = default;
    Tube(const Frame& frame, std::span<const Section> sections, double exponent, double rounding)
        : frame_(frame), exponent_(exponent), rounding_(rounding) {
        for (const Section& section : sections) {
            at_.push_back(section.s);
            values_.push_back({section.u, section.v, section.u_plus, section.u_minus,
                               section.v_plus, section.v_minus});
        }
        fit_splines();
        for (const Section& section : sections) {
            reach_u_ =
                std::max({reach_u_, section.u + section.u_plus, section.u_minus - section.u});
            reach_v_ =
                std::max({reach_v_, section.v + section.v_plus, section.v_minus - section.v});
        }
    }

    double operator()(const Vec3& p) const {
        const Vec3 d = p - frame_.origin;
        const double s = dot(d, frame_.s), u = dot(d, frame_.u), v = dot(d, frame_.v);
        // Far from it, how far it is at least will do.
        const double far = std::max(
            {at_.front() - s, s - at_.back(), std::abs(u) - reach_u_, std::abs(v) - reach_v_});
        if (far > 0.09)
            return far;
        const double inner = std::clamp(s, at_.front(), at_.back());
        const double side = across(inner, u, v);
        return smooth_max(side, std::max(at_.front() - s, s - at_.back()), rounding_);
    }

private:
    using Row = std::array<double, 6>;

    // Natural cubic splines: curvature without jumps is what makes highlights run smoothly.
    void fit_splines() {
        const std::size_t n = at_.size();
        bend_.assign(n, Row{});
        std::vector<double> diagonal(n, 1.0);
        std::vector<Row> right(n, Row{});
        for (std::size_t i = 1; i + 1 < n; ++i) {
            const double a = at_[i] - at_[i - 1], b = at_[i + 1] - at_[i];
            diagonal[i] = 2 * (a + b);
            for (int c = 0; c < 6; ++c)
                right[i][c] = 6 * ((values_[i + 1][c] - values_[i][c]) / b -
                                   (values_[i][c] - values_[i - 1][c]) / a);
            if (i > 1) {
                const double factor = a / diagonal[i - 1];
                diagonal[i] -= factor * a;
                for (int c = 0; c < 6; ++c)
                    right[i][c] -= factor * right[i - 1][c];
            }
        }
        for (std::size_t i = n - 2; i > 0; --i)
            for (int c = 0; c < 6; ++c)
                bend_[i][c] = (right[i][c] - (at_[i + 1] - at_[i]) * bend_[i + 1][c]) / diagonal[i];
    }

    void interpolate(double s, Row& value, Row& slope) const {
        std::size_t i = 1;
        while (i + 1 < at_.size() && s > at_[i])
            ++i;
        const double h = at_[i] - at_[i - 1], a = (at_[i] - s) / h, b = 1 - a;
        for (int c = 0; c < 6; ++c) {
            const double y0 = values_[i - 1][c], y1 = values_[i][c];
            const double m0 = bend_[i - 1][c], m1 = bend_[i][c];
            value[c] = a * y0 + b * y1 + (a * (a * a - 1) * m0 + b * (b * b - 1) * m1) * h * h / 6;
            slope[c] = (y1 - y0) / h + ((1 - 3 * a * a) * m0 + (3 * b * b - 1) * m1) * h / 6;
        }
    }

    // To first order the distance: the value over its gradient.
    double across(double s, double u, double v) const {
        Row value, slope;
        interpolate(s, value, slope);
        const double du = u - value[0], dv = v - value[1];
        const int iu = du > 0 ? 2 : 3, iv = dv > 0 ? 4 : 5;
        const double a = std::max(value[iu], 1e-3), b = std::max(value[iv], 1e-3);
        const double x = std::abs(du) / a, y = std::abs(dv) / b;
        const double px = std::pow(x, exponent_), py = std::pow(y, exponent_);
        if (px + py < 1e-6)
            return -std::min(a, b);
        const double rho = std::pow(px + py, 1 / exponent_), weight = rho / (px + py);
        const double gu = x > 0 ? weight * px / (x * a) * (du > 0 ? 1 : -1) : 0;
        const double gv = y > 0 ? weight * py / (y * b) * (dv > 0 ? 1 : -1) : 0;
        // As it is on the skin in this direction: further out it would grow with the distance.
        const double gs =
            -(px * slope[iu] / a + py * slope[iv] / b) / (px + py) - gu * slope[0] - gv * slope[1];
        return (rho - 1) / std::sqrt(gu * gu + gv * gv + gs * gs);
    }

    Frame frame_{};
    double exponent_ = 2, rounding_ = 0.02, reach_u_ = 0, reach_v_ = 0;
    std::vector<double> at_;
    std::vector<Row> values_, bend_;
};

struct Ellipsoid {
    Vec3 middle, radii;
    double operator()(const Vec3& p) const {
        const Vec3 d = p - middle;
        const Vec3 a = {d.x / radii.x, d.y / radii.y, d.z / radii.z};
        const Vec3 b = {a.x / radii.x, a.y / radii.y, a.z / radii.z};
        const double k = norm(a), g = norm(b);
        return g < 1e-9 ? -std::min({radii.x, radii.y, radii.z}) : k * (k - 1) / g;
    }
};

/// Two balls and what is between them.
struct RoundCone {
    Vec3 a, b;
    double radius_a, radius_b;
    double operator()(const Vec3& p) const {
        const Vec3 axis = b - a;
        const double t = std::clamp(dot(p - a, axis) / dot(axis, axis), 0.0, 1.0);
        return norm(p - a - t * axis) - (radius_a + t * (radius_b - radius_a));
    }
};

//                             y      u  z       left   right  front  back
constexpr Section torso[] = {{0.790, 0, -0.006, 0.028, 0.028, 0.040, 0.048},
                             {0.825, 0, -0.005, 0.082, 0.082, 0.068, 0.074},
                             {0.880, 0, -0.004, 0.152, 0.152, 0.096, 0.096},
                             {0.940, 0, -0.004, 0.161, 0.161, 0.102, 0.098},
                             {1.000, 0, -0.002, 0.141, 0.141, 0.098, 0.084},
                             {1.060, 0, 0.000, 0.121, 0.121, 0.091, 0.074},
                             {1.120, 0, 0.000, 0.1245, 0.1245, 0.0915, 0.079},
                             {1.180, 0, -0.002, 0.133, 0.133, 0.094, 0.088},
                             {1.250, 0, -0.004, 0.141, 0.141, 0.096, 0.099},
                             {1.320, 0, -0.008, 0.145, 0.145, 0.085, 0.103},
                             {1.370, 0, -0.012, 0.136, 0.136, 0.066, 0.096},
                             {1.410, 0, -0.018, 0.110, 0.110, 0.050, 0.081},
                             {1.440, 0, -0.021, 0.080, 0.080, 0.046, 0.064},
                             {1.470, 0, -0.020, 0.056, 0.056, 0.048, 0.052}};

//                            y      x      z       outer  inner  front  back
constexpr Section leg[] = {{0.010, 0.093, -0.026, 0.030, 0.030, 0.034, 0.036},
                           {0.060, 0.093, -0.026, 0.029, 0.029, 0.034, 0.036},
                           {0.110, 0.093, -0.025, 0.0275, 0.0275, 0.032, 0.034},
                           {0.180, 0.0935, -0.022, 0.032, 0.031, 0.033, 0.038},
                           {0.260, 0.094, -0.016, 0.042, 0.040, 0.038, 0.053},
                           {0.340, 0.095, -0.010, 0.049, 0.046, 0.042, 0.064},
                           {0.410, 0.096, -0.002, 0.046, 0.044, 0.046, 0.055},
                           {0.465, 0.097, 0.004, 0.045, 0.045, 0.051, 0.046},
                           {0.520, 0.0975, 0.005, 0.050, 0.048, 0.054, 0.049},
                           {0.600, 0.098, 0.003, 0.060, 0.056, 0.065, 0.061},
                           {0.700, 0.097, 0.000, 0.071, 0.066, 0.077, 0.075},
                           {0.780, 0.095, -0.002, 0.079, 0.073, 0.086, 0.086},
                           {0.880, 0.090, -0.004, 0.083, 0.075, 0.090, 0.094},
                           {0.940, 0.084, -0.004, 0.072, 0.064, 0.078, 0.082},
                           {1.000, 0.076, -0.004, 0.040, 0.036, 0.045, 0.050}};

//                           along    y'      z     up     down   front  back
constexpr Section arm_sections[] = {{-0.046, 0.000, 0, 0.013, 0.015, 0.014, 0.015},
                                    {-0.023, 0.000, 0, 0.028, 0.033, 0.030, 0.031},
                                    {0.010, 0.000, 0, 0.0385, 0.042, 0.0395, 0.0395},
                                    {0.055, 0.000, 0, 0.0415, 0.042, 0.0415, 0.0420},
                                    {0.110, 0.000, 0, 0.0380, 0.040, 0.0400, 0.0405},
                                    {0.190, 0.000, 0, 0.0335, 0.036, 0.0375, 0.0365},
                                    {0.260, 0.000, 0, 0.0305, 0.0325, 0.0340, 0.0335},
                                    {0.295, 0.000, 0, 0.0305, 0.0315, 0.0330, 0.0340},
                                    {0.350, 0.000, 0, 0.0320, 0.0315, 0.0350, 0.0345},
                                    {0.420, 0.000, 0, 0.0285, 0.0280, 0.0320, 0.0310},
                                    {0.500, 0.000, 0, 0.0205, 0.0205, 0.0260, 0.0250},
                                    {0.550, 0.000, 0, 0.0175, 0.0175, 0.0240, 0.0230},
                                    {0.590, 0.000, 0, 0.0140, 0.0140, 0.0220, 0.0210},
                                    {0.610, 0.000, 0, 0.0080, 0.0080, 0.0160, 0.0150}};
constexpr Section hand_sections[] = {{0.535, 0.000, 0, 0.0110, 0.0110, 0.0170, 0.0160},
                                     {0.560, 0.000, 0, 0.0150, 0.0150, 0.0235, 0.0225},
                                     {0.590, -0.001, 0, 0.0155, 0.0155, 0.0310, 0.0300},
                                     {0.630, -0.003, 0, 0.0140, 0.0150, 0.0360, 0.0350},
                                     {0.665, -0.006, 0, 0.0125, 0.0135, 0.0345, 0.0330},
                                     {0.695, -0.010, 0, 0.0118, 0.0122, 0.0295, 0.0285},
                                     {0.720, -0.014, 0, 0.0110, 0.0112, 0.0230, 0.0225},
                                     {0.736, -0.017, 0, 0.0098, 0.0100, 0.0165, 0.0160},
                                     {0.745, -0.019, 0, 0.0085, 0.0085, 0.0115, 0.0115}};
constexpr double wrist_s = 0.55;

//                            z       x      y      outer  inner  top    below the middle
constexpr Section foot_sections[] = {{-0.062, 0.000, 0.032, 0.012, 0.012, 0.014, 0.036},
                                     {-0.054, 0.000, 0.034, 0.0215, 0.0215, 0.026, 0.041},
                                     {-0.038, 0.000, 0.036, 0.029, 0.029, 0.038, 0.044},
                                     {-0.014, 0.000, 0.036, 0.031, 0.031, 0.052, 0.044},
                                     {0.020, 0.001, 0.032, 0.033, 0.032, 0.050, 0.040},
                                     {0.060, 0.002, 0.027, 0.038, 0.035, 0.036, 0.035},
                                     {0.100, 0.002, 0.022, 0.043, 0.040, 0.025, 0.030},
                                     {0.130, 0.000, 0.019, 0.040, 0.038, 0.018, 0.027},
                                     {0.152, -0.002, 0.017, 0.032, 0.031, 0.014, 0.024},
                                     {0.165, -0.004, 0.016, 0.020, 0.020, 0.010, 0.020}};

template <std::size_t n>
std::vector<Section> scaled(const Section (&given)[n], double along, double across) {
    std::vector<Section> out(given, given + n);
    for (Section& s : out)
        s = {along * s.s,        along * s.u,       along * s.v,       across * s.u_plus,
             across * s.u_minus, across * s.v_plus, across * s.v_minus};
    return out;
}

} // namespace

struct Shape::Parts {
    Tube torso, leg, arm, palm, foot, neck;
    Ellipsoid breast, buttock, skull, jaw;
    RoundCone yoke;
    std::array<RoundCone, 2> thumb;
    double scale = 1;

    void make_torso(const Plan& plan, double bust, double waist, double hip);
    void make_limbs(const Plan& plan, double hip);
    void make_head(const Plan& plan);
    double head(const Vec3& p) const;
    double limb_arm(const Vec3& p) const;
    double limb_leg(const Vec3& p) const;
    double trunk(const Vec3& p) const;
    double whole(const Vec3& p) const;
    void fit(const Plan& plan);
};

// Radii grow with the girths: fully at the level where each is taken, in between by a share of
// both.
void Shape::Parts::make_torso(const Plan& plan, double bust, double waist, double hip) {
    const double h = plan.scale;
    std::vector<Section> sections = scaled(mannequin::torso, h, h);
    for (Section& s : sections) {
        const double y = s.s / h;
        double factor = y < 1.06 ? hip + (waist - hip) * smoothstep(0.90, 1.06, y)
                                 : waist + (bust - waist) * smoothstep(1.06, 1.22, y);
        factor += (1 - factor) * smoothstep(1.30, 1.45, y);
        for (double* r : {&s.u_plus, &s.u_minus, &s.v_plus, &s.v_minus})
            *r *= factor;
    }
    torso = Tube({{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}}, sections, 2.25, 0.05 * h);
    breast = {h * Vec3{0.066 * bust, 1.244, 0.050 * bust}, (h * bust) * Vec3{0.060, 0.066, 0.062}};
    buttock = {h * Vec3{0.070 * hip, 0.875, -0.050 * hip}, (h * hip) * Vec3{0.078, 0.085, 0.070}};
}

void Shape::Parts::make_limbs(const Plan& plan, double hip) {
    const double h = plan.scale, limb = h * plan.limb_scale;
    std::vector<Section> sections = scaled(mannequin::leg, h, limb);
    for (Section& s : sections) {
        const double factor = 1 + (hip / plan.limb_scale - 1) * smoothstep(0.55, 0.85, s.s / h);
        for (double* r : {&s.u_plus, &s.u_minus, &s.v_plus, &s.v_minus})
            *r *= factor;
        // Thicker thighs stand further apart: the room between them stays.
        const double grown = h * (factor * plan.limb_scale - 1);
        s.u += 0.074 * std::max(grown, 0.0) * smoothstep(1.0, 0.8, s.s / h);
    }
    leg = Tube({{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}}, sections, 2.1, 0.02 * h);

    sections = scaled(arm_sections, h, limb);
    // Hands differ less than arms.
    const double hands = h * (1 + 0.4 * (plan.limb_scale - 1));
    std::vector<Section> palm_sections = scaled(hand_sections, h, hands);
    for (std::vector<Section>* list : {&sections, &palm_sections})
        for (Section& s : *list)
            s.s = s.s < h * 0.5 ? s.s * plan.arm_scale : s.s + h * wrist_s * (plan.arm_scale - 1);
    const Vec3 d = plan.arm_direction, up = {-d.y, d.x, 0};
    const Vec3 shoulder = plan.at[upper_arm];
    arm = Tube({shoulder, d, up, {0, 0, 1}}, sections, 2.1, 0.010 * h);
    palm = Tube({shoulder, d, up, {0, 0, 1}}, palm_sections, 2.7, 0.010 * h);
    const auto on_hand = [&](double s, double u, double v) {
        return shoulder + (h * (s - wrist_s) + h * wrist_s * plan.arm_scale) * d +
               (hands * u) * up + (hands * v) * Vec3{0, 0, 1};
    };
    thumb[0] = {on_hand(0.575, -0.003, 0.020), on_hand(0.612, -0.011, 0.050), 0.0155 * h,
                0.0125 * h};
    thumb[1] = {thumb[0].b, on_hand(0.646, -0.016, 0.066), 0.0125 * h, 0.0105 * h};

    const Vec3 ankle = plan.at[mannequin::foot];
    const double turn = 8 * std::numbers::pi / 180, c = std::cos(turn), s = std::sin(turn);
    foot = Tube({{ankle.x, 0, ankle.z}, {s, 0, c}, {c, 0, -s}, {0, 1, 0}},
                scaled(foot_sections, h, h), 2.3, 0.03 * h);
}

void Shape::Parts::make_head(const Plan& plan) {
    const double h = plan.scale;
    constexpr Section neck_sections[] = {{1.420, 0, -0.026, 0.058, 0.058, 0.050, 0.054},
                                         {1.470, 0, -0.020, 0.051, 0.051, 0.050, 0.050},
                                         {1.520, 0, -0.010, 0.048, 0.048, 0.050, 0.048},
                                         {1.580, 0, 0.000, 0.048, 0.048, 0.052, 0.050}};
    neck = Tube({{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}}, scaled(neck_sections, h, h), 2.0,
                0.02 * h);
    skull = {h * Vec3{0, 1.632, 0.003}, h * Vec3{0.070, 0.088, 0.089}};
    jaw = {h * Vec3{0, 1.580, 0.026}, h * Vec3{0.051, 0.074, 0.061}};
    const Vec3 shoulder = plan.at[upper_arm];
    yoke = {h * Vec3{0.046, 1.446, -0.030},
            {shoulder.x - 0.012 * h, shoulder.y - 0.006 * h, -0.014 * h},
            0.036 * h,
            0.0365 * h};
}

double Shape::Parts::head(const Vec3& p) const {
    return smooth_min(smooth_min(skull(p), jaw(p), 0.05 * scale), neck(p), 0.025 * scale);
}

double Shape::Parts::limb_arm(const Vec3& p) const {
    const double tip = smooth_min(thumb[0](p), thumb[1](p), 0.008 * scale);
    const double flat = smooth_min(palm(p), tip, 0.016 * scale);
    return smooth_min(arm(p), flat, 0.014 * scale);
}

double Shape::Parts::limb_leg(const Vec3& p) const {
    const double sole = smooth_max(foot(p), -p.y, 0.012 * scale);
    return smooth_min(smooth_max(leg(p), 0.03 * scale - p.y, 0.01), sole, 0.030 * scale);
}

// Left and right parts near the middle are joined smoothly, so that there is no crease at x = 0.
double Shape::Parts::trunk(const Vec3& p) const {
    const Vec3 q = {-p.x, p.y, p.z};
    double out = torso(p);
    out = smooth_min(out, smooth_min(breast(p), breast(q), 0.05 * scale), 0.060 * scale);
    out = smooth_min(out, smooth_min(yoke(p), yoke(q), 0.05 * scale), 0.06 * scale);
    out = smooth_min(out, head(p), 0.05 * scale);
    double lower = smooth_min(buttock(p), buttock(q), 0.03 * scale);
    lower = smooth_min(smooth_min(limb_leg(p), limb_leg(q), 0.055 * scale), lower, 0.07 * scale);
    return smooth_min(out, lower, 0.05 * scale);
}

double Shape::Parts::whole(const Vec3& p) const {
    return smooth_min(trunk(p), limb_arm(p), 0.060 * scale);
}

namespace {

template <class Function>
double girth_of(const Function& shape, double y, double step) {
    constexpr int rays = 48; // of a half
    std::vector<Vec2> points;
    for (int k = 0; k <= rays; ++k) {
        const double angle = std::numbers::pi * k / rays;
        const Vec3 d = {std::sin(angle), 0, std::cos(angle)};
        double inside = 0, outside = 4 * step;
        while (outside < 1 && shape({outside * d.x, y, outside * d.z}) < 0) {
            inside = outside;
            outside += step;
        }
        for (int i = 0; i < 12; ++i) {
            const double middle = 0.5 * (inside + outside);
            (shape({middle * d.x, y, middle * d.z}) < 0 ? inside : outside) = middle;
        }
        points.push_back({outside * d.x, outside * d.z});
        points.push_back({-outside * d.x, outside * d.z});
    }
    return hull_length(points);
}

} // namespace

// The girths that come out depend on what is blended in: a few rounds of the rule of three.
void Shape::Parts::fit(const Plan& plan) {
    const MannequinSettings& wanted = plan.settings;
    double bust = wanted.bust / (0.9 * scale), waist = wanted.waist / (0.7 * scale),
           hip = wanted.hip / (0.96 * scale);
    const auto extreme = [&](double from, double to, bool largest) {
        double out = largest ? 0 : 100;
        for (int k = 0; k <= 4; ++k) {
            const double y = scale * (from + (to - from) * k / 4);
            const double girth = girth_of([&](const Vec3& p) { return trunk(p); }, y, 0.02 * scale);
            out = largest ? std::max(out, girth) : std::min(out, girth);
        }
        return out;
    };
    for (int round = 0; round < 5; ++round) {
        make_torso(plan, bust, waist, hip);
        make_limbs(plan, hip);
        if (round == 4)
            break;
        bust *= wanted.bust / extreme(1.21, 1.26, true);
        waist *= wanted.waist / extreme(1.05, 1.10, false);
        hip *= wanted.hip / extreme(0.85, 0.91, true);
    }
}

Shape::Shape(const Plan& plan) : parts_(std::make_unique<Parts>()) {
    parts_->scale = plan.scale;
    parts_->make_head(plan);
    parts_->fit(plan);
}
Shape::~Shape() = default;
double Shape::operator()(const Vec3& p) const {
    return parts_->whole(p);
}
double Shape::arm(const Vec3& p) const {
    return parts_->limb_arm(p);
}
double Shape::trunk(const Vec3& p) const {
    return parts_->trunk(p);
}

} // namespace muslin::mannequin
