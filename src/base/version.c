#include <tact/base.h>

#ifndef TACT_LAPACK_NAME
#define TACT_LAPACK_NAME "no"
#endif

#ifndef TACT_JANSSON_NAME
#define TACT_JANSSON_NAME "no"
#endif
#ifndef TACT_HDF5_NAME
#define TACT_HDF5_NAME "no"
#endif
#ifndef TACT_LIBXML2_NAME
#define TACT_LIBXML2_NAME "no"
#endif
#ifndef TACT_QHULL_NAME
#define TACT_QHULL_NAME "no"
#endif
#ifndef TACT_ASSIMP_NAME
#define TACT_ASSIMP_NAME "no"
#endif
#ifndef TACT_GMP_NAME
#define TACT_GMP_NAME "no"
#endif

#define TEXT_OF(number) #number
#define VERSION(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *tact_version(void)
{
    return VERSION(TACT_VERSION_MAJOR, TACT_VERSION_MINOR, TACT_VERSION_PATCH) //
        " (lapack: " TACT_LAPACK_NAME ", jansson: " TACT_JANSSON_NAME ", hdf5: " TACT_HDF5_NAME
        ", libxml2: " TACT_LIBXML2_NAME ", qhull: " TACT_QHULL_NAME ", assimp: " TACT_ASSIMP_NAME
        ", gmp: " TACT_GMP_NAME ")";
}
