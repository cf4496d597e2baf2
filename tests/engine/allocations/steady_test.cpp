#include "engine/allocations/counted_new.h"
#include "muslin/base/parallel.h"
#include "muslin/engine/simulation.h"
#include "muslin/scene/load.h"

#include <gtest/gtest.h>

#include <memory>

using namespace muslin;
using muslin::test::AllocationCount;

namespace {

class steady_steps : public ::testing::TestWithParam<int> {
protected:
    void SetUp() override { set_thread_count(GetParam()); }
    void TearDown() override { set_thread_count(0); }
};

// Lists grow with what touches, and stay as long as they were. So the frames that count are those
// that were simulated before, from the same state on; but for the first of them, in which contact
// finds that its history is of another state.
void expect_no_allocations(const std::string& scene) {
    constexpr int warm_up = 20, counted = 5; // frames
    Simulation simulation(load_scene(scene));
    FrameReport report;
    const auto advance = [&](int frames) {
        for (int k = 0; k < frames; ++k)
            simulation.advance_frame(report);
    };
    advance(warm_up);
    const State start = simulation.state();
    for (int k = 0; k < 6; ++k) { // which steps are tried differs from one time to the next
        advance(1 + counted);
        simulation.set_state(start);
    }
    advance(1);
    AllocationCount count;
    advance(counted);
    EXPECT_EQ(count.stop(), 0) << count.describe();
}

} // namespace

TEST(allocation_count, counts_every_form_of_new) {
    AllocationCount count;
    // Operators called by name: a new-expression may be left out by the compiler.
    ::operator delete(::operator new(1));
    ::operator delete[](::operator new[](1));
    ::operator delete(::operator new(1, std::nothrow));
    ::operator delete(::operator new(1, std::align_val_t(64)), std::align_val_t(64));
    ::operator delete[](::operator new[](1, std::align_val_t(64)), std::align_val_t(64));
    EXPECT_EQ(count.stop(), 5) << count.describe();
}

TEST(allocation_count, counts_other_threads) {
    set_thread_count(2);
    AllocationCount count;
    parallel_for(64, 1, [](std::size_t, std::size_t) { ::operator delete(::operator new(1)); });
    EXPECT_GE(count.stop(), 64);
    set_thread_count(0);
}

TEST_P(steady_steps, of_a_hanging_sheet_allocate_nothing) {
    expect_no_allocations("two-corner-sheet");
}

TEST_P(steady_steps, of_a_sheet_over_a_ball_allocate_nothing) {
    expect_no_allocations("drape-sphere");
}

INSTANTIATE_TEST_SUITE_P(threads, steady_steps, ::testing::Values(1, 2));
