#include "kernels/samples.h"

namespace muslin::test {

Eigen::MatrixXd jacobian(const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& f,
                         Eigen::VectorXd x, double step) {
    Eigen::MatrixXd out;
    for (Eigen::Index j = 0; j < x.size(); ++j) {
        const double at = x[j];
        const auto value = [&](double offset) -> Eigen::VectorXd {
            x[j] = at + offset * step;
            return f(x);
        };
        const Eigen::VectorXd column =
            (8 * (value(1) - value(-1)) - (value(2) - value(-2))) / (12 * step);
        x[j] = at;
        if (j == 0)
            out.resize(column.size(), x.size());
        out.col(j) = column;
    }
    return out;
}

Eigen::VectorXd gradient(const std::function<double(const Eigen::VectorXd&)>& f,
                         const Eigen::VectorXd& x, double step) {
    return jacobian([&](const Eigen::VectorXd& y) { return Eigen::VectorXd::Constant(1, f(y)); }, x,
                    step)
        .transpose();
}

Eigen::Vector3d paper_measures(const Vec2 (&pattern)[3], const Eigen::VectorXd& x) {
    Eigen::Matrix2d m;
    m << pattern[1].x - pattern[0].x, pattern[2].x - pattern[0].x, pattern[1].y - pattern[0].y,
        pattern[2].y - pattern[0].y;
    Eigen::Matrix<double, 3, 2> dx;
    dx.col(0) = x.segment<3>(3) - x.segment<3>(0);
    dx.col(1) = x.segment<3>(6) - x.segment<3>(0);
    const Eigen::Matrix<double, 3, 2> w = dx * m.inverse();
    return {w.col(0).norm(), w.col(1).norm(), w.col(0).dot(w.col(1))};
}

double paper_angle(const Eigen::VectorXd& x) {
    const Eigen::Vector3d x0 = x.segment<3>(0), x1 = x.segment<3>(3), x2 = x.segment<3>(6),
                          x3 = x.segment<3>(9);
    const Eigen::Vector3d e = (x1 - x0).normalized();
    const Eigen::Vector3d n1 = (x1 - x0).cross(x2 - x0).normalized();
    const Eigen::Vector3d n2 = (x0 - x1).cross(x3 - x1).normalized();
    return std::atan2(n1.cross(n2).dot(e), n1.dot(n2));
}

} // namespace muslin::test
