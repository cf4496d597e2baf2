#include "muslin/collision/untangle/untangle.h"

#include "muslin/mesh/measure.h"
#include "muslin/mesh/penetration.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

// How many rings of neighbours follow a displacement, and the share that each passes on.
constexpr int spread_rings = 3;
constexpr double spread_share = 0.6;
constexpr int sweeps = 6, most_sweeps = 40;
constexpr double unnoticed = 1e-4; // of a length
constexpr double edge_stiffness = 0.6, fold_stiffness = 0.05;
// Iterations without progress after which the other way is tried.
constexpr int patience = 20;
constexpr int gap_patience = 25; // without a gap fewer that is too small
// How far around what crosses cloth is ironed [edges], and how often each point goes to the middle
// of its neighbours for it.
constexpr int most_ironed = 6, iron_sweeps = 200;

} // namespace

Untangler::Untangler(const Surfaces& surfaces, std::span<const std::uint8_t> held,
                     const UntangleSettings& settings)
    : surfaces_(surfaces), settings_(settings), finder_(surfaces), adjacency_(finder_.adjacency()),
      tracer_(surfaces, adjacency_), detector_(surfaces) {
    elastic_.mobile.assign(surfaces.point_count(), 0.0);
    for (int i = 0; i < surfaces.particle_count(); ++i)
        elastic_.mobile[i] = held.empty() || !held[i] ? 1.0 : 0.0;
    for (int b = 0; b < surfaces.body_count(); ++b) {
        Body body;
        body.triangles = surfaces.body_triangles(b);
        body.faces.assign(surfaces.triangles.begin() + body.triangles[0],
                          surfaces.triangles.begin() + body.triangles[1]);
        bodies_.push_back(std::move(body));
    }
}

void Untangler::prepare(std::span<const Vec3> points) {
    x_.assign(points.begin(), points.end());
    best_.points = x_;
    elastic_.links.clear();
    elastic_.mean_edge = 0;
    for (int e = 0; e < surfaces_.cloth_edge_count(); ++e) {
        const auto [a, b] = surfaces_.edges[e];
        elastic_.links.push_back({a, b, norm(x_[b] - x_[a]), edge_stiffness});
        elastic_.mean_edge += elastic_.links.back().length;
    }
    elastic_.edge_links = elastic_.links.size();
    elastic_.mean_edge /= static_cast<double>(std::max<std::size_t>(1, elastic_.edge_links));
    // Across an edge: folds keep their shape while nothing else bends them.
    for (int e = 0; e < surfaces_.cloth_edge_count(); ++e) {
        const auto triangles = adjacency_.edge_triangles[e];
        if (triangles.size() != 2)
            continue;
        std::array<int, 2> far = {-1, -1};
        for (int k = 0; k < 2; ++k)
            for (int p : surfaces_.triangles[triangles[k]])
                if (p != surfaces_.edges[e][0] && p != surfaces_.edges[e][1])
                    far[k] = p;
        elastic_.links.push_back({far[0], far[1], norm(x_[far[1]] - x_[far[0]]), fold_stiffness});
    }
    for (Body& body : bodies_) {
        body.watched = is_closed({points, body.faces});
        body.tree.reset();
        if (body.watched)
            body.tree = std::make_unique<judging::BoxTree>(TriangleView{x_, body.faces});
    }
    moves_.moved.assign(x_.size(), 0);
    best_.since = 0;
    shorten_all_ = false;
}

// Which points of cloth are inside closed bodies. Exact: the way out is another matter.
void Untangler::find_inside_bodies() {
    tangles_.inside.clear();
    tangles_.in_body.assign(x_.size(), 0);
    const auto cloth = std::span<const Vec3>(x_).first(surfaces_.particle_count());
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
        Body& body = bodies_[b];
        if (!body.watched)
            continue;
        const std::size_t before = tangles_.inside.size();
        for (int p : find_inside(cloth, {x_, body.faces})) {
            tangles_.inside.push_back({p, static_cast<int>(b)});
            tangles_.in_body[p] = 1;
        }
        // What is clear of a body cannot come to be inside it without crossing it first.
        const auto crosses = [&](const Interference& c) {
            const int edge_triangle = surfaces_.triangle_of_edge(c.edge);
            return (c.triangle >= body.triangles[0] && c.triangle < body.triangles[1]) ||
                   (edge_triangle >= body.triangles[0] && edge_triangle < body.triangles[1]);
        };
        if (tangles_.inside.size() == before &&
            std::none_of(tangles_.crossings.begin(), tangles_.crossings.end(), crosses))
            body.watched = false;
    }
}

