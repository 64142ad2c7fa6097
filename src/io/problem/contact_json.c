#include "io/problem/contact_json.h"

#include "base/status.h"

#ifdef TACT_HAVE_JANSSON
#include <limits.h>
#include <string.h>

#include "base/memory.h"
#include "io/json/json.h"
#include "io/problem/contact_blocks.h"

/// What moves decides which fields a contact and a row must have.
typedef enum Form { BODIES = 1, MECHANISM = 2, DELASSUS = 4, EVERY_FORM = 7 } Form;

typedef enum FieldKind { REALS, INTEGER, ID } FieldKind;

/// One member of an object that becomes one member of a struct.
typedef struct Field {
    const char *key;
    FieldKind   kind;
    int         count;  // REALS: 1: a number, otherwise an array of so many
    unsigned    needed; // by these forms
    size_t      offset; // in the struct
} Field;

enum { MOST_FIELDS = 20 };

static const Field body_fields[] = {
    {"mass", REALS, 1, BODIES, offsetof(TactContactBody, mass)},
    {"inertia", REALS, 6, BODIES, offsetof(TactContactBody, inertia)},
    {"position", REALS, 3, BODIES, offsetof(TactContactBody, position)},
    {"velocity", REALS, 3, 0, offsetof(TactContactBody, velocity)},
    {"omega", REALS, 3, 0, offsetof(TactContactBody, omega)},
    {"force", REALS, 3, 0, offsetof(TactContactBody, force)},
    {"torque", REALS, 3, 0, offsetof(TactContactBody, torque)},
    {NULL, REALS, 0, 0, 0},
};

static const Field contact_fields[] = {
    {"a", INTEGER, 1, BODIES, offsetof(TactContact, a)},
    {"b", INTEGER, 1, BODIES, offsetof(TactContact, b)},
    {"point", REALS, 3, BODIES, offsetof(TactContact, point)},
    {"normal", REALS, 3, BODIES, offsetof(TactContact, normal)},
    {"tangent", REALS, 3, 0, offsetof(TactContact, tangent)},
    {"mu", REALS, 1, EVERY_FORM, offsetof(TactContact, mu)},
    {"directions", INTEGER, 1, 0, offsetof(TactContact, directions)},
    {"turn", REALS, 1, 0, offsetof(TactContact, turn)},
    {"restitution", REALS, 1, 0, offsetof(TactContact, restitution)},
    {"bias", REALS, 1, 0, offsetof(TactContact, bias)},
    {"surface", REALS, 2, 0, offsetof(TactContact, surface)},
    {"compliance", REALS, 1, 0, offsetof(TactContact, compliance)},
    {"id", ID, 1, 0, offsetof(TactContact, id)},
    {"mu_spin", REALS, 1, 0, offsetof(TactContact, mu_spin)},
    {"mu_roll", REALS, 1, 0, offsetof(TactContact, mu_roll)},
    {"mu2", REALS, 1, 0, offsetof(TactContact, mu2)},
    {NULL, REALS, 0, 0, 0},
};

static const Field row_fields[] = {
    {"a", INTEGER, 1, BODIES, offsetof(TactContactRow, a)},
    {"b", INTEGER, 1, BODIES, offsetof(TactContactRow, b)},
    {"J_a", REALS, 6, 0, offsetof(TactContactRow, J_a)},
    {"J_b", REALS, 6, 0, offsetof(TactContactRow, J_b)},
    {"target", REALS, 1, 0, offsetof(TactContactRow, target)},
    {"error", REALS, 1, 0, offsetof(TactContactRow, error)},
    {"zeta", REALS, 1, 0, offsetof(TactContactRow, zeta)},
    {"force_max", REALS, 1, 0, offsetof(TactContactRow, force_max)},
    {"id", ID, 1, 0, offsetof(TactContactRow, id)},
    {NULL, REALS, 0, 0, 0},
};

static TactStatus read_field(const TactJson *json, const Field *field, void *place)
{
    switch (field->kind) {
    case INTEGER: return tact_json_int(json, INT_MIN, INT_MAX, place);
    case ID: return tact_json_id(json, place);
    case REALS: break;
    }
    return field->count == 1 ? tact_json_real(json, place)
                             : tact_json_reals(json, field->count, place);
}

