// Every kernel for float and for double in device code. Compiled where there is nvcc
// (tests/project/nvcc_test.cmake); run by nothing yet.
#include "kernels/kernel_calls.h"

namespace muslin::test {

/// Numbers from memory.
template <class T>
struct DeviceInputs {
    const T* next;

    __device__ T number(double, double) { return *next++; }
    __device__ Vec3T<T> vector(double) {
        const T x = *next++, y = *next++, z = *next++;
        return {x, y, z};
    }
    __device__ Vec3T<T> point() { return vector(1); }
    __device__ Vec3T<T> unit() { return vector(1); }
    template <int Count>
    __device__ void points(Vec3T<T> (&out)[Count]) {
        for (Vec3T<T>& p : out)
            p = point();
    }
    template <int Count>
    __device__ void vectors(Vec3T<T> (&out)[Count], double size) {
        for (Vec3T<T>& p : out)
            p = vector(size);
    }
};

/// Results to memory, which keeps the compiler from dropping what computes them.
template <class T>
struct DeviceOutputs {
    T* next;

    __device__ void kernel(const char*, double = 0) {}
    __device__ void regular(const char*) {}
    template <class... Values>
    __device__ void add(const Values&... values) {
        (store(values), ...);
    }

private:
    __device__ void store(const T& a) { *next++ = a; }
    __device__ void store(const Vec3T<T>& a) {
        for (int i = 0; i < 3; ++i)
            store(a[i]);
    }
    __device__ void store(const Mat3T<T>& a) {
        for (int i = 0; i < 9; ++i)
            store(a.m[i / 3][i % 3]);
    }
};

template <class T>
__global__ void run_all_kernels(const T* from, T* to) {
    DeviceInputs<T> in = {from};
    DeviceOutputs<T> out = {to};
    call_all_kernels<T>(in, out);
}

template __global__ void run_all_kernels<float>(const float*, float*);
template __global__ void run_all_kernels<double>(const double*, double*);

} // namespace muslin::test
