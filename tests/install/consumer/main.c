// A program outside: it certifies z = 1 for w = 2 z - 2 and expects no error.
#include <stdio.h>
#include <tact/tact.h>

int main(void)
{
    TactLcpProblem     problem = {.n = 1, .M = (double[]){2}, .q = (double[]){-2}};
    TactLcpCertificate certificate;
    TactStatus         status = tact_lcp_certify(&problem, (double[]){1}, &certificate);
    printf("%s\n", tact_version());
    return status == TACT_OK && certificate.error == 0 ? 0 : 1;
}
