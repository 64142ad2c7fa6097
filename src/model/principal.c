#include "model/principal.h"

/// One rotation in the plane (p, q) that makes A_pq = 0, as in Golub and Van Loan, Matrix
/// Computations, 8.5: the smaller of the two angles, so that it converges.
static void rotate(TactMat3 *A, TactMat3 *R, int p, int q)
{
    double apq = A->m[p][q];
    if (apq == 0) {
        return;
    }
    double tau = (A->m[q][q] - A->m[p][p]) / (2 * apq);
    double t = (tau >= 0 ? 1 : -1) / (fabs(tau) + sqrt(1 + tau * tau));
    double c = 1 / sqrt(1 + t * t);
    double s = t * c;
    int    r = 3 - p - q;
    double arp = A->m[r][p], arq = A->m[r][q];
    A->m[p][p] -= t * apq;
    A->m[q][q] += t * apq;
    A->m[p][q] = A->m[q][p] = 0;
    A->m[r][p] = A->m[p][r] = c * arp - s * arq;
    A->m[r][q] = A->m[q][r] = s * arp + c * arq;
    for (int i = 0; i < 3; i++) {
        double rip = R->m[i][p], riq = R->m[i][q];
        R->m[i][p] = c * rip - s * riq;
        R->m[i][q] = s * rip + c * riq;
    }
}

void tact_principal_axes(TactMat3 A, double moments[3], TactMat3 *R)
{
    *R = tact_mat3_identity();
    // Quadratic convergence: six sweeps reach rounding from anywhere.
    for (int sweep = 0; sweep < 8; sweep++) {
        rotate(&A, R, 0, 1);
        rotate(&A, R, 0, 2);
        rotate(&A, R, 1, 2);
    }
    for (int i = 0; i < 3; i++) {
        moments[i] = A.m[i][i];
    }
}

TactMat3 tact_principal_compose(const double moments[3], TactMat3 R)
{
    TactMat3 A;
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++) {
                sum += R.m[i][k] * moments[k] * R.m[j][k];
            }
            A.m[i][j] = A.m[j][i] = sum;
        }
    }
    return A;
}