bool Untangler::is_in_closed_body(int triangle) const {
    for (const Body& body : bodies_)
        if (triangle >= body.triangles[0] && triangle < body.triangles[1])
            return body.tree != nullptr;
    return false;
}

std::size_t Untangler::look() {
    finder_.find(x_, tangles_.crossings);
    for (const Interference& c : tangles_.crossings) // may have come back
        for (Body& body : bodies_)
            body.watched = body.watched || (body.tree && c.triangle >= body.triangles[0] &&
                                            c.triangle < body.triangles[1]);
    find_inside_bodies();
    return tangles_.crossings.size() + tangles_.inside.size();
}

// Takes the mean of what pairs want of each point; neighbours follow, ring by ring.
void Untangler::spread(double longest) {
    const int cloth = surfaces_.particle_count();
    std::vector<int> ring, next;
    std::vector<std::uint8_t> reached(cloth, 0);
    for (int i = 0; i < cloth; ++i)
        if (moves_.weight[i] > 0) {
            moves_.move[i] = (1 / moves_.weight[i]) * moves_.move[i];
            if (const double size = norm(moves_.move[i]); size > longest)
                moves_.move[i] = (longest / size) * moves_.move[i];
            reached[i] = 1;
            ring.push_back(i);
        }
    for (int k = 0; k < spread_rings; ++k) {
        next.clear();
        for (int p : ring)
            for (int e : adjacency_.point_edges[p])
                if (const int q = other_end(e, p); !reached[q]) {
                    reached[q] = 2;
                    next.push_back(q);
                }
        for (int q : next) {
            Vec3 sum = {0, 0, 0};
            int count = 0;
            for (int e : adjacency_.point_edges[q])
                if (const int p = other_end(e, q); reached[p] == 1) {
                    sum += moves_.move[p];
                    ++count;
                }
            moves_.move[q] = (spread_share * mobility(q) / std::max(1, count)) * sum;
        }
        for (int q : next)
            reached[q] = 1;
        ring = next;
    }
    for (int i = 0; i < cloth; ++i)
        if (reached[i] && mobility(i) > 0) {
            x_[i] += moves_.move[i];
            moves_.moved[i] = 1;
        }
}

double Untangler::worst_strain() const {
    double worst = 0;
    for (std::size_t k = 0; k < elastic_.edge_links; ++k) {
        const Link& link = elastic_.links[k];
        if (link.length > 0 && (moves_.moved[link.a] || moves_.moved[link.b]))
            worst = std::max(worst, std::abs(norm(x_[link.b] - x_[link.a]) / link.length - 1));
    }
    return worst;
}

// One link after the other: what a link takes from its neighbour is seen by that one at once. Only
// what has moved can have changed.
void Untangler::relax(Relaxation how) {
    const auto project = [&](const Link& link, double stiffness) {
        const double a = mobility(link.a), b = mobility(link.b);
        if (a + b == 0)
            return;
        const Vec3 along = x_[link.b] - x_[link.a];
        const double length = norm(along);
        if (!(length > 0))
            return;
        if (std::abs(length - link.length) < unnoticed * link.length)
            return; // or the whole cloth would stir
        const Vec3 change = (stiffness * (length - link.length) / (length * (a + b))) * along;
        x_[link.a] += a * change;
        x_[link.b] -= b * change;
        moves_.moved[link.a] = moves_.moved[link.b] = 1;
    };
    const bool folds = how == Relaxation::shape;
    for (int sweep = 0; sweep < (folds ? sweeps : 1); ++sweep)
        for (const Link& link :
             std::span(elastic_.links).first(folds ? elastic_.links.size() : elastic_.edge_links))
            if (moves_.moved[link.a] || moves_.moved[link.b])
                project(link, link.stiffness);
    // Then those alone that are out of bounds, back to just within.
    const double bound = 0.95 * settings_.max_strain;
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
        bool any = false;
        for (std::size_t k = 0; k < elastic_.edge_links; ++k) {
            Link link = elastic_.links[k];
            if (!moves_.moved[link.a] && !moves_.moved[link.b])
                continue;
            const double length = norm(x_[link.b] - x_[link.a]);
            const double allowed =
                std::clamp(length, (1 - bound) * link.length, (1 + bound) * link.length);
            if (length == allowed)
                continue;
            link.length = allowed;
            project(link, 1);
            any = true;
        }
        if (!any)
            break;
    }
}

void Untangler::keep_if_best(const Score& score) {
    if (!(score < best_.score) || worst_strain() > settings_.max_strain)
        return;
    best_.score = score;
    best_.points = x_;
    best_.since = 0;
}

