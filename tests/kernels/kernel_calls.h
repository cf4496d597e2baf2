#pragma once

#include "kernels/contact_kernel_calls.h"
#include "kernels/force_kernel_calls.h"

namespace muslin::test {

template <class T, class In, class Out>
MUSLIN_HD void call_all_kernels(In& in, Out& out) {
    call_membrane<T>(in, out);
    call_stretch_shear<T>(in, out);
    call_hinges<T>(in, out);
    call_bend_rest<T>(in, out);
    call_sheet<T>(in, out);
    call_springs<T>(in, out);
    call_air<T>(in, out);
    call_distances<T>(in, out);
    call_motions<T>(in, out);
    call_pressure_and_friction<T>(in, out);
    call_other_contact<T>(in, out);
}

} // namespace muslin::test
