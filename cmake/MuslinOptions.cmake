# Build settings shared by every target.
option(MUSLIN_TESTS "Build the tests" ON)
option(MUSLIN_BENCHMARKS "Build the benchmarks" OFF)
option(MUSLIN_WERROR "Treat warnings as errors" ON)
set(MUSLIN_PARALLEL "threads" CACHE STRING "Backend of parallel_for: threads or tbb")
set_property(CACHE MUSLIN_PARALLEL PROPERTY STRINGS threads tbb)
set(MUSLIN_ARCH "x86-64-v3" CACHE STRING "Value of -march (empty: the compiler's default)")
set(MUSLIN_SANITIZE "" CACHE STRING "Value of -fsanitize (empty: none)")
option(MUSLIN_FUZZ "Build the fuzzers of tests/fuzz (needs clang)" OFF)
option(MUSLIN_COVERAGE "Count the lines that tests run" OFF)

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_FLAGS_RELEASE "-O3")

# Products and sums may be fused, and differently wherever a function is inlined: two builds may differ
# in the last bit. One build gives the same bits on any number of threads all the same.
add_compile_options(-Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -ffp-contract=fast
                    -fno-math-errno)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # False alarms of GCC 12 at -O3 inside std::string and fmt.
    add_compile_options(-Wno-maybe-uninitialized -Wno-stringop-overflow -Wno-restrict)
endif()
if(MUSLIN_WERROR)
    add_compile_options(-Werror)
endif()
if(MUSLIN_ARCH AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    add_compile_options(-march=${MUSLIN_ARCH})
endif()
if(MUSLIN_SANITIZE)
    # Functions and lines are what a report shows; the rest of debug information takes a third of the time to build.
    add_compile_options(-fsanitize=${MUSLIN_SANITIZE} -fno-sanitize-recover=all
                        -fno-omit-frame-pointer -g1)
    add_link_options(-fsanitize=${MUSLIN_SANITIZE})
endif()

if(MUSLIN_FUZZ)
    if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
        message(FATAL_ERROR "MUSLIN_FUZZ: expected clang, found ${CMAKE_CXX_COMPILER_ID}")
    endif()
    # The counters of branches that libFuzzer follows; its main comes with the fuzzers alone.
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()

if(MUSLIN_COVERAGE)
    add_compile_options(--coverage -fprofile-update=atomic)
    add_link_options(--coverage)
endif()
# A program does not tell where it was built, so that two builds of a commit are the same bytes. Debuggers
# and coverage want to know.
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT MUSLIN_SANITIZE AND NOT MUSLIN_COVERAGE)
    add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=
                        -ffile-prefix-map=${PROJECT_BINARY_DIR}/=build/)
endif()

# Archives without times and owners, whatever the default of ar.
set(CMAKE_CXX_ARCHIVE_CREATE "<CMAKE_AR> qcD <TARGET> <LINK_FLAGS> <OBJECTS>")
set(CMAKE_CXX_ARCHIVE_APPEND "<CMAKE_AR> qD <TARGET> <LINK_FLAGS> <OBJECTS>")
set(CMAKE_CXX_ARCHIVE_FINISH "<CMAKE_RANLIB> -D <TARGET>")

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(Eigen3 REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ZLIB REQUIRED)
find_package(OpenGL REQUIRED COMPONENTS EGL OpenGL)
# Debian keeps OpenVDB's find module beside the library.
list(APPEND CMAKE_MODULE_PATH /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/cmake/OpenVDB)
# Its find module talks about itself at length.
set(muslin_log_level ${CMAKE_MESSAGE_LOG_LEVEL})
set(CMAKE_MESSAGE_LOG_LEVEL WARNING)
find_package(OpenVDB REQUIRED)
set(CMAKE_MESSAGE_LOG_LEVEL ${muslin_log_level})

set(MUSLIN_PARALLEL_LIBRARIES Threads::Threads)
if(MUSLIN_PARALLEL STREQUAL "tbb")
    find_package(TBB REQUIRED)
    list(APPEND MUSLIN_PARALLEL_LIBRARIES TBB::tbb)
    add_compile_definitions(MUSLIN_PARALLEL_TBB)
elseif(NOT MUSLIN_PARALLEL STREQUAL "threads")
    message(FATAL_ERROR "MUSLIN_PARALLEL: expected threads or tbb, found '${MUSLIN_PARALLEL}'")
endif()
