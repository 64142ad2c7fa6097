#include "io/problem/contact_blocks.h"

#include <string.h>

#include "base/memory.h"
#include "base/status.h"

// ---------------------------------------------------------------------------------------------
// From a dense matrix

static bool has_block(const double *W, size_t n, size_t i, size_t j)
{
    for (size_t e = 0; e < 9; e++) {
        if (W[(3 * i + e / 3) * n + 3 * j + e % 3] != 0) {
            return true;
        }
    }
    return false;
}

/// The blocks of row i, as columns and values if these are not NULL; returns how many.
static size_t list_row(const TactContactParts *parts, size_t i, int *column, double *value)
{
    size_t        contacts = (size_t)parts->contact_count, n = 3 * contacts, count = 0;
    const double *W = parts->W;
    for (size_t j = 0; j < contacts; j++) {
        if (j != i && !has_block(W, n, i, j) && !has_block(W, n, j, i)) {
            continue;
        }
        if (column) {
            column[count] = (int)j;
            for (size_t e = 0; e < 9; e++) {
                value[9 * count + e] = W[(3 * i + e / 3) * n + 3 * j + e % 3];
            }
        }
        count++;
    }
    return count;
}

static TactStatus allocate_blocks(TactContactParts *parts, size_t count)
{
    TACT_TRY(tact_allocate(count, sizeof(int), (void **)&parts->block_column));
    return tact_allocate(9 * count, sizeof(double), (void **)&parts->block_value);
}

static bool is_plain(const TactContactParts *parts)
{
    for (int i = 0; i < parts->contact_count; i++) {
        const TactContact *contact = &parts->contacts[i];
        if (contact->mu_spin != 0 || contact->mu_roll != 0 || contact->mu2 != 0 ||
            contact->friction_law != TACT_FRICTION_LAW_SEPARATE) {
            return false;
        }
    }
    return true;
}

