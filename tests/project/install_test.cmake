# Installs Muslin into a fresh prefix, builds examples/library against it as a user would, without any
# -march, runs the examples and checks the numbers that they print. What is installed: at most 12
# headers, and targets that pass no flags on.
function(run what)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result WORKING_DIRECTORY ${WORK_DIR}
                    OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
        message("${output}")
        message(FATAL_ERROR "${what} failed (${result})")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

# A number that the last program printed.
function(expect what pattern low high)
    if(NOT output MATCHES "${pattern}")
        message(FATAL_ERROR "${what}: the example printed:\n${output}")
    endif()
    set(value ${CMAKE_MATCH_1})
    if(value GREATER high OR value LESS low)
        message(FATAL_ERROR "${what}: expected between ${low} and ${high}, found ${value}")
    endif()
    message(STATUS "${what} ${value}")
endfunction()

set(prefix ${WORK_DIR}/prefix)
set(example ${WORK_DIR}/example)
file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})

run("installing" ${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})
foreach(file bin/muslin include/muslin/muslin.h)
    if(NOT EXISTS ${prefix}/${file})
        message(FATAL_ERROR "not installed: ${file}")
    endif()
endforeach()
file(GLOB_RECURSE headers ${prefix}/include/*)
list(LENGTH headers count)
if(count GREATER 12)
    message(FATAL_ERROR "${count} headers are installed, more than 12: ${headers}")
endif()

# A package that still points into the source or build tree works here and nowhere else; one that
# passes an instruction set on decides for its users.
file(GLOB_RECURSE package ${prefix}/*.cmake)
foreach(file IN LISTS package)
    file(STRINGS ${file} lines)
    foreach(line IN LISTS lines)
        foreach(forbidden "${SOURCE_DIR}" "-march" "Eigen" "nlohmann")
            string(FIND "${line}" "${forbidden}" found)
            if(NOT found EQUAL -1)
                message(FATAL_ERROR "${file} names ${forbidden}: ${line}")
            endif()
        endforeach()
    endforeach()
endforeach()

# What every file of a user's program pays: at most 2 s of the processor, best of three.
if(NOT SANITIZE)
    file(WRITE ${WORK_DIR}/all.cpp "#include <muslin/muslin.h>\nint main() {}\n")
    set(best 1000)
    foreach(trial 1 2 3)
        run("compiling muslin.h" bash -c "TIMEFORMAT=%U && time '${CXX}' -std=c++20 -I'${prefix}/include' -c all.cpp")
        string(STRIP "${output}" seconds)
        if(seconds LESS best)
            set(best ${seconds})
        endif()
    endforeach()
    if(best GREATER 2)
        message(FATAL_ERROR "muslin.h takes ${best} s to compile, more than 2 s")
    endif()
    message(STATUS "muslin.h compiles in ${best} s")
endif()

set(flags -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_PREFIX_PATH=${prefix})
if(SANITIZE)
    list(APPEND flags -DCMAKE_CXX_FLAGS=-fsanitize=${SANITIZE})
endif()
run("configuring the examples" ${CMAKE_COMMAND} -S ${SOURCE_DIR}/examples/library -B ${example}
    -G Ninja ${flags})
run("building the examples" ${CMAKE_COMMAND} --build ${example})

# In a second cloth that nothing holds falls by 5 m; the ball ends with its top at 0.1 m, the sheet on it.
run("running cloth_from_arrays" ${example}/cloth_from_arrays)
expect("highest point" "highest point after 30 frames: (-?[0-9.]+) m" 0.09 0.12)
expect("triangles in the ball" "triangles in the ball: ([0-9]+)" 0 0)

run("running own_force" ${example}/own_force)
# Between the corners of a square of 1 m, and 0.2 m above where they would hang by themselves.
expect("height of the corner" "corner at [-0-9.]+ (-?[0-9.]+) [-0-9.]+ m" -0.82 -0.78)

run("running garment" ${example}/garment)
expect("open joints" "3 frames in [^,]*skirt-on-a-cone.usda, ([0-9]+) joints open" 0 0)

# The program of docs/library.md.
file(READ ${SOURCE_DIR}/docs/library.md page)
string(FIND "${page}" "```cpp\n" begin)
math(EXPR begin "${begin} + 7")
string(SUBSTRING "${page}" ${begin} -1 page)
string(FIND "${page}" "```" end)
string(SUBSTRING "${page}" 0 ${end} code)
file(WRITE ${WORK_DIR}/page/main.cpp "${code}")
file(WRITE ${WORK_DIR}/page/CMakeLists.txt "cmake_minimum_required(VERSION 3.24)
project(page LANGUAGES CXX)
find_package(muslin 0.1 REQUIRED)
add_executable(app main.cpp)
target_link_libraries(app PRIVATE muslin::muslin)
")
run("configuring the program of docs/library.md" ${CMAKE_COMMAND} -S ${WORK_DIR}/page
    -B ${WORK_DIR}/page/build -G Ninja ${flags})
run("building the program of docs/library.md" ${CMAKE_COMMAND} --build ${WORK_DIR}/page/build)
run("running the program of docs/library.md" ${WORK_DIR}/page/build/app)
expect("energy of the flag [J]" "([0-9.]+) J of motion" 0.001 2)
