#pragma once

// Physics kernels carry MUSLIN_HD so that the same source compiles for the host and for CUDA.
#ifdef __CUDACC__
#define MUSLIN_HD __host__ __device__
#else
#define MUSLIN_HD
#endif

// For long kernels that are to be one with the loop around them: packs of four stay in registers.
#ifdef __CUDACC__
#define MUSLIN_ALWAYS_INLINE __forceinline__
#else
#define MUSLIN_ALWAYS_INLINE [[gnu::always_inline]] inline
#endif