// A fold that crosses another at a corner of both (a joint of several panels) has a contour that
// ends in that corner: it neither parts a surface nor can become shorter than it is. The points
// around take the middle of their neighbours, wider and wider around, until the fold is gone.
void Untangler::iron() {
    for (int rings = 1; rings <= most_ironed && best_.score.crossings > 0; ++rings) {
        x_ = best_.points;
        look();
        std::vector<std::uint8_t> chosen(x_.size(), 0);
        std::vector<int> patch;
        const auto choose = [&](int p) {
            if (mobility(p) > 0 && !chosen[p]) {
                chosen[p] = 1;
                patch.push_back(p);
            }
        };
        for (const Interference& c : tangles_.crossings) {
            for (int p : surfaces_.edges[c.edge])
                choose(p);
            for (int p : surfaces_.triangles[c.triangle])
                choose(p);
        }
        std::size_t from = 0;
        for (int ring = 1; ring < rings; ++ring) {
            const std::size_t to = patch.size();
            for (; from < to; ++from)
                for (int e : adjacency_.point_edges[patch[from]])
                    choose(other_end(e, patch[from]));
        }
        for (int sweep = 0; sweep < iron_sweeps; ++sweep)
            for (int p : patch) {
                Vec3 sum = {0, 0, 0};
                for (int e : adjacency_.point_edges[p])
                    sum += x_[other_end(e, p)];
                x_[p] = (1.0 / static_cast<double>(adjacency_.point_edges[p].size())) * sum;
                moves_.moved[p] = 1;
            }
        keep_if_best({look(), 0});
    }
}

// Nothing crosses. What comes nearer than its thickness moves apart, in steps that are taken back
// and halved where something crosses after them.
void Untangler::widen_gaps(UntangleReport& report) {
    double longest = longest_pull * elastic_.mean_edge;
    tangles_.marks.assign(x_.size(), 0);
    best_.score = {0, std::size_t(-1)};
    best_.since = 0;
    for (int i = 0; i < settings_.gap_iterations; ++i) {
        moves_.move.assign(x_.size(), {0, 0, 0});
        moves_.weight.assign(x_.size(), 0);
        keep_apart();
        ++best_.since;
        keep_if_best({0, near_});
        if (near_ == 0 || best_.since > gap_patience)
            break;
        const std::vector<Vec3> before = x_;
        spread(longest);
        relax(Relaxation::lengths); // folds would close again what is to open
        ++report.iterations;
        if (look() > 0 || worst_strain() > settings_.max_strain) {
            x_ = before;
            longest *= 0.5;
            if (longest < 1e-4 * elastic_.mean_edge)
                break;
        }
    }
    report.near = best_.score.near;
}

void Untangler::measure_result(std::span<const Vec3> start, UntangleReport& report) {
    x_ = best_.points;
    for (Body& body : bodies_)
        body.watched = body.tree != nullptr;
    look();
    tracer_.trace(tangles_.crossings, tangles_.contours);
    report.crossings = tangles_.crossings.size();
    report.contours = tangles_.contours.size();
    report.inside = tangles_.inside.size();
    report.strain = worst_strain();
    double sum = 0;
    for (int i = 0; i < surfaces_.particle_count(); ++i) {
        const double move = norm(x_[i] - start[i]);
        report.largest_move = std::max(report.largest_move, move);
        if (move > 0)
            ++report.moved;
        sum += move;
    }
    report.mean_move = report.moved > 0 ? sum / static_cast<double>(report.moved) : 0;
}

UntangleReport Untangler::run(std::span<Vec3> points) {
    prepare(points);
    UntangleReport report;
    std::size_t score = look();
    tracer_.trace(tangles_.crossings, tangles_.contours);
    report.crossings_before = tangles_.crossings.size();
    report.contours_before = tangles_.contours.size();
    report.inside_before = tangles_.inside.size();
    best_.score = {score, 0};
    for (; report.iterations < settings_.max_iterations && best_.score.crossings > 0;
         ++report.iterations) {
        pull();
        score = look();
        tracer_.trace(tangles_.crossings, tangles_.contours);
        ++best_.since;
        keep_if_best({score, 0});
        if (best_.since > patience) {
            shorten_all_ = !shorten_all_;
            best_.since = 0;
        }
    }
    iron();
    const bool tangled = report.crossings_before + report.inside_before > 0;
    if (best_.score.crossings == 0 && (tangled || settings_.always_widen)) {
        x_ = best_.points;
        widen_gaps(report);
    }
    measure_result(points, report);
    std::copy(x_.begin(), x_.end(), points.begin());
    return report;
}

} // namespace muslin
