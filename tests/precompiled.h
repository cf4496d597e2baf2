#pragma once

// What most tests include and what takes longest to read; see CMakeLists.txt.
#include <Eigen/Dense>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <numbers>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <vector>
