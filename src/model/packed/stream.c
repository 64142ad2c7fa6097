#include "model/packed/stream.h"

#include <limits.h>
#include <math.h>
#include <string.h>

void tact_pack_refuse(TactPack *pack, const char *what)
{
    pack->wrong = pack->wrong ? pack->wrong : what;
}

/// Up to eight bytes, least first.
static uint64_t move(TactPack *pack, uint64_t x, size_t count)
{
    uint64_t out = 0;
    if (pack->mode != TACT_PACK_MEASURE && count > pack->size - pack->at) {
        tact_pack_refuse(pack, "it ends too early");
        return 0;
    }
    for (size_t k = 0; k < count && pack->mode != TACT_PACK_MEASURE; k++) {
        unsigned char *byte = &pack->bytes[pack->at + k];
        if (pack->mode == TACT_PACK_WRITE) {
            *byte = (unsigned char)(x >> (8 * k));
        } else {
            out |= (uint64_t)*byte << (8 * k);
        }
    }
    pack->at += count;
    return out;
}

void tact_pack_u64(TactPack *pack, uint64_t *x)
{
    uint64_t read = move(pack, tact_pack_reads(pack) ? 0 : *x, 8);
    if (tact_pack_reads(pack)) {
        *x = read;
    }
}

void tact_pack_int(TactPack *pack, int *x)
{
    uint64_t read = move(pack, tact_pack_reads(pack) ? 0 : (uint32_t)*x, 4);
    if (tact_pack_reads(pack)) {
        *x = (int)(int32_t)(uint32_t)read;
    }
}

void tact_pack_bool(TactPack *pack, bool *x)
{
    int value = tact_pack_reads(pack) ? 0 : *x;
    tact_pack_int(pack, &value);
    if (value != 0 && value != 1) {
        tact_pack_refuse(pack, "a yes or no is neither");
    }
    if (tact_pack_reads(pack)) {
        *x = value == 1;
    }
}

void tact_pack_number(TactPack *pack, double *x)
{
    uint64_t bits = 0;
    if (!tact_pack_reads(pack)) {
        memcpy(&bits, x, sizeof bits);
    }
    tact_pack_u64(pack, &bits);
    if (tact_pack_reads(pack)) {
        memcpy(x, &bits, sizeof bits);
        if (isnan(*x)) {
            tact_pack_refuse(pack, "a number is NaN");
        }
    }
}

void tact_pack_numbers(TactPack *pack, double *x, size_t count)
{
    for (size_t k = 0; k < count && !pack->wrong; k++) {
        tact_pack_number(pack, &x[k]);
    }
}

void tact_pack_vec3(TactPack *pack, TactVec3 *x)
{
    tact_pack_number(pack, &x->x);
    tact_pack_number(pack, &x->y);
    tact_pack_number(pack, &x->z);
}

void tact_pack_pose(TactPack *pack, TactTransform *pose)
{
    tact_pack_number(pack, &pose->rotation.w);
    tact_pack_number(pack, &pose->rotation.x);
    tact_pack_number(pack, &pose->rotation.y);
    tact_pack_number(pack, &pose->rotation.z);
    tact_pack_vec3(pack, &pose->position);
}

void tact_pack_count(TactPack *pack, int *count)
{
    tact_pack_int(pack, count);
    if (*count < 0 || (tact_pack_reads(pack) && (size_t)*count > pack->size)) {
        tact_pack_refuse(pack, "a number of things is impossible");
        *count = 0; // only while reading: a model has no such numbers
    }
}

void *tact_pack_take(TactPack *pack, int count, size_t size)
{
    return tact_pack_reads(pack) ? tact_arena_take(&pack->arena, (size_t)count, size) : NULL;
}

void tact_pack_text(TactPack *pack, const char **text)
{
    int length = tact_pack_reads(pack) || !*text ? 0 : (int)strlen(*text);
    tact_pack_count(pack, &length);
    if (length > 0 && tact_pack_reads(pack) && (size_t)length > pack->size - pack->at) {
        tact_pack_refuse(pack, "a text ends too early");
    }
    if (tact_pack_reads(pack)) {
        *text = "";
    }
    if (length == 0 || pack->wrong) {
        return;
    }
    char *copy = tact_pack_take(pack, length + 1, 1);
    if (pack->mode == TACT_PACK_WRITE) {
        memcpy(pack->bytes + pack->at, *text, (size_t)length);
    } else if (copy) {
        memcpy(copy, pack->bytes + pack->at, (size_t)length);
        copy[length] = 0;
        *text = copy;
    }
    if (tact_pack_reads(pack) && memchr(pack->bytes + pack->at, 0, (size_t)length)) {
        tact_pack_refuse(pack, "a text has a 0 in it");
    }
    pack->at += (size_t)length;
}

void tact_pack_array(TactPack *pack, const double **x, size_t count)
{
    double *own = (double *)*x, room;
    if (tact_pack_reads(pack)) {
        own = tact_arena_take(&pack->arena, count, sizeof(double));
        *x = own;
    }
    for (size_t k = 0; k < count && !pack->wrong; k++) {
        tact_pack_number(pack, pack->mode == TACT_PACK_COUNT ? &room : &own[k]);
    }
}

void *tact_pack_thing(const TactPack *pack, const void *array, size_t i, size_t size, void *room)
{
    return pack->mode == TACT_PACK_COUNT ? room : (char *)array + i * size;
}

uint64_t tact_pack_sum(const unsigned char *bytes, size_t size)
{
    uint64_t sum = 14695981039346656037u;
    for (size_t k = 0; k < size; k++) {
        sum = (sum ^ bytes[k]) * 1099511628211u;
    }
    return sum;
}
