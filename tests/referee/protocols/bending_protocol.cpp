// Protocol "bending": the rigidity that strips of the default recipe show, on every mesh that
// Muslin makes. At rest by the balance of the recipe's own forces (tests/validation/equilibrium.h):
// steps have no part in it.
//
// Directions: grids are turned by 90 degrees. Turned by 45, a grid with alternating diagonals is
// the one with both, of another size, and the other way round: their rows are each other's.

#include "referee/protocols/protocols.h"
#include "validation/bending.h"

#include <fmt/format.h>

namespace muslin::referee {

namespace {

using namespace muslin::validation;

struct Kind {
    StripMesh mesh;
    bool turned;
    const char* name;
};
const Kind kinds[] = {
    {StripMesh::m1, false, "lattice"},
    {StripMesh::m2, false, "lattice, turned"},
    {StripMesh::m3, false, "irregular"},
    {StripMesh::m3, true, "irregular, turned"},
    {StripMesh::panel, false, "panel"},
    {StripMesh::alternating, false, "grid, alternating"},
    {StripMesh::alternating, true, "grid, alternating, turned"},
    {StripMesh::crossed, false, "grid, crossed"},
    {StripMesh::crossed, true, "grid, crossed, turned"},
    {StripMesh::m4, false, "grid, one diagonal"},
    {StripMesh::m4, true, "grid, one diagonal, turned"},
};

Strip strip_of(const Kind& kind, int rows) {
    Strip s;
    s.mesh = kind.mesh;
    s.turned = kind.turned;
    s.rows = rows;
    s.recipe = "muslin"; // the default
    s.bending = "";
    return s;
}

// What the load of a buckled strip says of D: it is in proportion to it.
double rigidity_shown(const Strip& s) {
    return 1 + euler(s, 0.030269093).force.error();
}

Case euler_case(const Kind& kind, Extent least) {
    return {"bending", "euler", fmt::format("{}, 40 rows", kind.name), least, [=](Report& report) {
                report.within("D", rigidity_shown(strip_of(kind, 40)), 1, 0.02, "");
            }};
}

Case cantilever_case(const Kind& kind, double gamma, Extent least) {
    return {"bending", "B1", fmt::format("{}, Gamma {}, 40 rows", kind.name, gamma), least,
            [=](Report& report) {
                const Cantilever c = cantilever(strip_of(kind, 40), gamma);
                report.within("H/W", c.ratio.value, c.ratio.reference, 0.03, "");
            }};
}

// Twice as stiff along the strip as across it, and the other way round.
Case anisotropic(const Kind& kind, double across) {
    return {"bending", "warp-weft", fmt::format("{}, {} times D across", kind.name, across),
            Extent::usual, [=](Report& report) {
                Strip s = strip_of(kind, 40);
                s.across = across;
                report.within("D along", rigidity_shown(s), 1, 0.05, "");
            }};
}

} // namespace

std::vector<Case> bending_cases() {
    std::vector<Case> out;
    for (const Kind& kind : kinds) {
        const bool quick = kind.mesh == StripMesh::alternating && !kind.turned;
        out.push_back(euler_case(kind, quick ? Extent::quick : Extent::usual));
        for (const double gamma : {1.0, 10.0, 100.0})
            out.push_back(
                cantilever_case(kind, gamma, quick && gamma == 10 ? Extent::quick : Extent::usual));
    }
    for (const Kind& kind : kinds)
        if (kind.mesh == StripMesh::m3 || kind.mesh == StripMesh::alternating)
            for (const double across : {0.5, 2.0})
                out.push_back(anisotropic(kind, across));
    return out;
}

} // namespace muslin::referee
