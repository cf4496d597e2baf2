#include "point_cache_check.h"

#include "muslin/io/pc2.h"

FUZZ_TARGET(pc2) {
    muslin::fuzz::check_point_cache<muslin::Pc2Reader>(bytes);
}