/// Members of an object into a struct; extra ends with NULL and names what is read elsewhere.
static TactStatus read_fields(const TactJson *object, const Field *fields, Form form,
                              const char *const *extra, void *target)
{
    const char *known[MOST_FIELDS + 1];
    int         count = 0;
    TACT_TRY(tact_json_is_object(object));
    for (; fields->key; fields++) {
        TactJson member = tact_json_member(object, fields->key);
        known[count++] = fields->key;
        if (member.value || (fields->needed & (unsigned)form)) {
            TACT_TRY(read_field(&member, fields, (char *)target + fields->offset));
        }
    }
    for (; *extra; extra++) {
        known[count++] = *extra;
    }
    known[count] = NULL;
    tact_json_note_unknown(object, known);
    return TACT_OK;
}

static TactStatus allocate_reals(double count, double **array)
{
    void *block;
    TACT_TRY(tact_allocate((size_t)count, sizeof(double), &block));
    *array = block;
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// What moves

static TactStatus read_bodies(const TactJson *root, TactContactParts *parts)
{
    static const char *const none[] = {NULL};

    TactJson bodies = tact_json_member(root, "bodies");
    void    *block;
    TACT_TRY(tact_json_is_array(&bodies, -1));
    parts->body_count = (int)json_array_size(bodies.value);
    TACT_TRY(tact_allocate((size_t)parts->body_count, sizeof(TactContactBody), &block));
    parts->bodies = block;
    for (int i = 0; i < parts->body_count; i++) {
        TactJson body = tact_json_element(&bodies, (size_t)i);
        TACT_TRY(read_fields(&body, body_fields, BODIES, none, &parts->bodies[i]));
    }
    return TACT_OK;
}

static TactStatus check_dense(const TactJson *json, int rows)
{
    if (rows > TACT_IO_MAX_DENSE) {
        return tact_json_fail(json, "has %d rows, which is too many (at most %d)", rows,
                              TACT_IO_MAX_DENSE);
    }
    return tact_json_holds(json, (double)rows * rows);
}

static TactStatus read_json_vector(const TactJson *root, const char *key, int count,
                                   double **vector)
{
    TactJson json = tact_json_member(root, key);
    TACT_TRY(tact_json_is_array(&json, count));
    TACT_TRY(allocate_reals(count, vector));
    return tact_json_reals(&json, count, *vector);
}

static TactStatus read_parent(const TactJson *root, TactContactParts *parts)
{
    TactJson json = tact_json_member(root, "parent");
    if (!json.value) {
        return TACT_OK;
    }
    void *block;
    TACT_TRY(tact_json_is_array(&json, parts->nv));
    TACT_TRY(tact_allocate((size_t)parts->nv, sizeof(int), &block));
    parts->parent = block;
    for (int i = 0; i < parts->nv; i++) {
        TactJson element = tact_json_element(&json, (size_t)i);
        TACT_TRY(tact_json_int(&element, -1, i - 1, &parts->parent[i]));
    }
    return TACT_OK;
}

static TactStatus read_mechanism(const TactJson *root, TactContactParts *parts)
{
    TactJson M = tact_json_member(root, "M");
    TACT_TRY(tact_json_is_array(&M, -1));
    int nv = (int)json_array_size(M.value);
    parts->nv = nv;
    TACT_TRY(check_dense(&M, nv));
    TACT_TRY(allocate_reals((double)nv * nv, &parts->M));
    TACT_TRY(tact_json_matrix(&M, nv, nv, parts->M));
    TACT_TRY(read_json_vector(root, "v", nv, &parts->v));
    TACT_TRY(read_json_vector(root, "tau", nv, &parts->tau));
    return read_parent(root, parts);
}

/// One block of W: its contacts and its entries.
static TactStatus read_json_block(const TactJson *block, int contacts, TactEntry entry[9])
{
    double values[11];
    TACT_TRY(tact_json_reals(block, 11, values));
    for (int k = 0; k < 2; k++) {
        TactJson element = tact_json_element(block, (size_t)k);
        int      contact;
        TACT_TRY(tact_json_int(&element, 0, contacts - 1, &contact));
    }
    for (int e = 0; e < 9; e++) {
        entry[e] =
            (TactEntry){3 * (int)values[0] + e / 3, 3 * (int)values[1] + e % 3, values[2 + e]};
    }
    return TACT_OK;
}

/// W by its blocks that are not 0, in any order.
static TactStatus read_blocks(const TactJson *root, TactContactParts *parts)
{
    TactJson   list = tact_json_member(root, "W_blocks");
    int        n = 3 * parts->contact_count;
    TactMatrix W = {0};
    TACT_TRY(tact_json_is_array(&list, -1));
    for (int i = 0; i < parts->contact_count; i++) {
        if (tact_contact_has_moments(&parts->contacts[i])) {
            return tact_json_fail(&list, "is not for contacts with mu_spin or mu_roll: give W");
        }
    }
    size_t count = json_array_size(list.value);
    TACT_TRY(tact_json_holds(&list, 11.0 * (double)count));
    TACT_TRY(tact_matrix_create_list(&W, n, n, 9 * count));
    TactStatus status = TACT_OK;
    for (size_t k = 0; k < count && status == TACT_OK; k++) {
        TactJson block = tact_json_element(&list, k);
        status = read_json_block(&block, parts->contact_count, W.entry + 9 * k);
    }
    W.count = 9 * count;
    if (status == TACT_OK) {
        status = tact_contact_take_blocks(&W, 3, parts);
    }
    tact_matrix_destroy(&W);
    TACT_TRY(status);
    return read_json_vector(root, "u_free", n, &parts->u_free);
}

static TactStatus read_delassus(const TactJson *root, TactContactParts *parts)
{
    if (tact_json_member(root, "W_blocks").value) {
        return read_blocks(root, parts);
    }
    TactJson W = tact_json_member(root, "W");
    int      n = 0;
    for (int i = 0; i < parts->contact_count; i++) {
        n += tact_contact_has_moments(&parts->contacts[i]) ? 6 : 3;
    }
    TACT_TRY(tact_json_is_array(&W, n));
    TACT_TRY(check_dense(&W, n));
    TACT_TRY(allocate_reals((double)n * n, &parts->W));
    TACT_TRY(tact_json_matrix(&W, n, n, parts->W));
    return read_json_vector(root, "u_free", n, &parts->u_free);
}

// ---------------------------------------------------------------------------------------------
// Contacts and rows

/// J of every contact or row, in one block; the shapes are checked against the file's length first.
static TactStatus allocate_jacobian(const TactJson *list, double rows, int nv, double **J)
{
    TACT_TRY(tact_json_holds(list, rows * nv));
    return allocate_reals(rows * nv, J);
}

/// The law of friction, and a mu2 that is no other word for 'none given'.
static TactStatus read_law(const TactJson *json, TactContact *contact)
{
    static const char *const words[] = {"separate", "ellipsoid", NULL};

    TactJson law = tact_json_member(json, "friction_law"), mu2 = tact_json_member(json, "mu2");
    int      which = 0;
    if (law.value) {
        TACT_TRY(tact_json_word(&law, words, &which));
        contact->friction_law = (TactFrictionLaw)which;
    }
    if (mu2.value && contact->mu2 == 0 && contact->mu != 0) {
        return tact_json_fail(&mu2,
                              "is 0 beside a mu of %g: give the tangent along which there is "
                              "no friction as tangent 1, with mu 0",
                              contact->mu);
    }
    return TACT_OK;
}

/// Rows of J that the contacts of the list have.
static double count_rows(const TactJson *list)
{
    double rows = 0;
    for (size_t i = 0; i < json_array_size(list->value); i++) {
        TactJson contact = tact_json_element(list, i), J = tact_json_member(&contact, "J");
        rows += json_is_array(J.value) && json_array_size(J.value) == 6 ? 6 : 3;
    }
    return rows;
}

static TactStatus read_contacts(const TactJson *root, Form form, TactContactParts *parts)
{
    static const char *const with_J[] = {"J", "friction_law", NULL};
    static const char *const none[] = {"friction_law", NULL};

    TactJson list = tact_json_member(root, "contacts");
    void    *block;
    TACT_TRY(tact_json_is_array(&list, -1));
    size_t count = json_array_size(list.value);
    if (count > INT_MAX / 3) {
        return tact_json_fail(&list, "has %zu elements, which is too many", count);
    }
    TACT_TRY(tact_allocate(count, sizeof(TactContact), &block));
    parts->contacts = block;
    parts->contact_count = (int)count;
    size_t used = 0; // of J
    if (form == MECHANISM) {
        TACT_TRY(allocate_jacobian(&list, count_rows(&list), parts->nv, &parts->J));
    }
    for (size_t i = 0; i < count; i++) {
        TactJson     json = tact_json_element(&list, i);
        TactContact *contact = &parts->contacts[i];
        contact->a = contact->b = -1;
        TACT_TRY(
            read_fields(&json, contact_fields, form, form == MECHANISM ? with_J : none, contact));
        TACT_TRY(read_law(&json, contact));
        if (form == MECHANISM) {
            TactJson J = tact_json_member(&json, "J");
            int      rows = tact_contact_has_moments(contact) ? 6 : 3;
            TACT_TRY(tact_json_is_array(&J, rows));
            TACT_TRY(tact_json_matrix(&J, rows, parts->nv, parts->J + used));
            contact->J = parts->J + used;
            used += (size_t)rows * (size_t)parts->nv;
        }
    }
    return TACT_OK;
}

static TactStatus read_kind(const TactJson *json, TactContactRowKind *kind)
{
    static const char *const words[] = {"bilateral", "unilateral", "motor", NULL};

    TactJson member = tact_json_member(json, "kind");
    int      which = 0;
    TACT_TRY(tact_json_word(&member, words, &which));
    *kind = (TactContactRowKind)which;
    return TACT_OK;
}

/// A row with bodies needs its part of J for each body that it has.
static TactStatus check_sides(const TactJson *json, const TactContactRow *row)
{
    TactJson J_a = tact_json_member(json, "J_a");
    TactJson J_b = tact_json_member(json, "J_b");
    if ((row->a >= 0 && !J_a.value) || (row->b >= 0 && !J_b.value)) {
        return tact_json_fail(row->a >= 0 && !J_a.value ? &J_a : &J_b, "is missing");
    }
    return TACT_OK;
}

static TactStatus read_row(const TactJson *json, Form form, TactContactParts *parts, size_t i)
{
    static const char *const known[] = {"kind", "J", NULL};
    static const char *const without_J[] = {"kind", NULL};

    TactContactRow *row = &parts->rows[i];
    row->a = row->b = -1;
    TACT_TRY(read_fields(json, row_fields, form, form == MECHANISM ? known : without_J, row));
    TACT_TRY(read_kind(json, &row->kind));
    if (row->kind == TACT_ROW_MOTOR && !tact_json_member(json, "force_max").value) {
        return tact_json_fail(json, "a motor needs force_max");
    }
    if (form == BODIES) {
        return check_sides(json, row);
    }
    TactJson J = tact_json_member(json, "J");
    double  *place = parts->row_J + i * (size_t)parts->nv;
    row->J = place;
    return tact_json_reals(&J, parts->nv, place);
}

static TactStatus read_rows(const TactJson *root, Form form, TactContactParts *parts)
{
    TactJson list = tact_json_member(root, "rows");
    if (!list.value) {
        return TACT_OK;
    }
    void *block;
    TACT_TRY(tact_json_is_array(&list, -1));
    size_t count = json_array_size(list.value);
    if (form == DELASSUS && count > 0) {
        return tact_json_fail(&list, "a problem given by W cannot have rows");
    }
    TACT_TRY(tact_allocate(count, sizeof(TactContactRow), &block));
    parts->rows = block;
    parts->row_count = (int)count;
    if (form == MECHANISM) {
        TACT_TRY(allocate_jacobian(&list, (double)count, parts->nv, &parts->row_J));
    }
    for (size_t i = 0; i < count; i++) {
        TactJson json = tact_json_element(&list, i);
        TACT_TRY(read_row(&json, form, parts, i));
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// The whole

static TactStatus read_title(const TactJson *root, TactContactParts *parts)
{
    TactJson name = tact_json_member(root, "name");
    if (!name.value) {
        return TACT_OK;
    }
    if (!json_is_string(name.value)) {
        return tact_json_fail(&name, "is not a string");
    }
    size_t length = json_string_length(name.value);
    void  *block;
    TACT_TRY(tact_allocate(length + 1, 1, &block));
    parts->title = block;
    memcpy(block, json_string_value(name.value), length);
    return TACT_OK;
}

static TactStatus read_head(const TactJson *root, TactContactParts *parts)
{
    static const char *const formats[] = {TACT_CONTACT_JSON_FORMAT, NULL};
    static const char *const levels[] = {"velocity", "acceleration", NULL};

    int      which = 0;
    TactJson format = tact_json_member(root, "format");
    TactJson step = tact_json_member(root, "step");
    TactJson level = tact_json_member(root, "level");
    TACT_TRY(tact_json_word(&format, formats, &which));
    if (level.value) {
        TACT_TRY(tact_json_word(&level, levels, &which));
        parts->level = which == 0 ? TACT_LEVEL_VELOCITY : TACT_LEVEL_ACCELERATION;
    }
    if (step.value || parts->level == TACT_LEVEL_VELOCITY) {
        TACT_TRY(tact_json_real(&step, &parts->step));
        if (!(parts->step > 0)) {
            return tact_json_fail(&step, "is %g, not positive", parts->step);
        }
    }
    return read_title(root, parts);
}

static TactStatus find_form(const TactJson *root, Form *form)
{
    bool bodies = tact_json_member(root, "bodies").value != NULL;
    bool mechanism = tact_json_member(root, "M").value != NULL;
    bool delassus = tact_json_member(root, "W").value != NULL;
    bool blocks = tact_json_member(root, "W_blocks").value != NULL;
    if (bodies + mechanism + delassus + blocks != 1) {
        return tact_json_fail(root, "needs exactly one of bodies, M and W (or W_blocks)");
    }
    *form = bodies ? BODIES : mechanism ? MECHANISM : DELASSUS;
    return TACT_OK;
}

static TactStatus read_root(const TactJson *root, TactContactParts *parts)
{
    static const char *const known[] = {"format", "name",     "step",   "level",    "bodies",
                                        "M",      "v",        "tau",    "W",        "rows",
                                        "parent", "contacts", "u_free", "W_blocks", NULL};

    Form form = BODIES;
    TACT_TRY(tact_json_is_object(root));
    tact_json_note_unknown(root, known);
    TACT_TRY(read_head(root, parts));
    TACT_TRY(find_form(root, &form));
    if (form == BODIES) {
        TACT_TRY(read_bodies(root, parts));
    } else if (form == MECHANISM) {
        TACT_TRY(read_mechanism(root, parts));
    }
    TACT_TRY(read_contacts(root, form, parts));
    if (form == DELASSUS) {
        TACT_TRY(read_delassus(root, parts));
    }
    parts->format = form == BODIES      ? "tact JSON, bodies"
                    : form == MECHANISM ? "tact JSON, mechanism"
                                        : "tact JSON, Delassus matrix";
    return read_rows(root, form, parts);
}

TactStatus tact_contact_json_read(TactText *text, TactContactParts *parts)
{
    TactJsonFile file;
    TACT_TRY(tact_json_open(&file, text));
    TactJson   root = tact_json_root(&file);
    TactStatus status = read_root(&root, parts);
    tact_json_close(&file);
    return status;
}

#else

TactStatus tact_contact_json_read(TactText *text, TactContactParts *parts)
{
    (void)parts;
    return tact_text_fail(text, TACT_UNSUPPORTED,
                          "a JSON file, and this tact was built without jansson");
}

#endif
