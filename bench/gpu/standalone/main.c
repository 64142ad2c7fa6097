// `tact bench gpu` as a program of its own, for machines that have nothing but a compiler.
#include "bench/bench.h"

int main(int argc, char **argv)
{
    return tact_bench_gpu(argc, argv);
}
