# Installs Muslin into a fresh prefix, builds examples/library against it as a user would, runs the
# example and checks the number that it prints.
function(run what)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result
                    OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
        message("${output}")
        message(FATAL_ERROR "${what} failed (${result})")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

set(prefix ${WORK_DIR}/prefix)
set(example ${WORK_DIR}/example)
file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})

run("installing" ${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})
foreach(file bin/muslin include/muslin/base/parallel.h include/muslin/engine/simulation.h)
    if(NOT EXISTS ${prefix}/${file})
        message(FATAL_ERROR "not installed: ${file}")
    endif()
endforeach()

# A package that still points into the source or build tree works here and nowhere else.
file(GLOB_RECURSE package ${prefix}/*.cmake)
foreach(file IN LISTS package)
    file(STRINGS ${file} lines)
    foreach(line IN LISTS lines)
        string(FIND "${line}" "${SOURCE_DIR}" found)
        if(NOT found EQUAL -1)
            message(FATAL_ERROR "${file} names the source tree: ${line}")
        endif()
    endforeach()
endforeach()

set(flags -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_PREFIX_PATH=${prefix})
if(SANITIZE)
    list(APPEND flags -DCMAKE_CXX_FLAGS=-fsanitize=${SANITIZE})
endif()
run("configuring the example" ${CMAKE_COMMAND} -S ${SOURCE_DIR}/examples/library -B ${example}
    -G Ninja ${flags})
run("building the example" ${CMAKE_COMMAND} --build ${example})
run("running the example" ${example}/library_example)

# Held at two corners, the sheet swings down from y = 0: after five frames (1/6 s) its free edge has
# fallen, but no further than free fall takes it, g t^2 / 2 = 0.136 m.
if(NOT output MATCHES "lowest point after 5 frames: (-[0-9.]+) m")
    message(FATAL_ERROR "the example printed:\n${output}")
endif()
set(lowest ${CMAKE_MATCH_1})
if(lowest GREATER -0.12 OR lowest LESS -0.145)
    message(FATAL_ERROR "lowest point: expected between -0.145 m and -0.12 m, found ${lowest} m")
endif()
message(STATUS "lowest point ${lowest} m")
