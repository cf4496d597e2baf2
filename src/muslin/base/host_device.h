#pragma once

// Physics kernels carry MUSLIN_HD so that the same source compiles for the host and for CUDA.
#ifdef __CUDACC__
#define MUSLIN_HD __host__ __device__
#else
#define MUSLIN_HD
#endif
