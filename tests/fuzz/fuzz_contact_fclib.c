// FCLIB files. Arbitrary bytes would mostly try HDF5 itself; so the input says which datasets there
// are and what is in them, HDF5 makes a sound file of that, and tact reads it.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <tact/io.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#ifdef TACT_HAVE_HDF5
#include <hdf5.h>

static void require(int truth)
{
    if (!truth) {
        abort();
    }
}

typedef struct Bytes {
    const uint8_t *next;
    const uint8_t *end;
} Bytes;

static int take(Bytes *bytes)
{
    return bytes->next < bytes->end ? *bytes->next++ : 0;
}

/// Mostly small numbers, now and then a large or negative one.
static int take_int(Bytes *bytes)
{
    static const int strange[] = {-1, -2, -3, INT32_MAX, INT32_MIN, 1 << 20, 16385, 65536};

    int byte = take(bytes);
    return byte < 240 ? byte % 40 : strange[byte % 8];
}

static void put_ints(hid_t file, hid_t links, const char *path, int count, Bytes *bytes)
{
    int   values[64];
    hid_t space = H5Screate_simple(1, &(hsize_t){(hsize_t)count}, NULL);
    hid_t set = H5Dcreate2(file, path, H5T_NATIVE_INT, space, links, H5P_DEFAULT, H5P_DEFAULT);
    for (int i = 0; i < count; i++) {
        values[i] = take_int(bytes);
    }
    if (count > 0) {
        H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    }
    H5Dclose(set);
    H5Sclose(space);
}

static void put_reals(hid_t file, hid_t links, const char *path, int count, Bytes *bytes)
{
    static const double strange[] = {0.0 / 1, 1e308, -1e308, 5e-324, 1e-9, -1, 0.5, 3};

    double values[64];
    hid_t  space = H5Screate_simple(1, &(hsize_t){(hsize_t)count}, NULL);
    hid_t  set = H5Dcreate2(file, path, H5T_NATIVE_DOUBLE, space, links, H5P_DEFAULT, H5P_DEFAULT);
    int    flavour = take(bytes);
    for (int i = 0; i < count; i++) {
        int byte = take(bytes);
        values[i] = byte < 200 ? byte - 20 : strange[byte % 8];
    }
    if (count > 0 && flavour != 7) { // 7: never written
        H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    }
    H5Dclose(set);
    H5Sclose(space);
}

static const char *join(char path[80], const char *group, const char *name)
{
    path[0] = '\0';
    strncat(path, group, 40);
    strncat(path, name, 30);
    return path;
}

static void put_matrix(hid_t file, hid_t links, const char *group, Bytes *bytes)
{
    char path[80];
    put_ints(file, links, join(path, group, "/m"), 1, bytes);
    put_ints(file, links, join(path, group, "/n"), 1, bytes);
    put_ints(file, links, join(path, group, "/nz"), 1, bytes);
    put_ints(file, links, join(path, group, "/p"), take(bytes) % 64, bytes);
    put_ints(file, links, join(path, group, "/i"), take(bytes) % 64, bytes);
    put_reals(file, links, join(path, group, "/x"), take(bytes) % 64, bytes);
}

static void put_file(hid_t file, hid_t links, Bytes *bytes)
{
    static const char *const matrices[] = {"fclib_local/W",  "fclib_local/V",  "fclib_local/R",
                                           "fclib_global/M", "fclib_global/H", "fclib_global/G"};
    static const char *const vectors[] = {"fclib_local/vectors/q",  "fclib_local/vectors/mu",
                                          "fclib_local/vectors/s",  "fclib_global/vectors/f",
                                          "fclib_global/vectors/w", "fclib_global/vectors/mu",
                                          "fclib_global/vectors/b"};

    int which = take(bytes); // bits: local, global, the optional matrices
    if (which & 1) {
        put_ints(file, links, "fclib_local/spacedim", 1, bytes);
    }
    if (which & 2) {
        put_ints(file, links, "fclib_global/spacedim", 1, bytes);
    }
    for (int i = 0; i < 6; i++) {
        bool optional = i == 1 || i == 2 || i == 5;
        if ((which & (i < 3 ? 1 : 2)) && (!optional || (which & 4))) {
            put_matrix(file, links, matrices[i], bytes);
        }
    }
    for (int i = 0; i < 7; i++) {
        if (which & (i < 3 ? 1 : 2)) {
            put_reals(file, links, vectors[i], take(bytes) % 64, bytes);
        }
    }
}

static size_t make_image(Bytes *bytes, char *image, size_t room)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_fapl_core(access, 1 << 14, 0);
    H5Pset_create_intermediate_group(links, 1);
    hid_t file = H5Fcreate("fuzz", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    put_file(file, links, bytes);
    H5Fflush(file, H5F_SCOPE_LOCAL);
    ssize_t size = H5Fget_file_image(file, image, room);
    H5Fclose(file);
    H5Pclose(links);
    H5Pclose(access);
    return size > 0 ? (size_t)size : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char      image[1 << 18];
    TactContactFile *file = NULL;
    Bytes            bytes = {data, data + size};
    size_t           length = make_image(&bytes, image, sizeof image);
    if (tact_contact_read_memory("fuzz", image, length, &file) != TACT_OK) {
        require(file == NULL);
        require(tact_status_message()[0] != '\0');
        return 0;
    }
    require(tact_contact_check(&file->problem) == TACT_OK);
    tact_contact_file_destroy(file);
    return 0;
}

#else

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    (void)data;
    (void)size;
    return 0;
}

#endif
