# scripts/plot-referee: a table and a figure replace a block of the page, and a quick run does not
# replace a full one.

if(NOT PYTHON)
    message(STATUS "SKIPPED: no python3")
    return()
endif()

file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR}/results ${WORK_DIR}/images)
set(page ${WORK_DIR}/page.md)
set(head "case,what,measured,unit,reference,low,high,kept,seconds,trouble\n")

function(plot)
    execute_process(COMMAND ${PYTHON} ${SOURCE_DIR}/scripts/plot-referee ${ARGN}
                            ${WORK_DIR}/results ${page} ${WORK_DIR}/images
                    RESULT_VARIABLE result OUTPUT_VARIABLE out ERROR_VARIABLE out)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "plot-referee failed: ${out}")
    endif()
endfunction()

function(expect file text)
    file(READ ${file} found)
    string(FIND "${found}" "${text}" place)
    if(place EQUAL -1)
        message(FATAL_ERROR "${file} lacks '${text}':\n${found}")
    endif()
endfunction()

file(WRITE ${page} "Before.\n\n<!-- referee summary -->\n<!-- end referee -->\n\n"
     "<!-- referee motion.fall -->\n<!-- end referee -->\n\nAfter.\n")
file(WRITE ${WORK_DIR}/results/motion.csv "${head}"
     "\"fall 0.5 s, 24 fps\",\"height, lost\",1.02,m,1,0.95,1.05,1,0.1,\"\"\n"
     "\"fall 0.5 s, 24 fps\",\"drift\",0.5,m,,-inf,0.1,0,0.1,\"\"\n"
     "\"fall 0.5 s, 24 fps\",\"noted\",7,m,,-inf,inf,1,0.1,\"\"\n"
     "\"fall 0.5 s, 24 fps\",\"crossings\",0,,,-inf,0,1,0.1,\"\"\n"
     "\"fall 1 s\",\"failed\",nan,,,-inf,inf,0,0.1,\"threw\"\n")
plot()
expect(${page} "Before.\n\n<!-- referee summary -->\n\n| protocol | rows kept |\n|---|---|\n| motion | 2 of 4 |")
expect(${page} "| 0.5 s, 24 fps | height, lost | 1.02 m | 1 (+2.00 %) | 0.95 to 1.05 |")
expect(${page} "|  | drift | **0.5 m** |  | at most 0.1 |")
expect(${page} "| 1 s | failed | **no number: threw** |  |  |")
expect(${page} "](images/referee-motion-fall.svg)\n\n<!-- end referee -->\n\nAfter.")
expect(${WORK_DIR}/images/referee-motion-fall.svg "motion, fall: 2 of 4 kept")
expect(${WORK_DIR}/images/referee-motion-fall.svg "threw")
expect(${WORK_DIR}/images/referee-motion-fall.svg "0 (at most 0)")

file(READ ${page} full)
plot()
file(READ ${page} again)
if(NOT again STREQUAL full)
    message(FATAL_ERROR "the same tables change the page:\n${again}")
endif()

file(WRITE ${WORK_DIR}/results/motion.csv "${head}"
     "\"fall 0.5 s, 24 fps\",\"drift\",0.05,m,,-inf,0.1,1,0.1,\"\"\n")
plot()
file(READ ${page} again)
if(NOT again STREQUAL full)
    message(FATAL_ERROR "a part of the rows replaces all:\n${again}")
endif()
plot(--partial)
expect(${page} "| 0.5 s, 24 fps | drift | 0.05 m |  | at most 0.1 |")
expect(${page} "| motion | 1 of 1 |")
