# Compiles every header that holds MUSLIN_HD as CUDA, and every kernel, for float and for double, in device code. A script
# cannot choose its exit code, so that a machine without nvcc is told to ctest by the word SKIPPED.
if(NOT NVCC)
    message(STATUS "SKIPPED: nvcc is not installed (looked in PATH and /usr/local/cuda/bin)")
    return()
endif()

file(GLOB_RECURSE headers RELATIVE ${SOURCE_DIR}/src ${SOURCE_DIR}/src/muslin/*.h)
list(SORT headers)
set(code "")
set(count 0)
foreach(header IN LISTS headers)
    file(STRINGS ${SOURCE_DIR}/src/${header} uses REGEX "MUSLIN_HD" LIMIT_COUNT 1)
    if(uses)
        string(APPEND code "#include \"${header}\"\n")
        math(EXPR count "${count} + 1")
    endif()
endforeach()
if(count LESS 3)
    message(FATAL_ERROR "only ${count} headers hold MUSLIN_HD: has the mark been renamed?")
endif()

file(MAKE_DIRECTORY ${WORK_DIR})
file(WRITE ${WORK_DIR}/kernel_headers.cu "${code}")
foreach(source ${WORK_DIR}/kernel_headers.cu ${SOURCE_DIR}/tests/kernels/device_kernels.cu)
    get_filename_component(name ${source} NAME_WE)
    # A call from device code to a function that exists on the host alone is only a warning by default.
    execute_process(
        COMMAND ${NVCC} -std=c++20 --expt-relaxed-constexpr -Werror cross-execution-space-call
                -ccbin ${CXX} -I${SOURCE_DIR}/src -I${SOURCE_DIR}/tests -c ${source} -o ${WORK_DIR}/${name}.o
        RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
        message("${code}\n${output}")
        message(FATAL_ERROR "nvcc could not compile ${source}")
    endif()
endforeach()
message(STATUS "compiled ${count} headers, and every kernel for float and double")
