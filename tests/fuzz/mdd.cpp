#include "point_cache_check.h"

#include "muslin/io/point_cache.h"

FUZZ_TARGET(mdd) {
    muslin::fuzz::check_point_cache<muslin::MddReader>(bytes);
}