TactStatus tact_contact_find_blocks(TactContactParts *parts)
{
    size_t contacts = (size_t)parts->contact_count, count = 0;
    if (!parts->W || parts->block_start || !is_plain(parts)) {
        return TACT_OK;
    }
    TACT_TRY(tact_allocate(contacts + 1, sizeof(size_t), (void **)&parts->block_start));
    for (size_t i = 0; i < contacts; i++) {
        parts->block_start[i] = count;
        count += list_row(parts, i, NULL, NULL);
    }
    parts->block_start[contacts] = count;
    TACT_TRY(allocate_blocks(parts, count));
    for (size_t i = 0; i < contacts; i++) {
        size_t at = parts->block_start[i];
        list_row(parts, i, parts->block_column + at, parts->block_value + 9 * at);
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// From entries

/// Pairs of contacts, sorted by row and then by column.
typedef struct Pairs {
    size_t  count;
    int    *row, *column;             // (count)
    int    *other_row, *other_column; // scratch of the sort                            (count)
    size_t *next;                     // (contacts + 1)
} Pairs;

static void release_pairs(Pairs *pairs)
{
    tact_release(pairs->row);
    tact_release(pairs->column);
    tact_release(pairs->other_row);
    tact_release(pairs->other_column);
    tact_release(pairs->next);
}

static void add_pair(Pairs *pairs, int row, int column)
{
    // Entries of one block mostly follow each other.
    size_t last = pairs->count;
    if (last > 1 && pairs->row[last - 2] == row && pairs->column[last - 2] == column) {
        return;
    }
    pairs->row[last] = pairs->column[last + 1] = row;
    pairs->column[last] = pairs->row[last + 1] = column;
    pairs->count += 2;
}

static TactStatus list_pairs(const TactMatrix *matrix, int dimension, int contacts, Pairs *pairs)
{
    size_t room = 2 * (matrix->count + (size_t)contacts);
    if (matrix->dense) {
        room += 2 * (size_t)contacts * (size_t)contacts;
    }
    TACT_TRY(tact_allocate(room, sizeof(int), (void **)&pairs->row));
    TACT_TRY(tact_allocate(room, sizeof(int), (void **)&pairs->column));
    TACT_TRY(tact_allocate((size_t)contacts + 1, sizeof(size_t), (void **)&pairs->next));
    for (int i = 0; i < contacts; i++) {
        add_pair(pairs, i, i);
    }
    for (size_t k = 0; k < matrix->count; k++) {
        add_pair(pairs, matrix->entry[k].row / dimension, matrix->entry[k].column / dimension);
    }
    for (int i = 0; matrix->dense && i < contacts; i++) {
        for (int j = 0; j < contacts; j++) {
            add_pair(pairs, i, j);
        }
    }
    TACT_TRY(tact_allocate(pairs->count, sizeof(int), (void **)&pairs->other_row));
    return tact_allocate(pairs->count, sizeof(int), (void **)&pairs->other_column);
}

/// Stable, by key: into the other arrays, which take the place of these.
static void sort_pairs(Pairs *pairs, int contacts, bool by_row)
{
    const int *key = by_row ? pairs->row : pairs->column;
    memset(pairs->next, 0, ((size_t)contacts + 1) * sizeof(size_t));
    for (size_t k = 0; k < pairs->count; k++) {
        pairs->next[key[k] + 1]++;
    }
    for (int i = 0; i < contacts; i++) {
        pairs->next[i + 1] += pairs->next[i];
    }
    for (size_t k = 0; k < pairs->count; k++) {
        size_t at = pairs->next[key[k]]++;
        pairs->other_row[at] = pairs->row[k];
        pairs->other_column[at] = pairs->column[k];
    }
    int *row = pairs->row, *column = pairs->column;
    pairs->row = pairs->other_row;
    pairs->column = pairs->other_column;
    pairs->other_row = row;
    pairs->other_column = column;
}

static TactStatus make_pattern(Pairs *pairs, TactContactParts *parts)
{
    size_t kept = 0;
    for (size_t k = 0; k < pairs->count; k++) {
        if (k == 0 || pairs->row[k] != pairs->row[k - 1] ||
            pairs->column[k] != pairs->column[k - 1]) {
            pairs->other_row[kept] = pairs->row[k];
            pairs->other_column[kept++] = pairs->column[k];
        }
    }
    TACT_TRY(tact_allocate((size_t)parts->contact_count + 1, sizeof(size_t),
                           (void **)&parts->block_start));
    TACT_TRY(allocate_blocks(parts, kept));
    for (size_t k = 0; k < kept; k++) {
        parts->block_column[k] = pairs->other_column[k];
        parts->block_start[pairs->other_row[k] + 1]++;
    }
    for (int i = 0; i < parts->contact_count; i++) {
        parts->block_start[i + 1] += parts->block_start[i];
    }
    return TACT_OK;
}

static void add_entry(TactContactParts *parts, int dimension, const TactEntry *entry)
{
    int    j = entry->column / dimension;
    size_t low = parts->block_start[entry->row / dimension];
    size_t high = parts->block_start[entry->row / dimension + 1];
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (parts->block_column[middle] < j) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    parts->block_value[9 * low + (size_t)(3 * (entry->row % dimension)) +
                       (size_t)(entry->column % dimension)] += entry->value;
}

TactStatus tact_contact_take_blocks(const TactMatrix *matrix, int dimension,
                                    TactContactParts *parts)
{
    Pairs      pairs = {0};
    TactStatus status = list_pairs(matrix, dimension, parts->contact_count, &pairs);
    if (status == TACT_OK) {
        sort_pairs(&pairs, parts->contact_count, false);
        sort_pairs(&pairs, parts->contact_count, true);
        status = make_pattern(&pairs, parts);
    }
    release_pairs(&pairs);
    TACT_TRY(status);
    for (size_t k = 0; k < matrix->count; k++) {
        add_entry(parts, dimension, &matrix->entry[k]);
    }
    for (int i = 0; matrix->dense && i < matrix->rows; i++) {
        for (int j = 0; j < matrix->columns; j++) {
            double value = matrix->dense[(size_t)i * (size_t)matrix->columns + (size_t)j];
            add_entry(parts, dimension, &(TactEntry){i, j, value});
        }
    }
    return TACT_OK;
}
