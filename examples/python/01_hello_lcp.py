"""Hello, LCP: find z >= 0 with w = M z + q >= 0 and z'w = 0; the answer is proven."""

import tact

result = tact.lcp.solve([[2, 1], [1, 2]], [-5, -6])
z, report = result.z, result.report
print(f"{report.outcome}: z = {z[0]:.6f} {z[1]:.6f}, {report.pivots} pivots")
print("error below 1e-12:", "yes" if report.certificate.error < 1e-12 else "no")
