// The extension module tact._tact: what its files share. Limited API of CPython 3.11, public
// headers of tact, and nothing else.
#ifndef TACT_PYTHON_COMMON_H
#define TACT_PYTHON_COMMON_H

#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030b0000
#endif
#include <Python.h>
#include <stdbool.h>
#include <tact/tact.h>

// ---------------------------------------------------------------------------------------------
// Errors (errors.c)

/// Makes the exceptions and adds them to the module.
int tact_py_errors_add(PyObject *module);
/// Raises the exception of a status with the library's message, and returns NULL. Keeps one that is
/// raised already.
PyObject *tact_py_raise(TactStatus status);
/// The same as -1.
int tact_py_fail(TactStatus status);

// ---------------------------------------------------------------------------------------------
// Fields of open structs, by tables (fields.c)

typedef enum TactPyKind {
    TACT_PY_INT,
    TACT_PY_BOOL,
    TACT_PY_DOUBLE,
    TACT_PY_U64,
    TACT_PY_TEXT, // const char *
    TACT_PY_ENUM, // by the names that `name` gives
    TACT_PY_STRUCT,
} TactPyKind;

typedef struct TactPyTable TactPyTable;

typedef struct TactPyField {
    const char *name;
    TactPyKind  kind;
    size_t      offset;
    int         count;                                // 1, or of an array: a tuple
    const char *(*word)(int value);                   // of an enum
    TactStatus (*find)(const char *word, int *value); // of an enum that can be set
    const TactPyTable *table;                         // of a struct
} TactPyField;

struct TactPyTable {
    const char        *name; // "tact.Body"
    const TactPyField *fields;
    int                count;
};

#define TACT_PY_TABLE(array) (int)(sizeof(array) / sizeof *(array))

/// As a dict.
PyObject *tact_py_to_dict(const TactPyTable *table, const void *object);
/// An array of structs as a list of dicts.
PyObject *tact_py_list_of(const void *array, int count, size_t size, const TactPyTable *table);
/// One field.
PyObject *tact_py_get_field(const TactPyField *field, const void *object);
/// Sets the fields that a dict has; TypeError with all names if it has another one. what: for
/// messages.
int tact_py_from_dict(const TactPyTable *table, PyObject *dict, void *object, const char *what);

extern const TactPyTable tact_py_body_table, tact_py_joint_table, tact_py_geom_table;
extern const TactPyTable tact_py_site_table, tact_py_actuator_table, tact_py_sensor_table;
extern const TactPyTable tact_py_tendon_table, tact_py_equality_table, tact_py_keyframe_table;
extern const TactPyTable tact_py_options_table, tact_py_note_table, tact_py_pair_table;
extern const TactPyTable tact_py_sim_config_table, tact_py_sim_report_table;
extern const TactPyTable tact_py_patch_table, tact_py_energy_table, tact_py_sharing_table;
extern const TactPyTable tact_py_lcp_config_table, tact_py_lcp_report_table;
extern const TactPyTable tact_py_lcp_certificate_table;
extern const TactPyTable tact_py_contact_body_table, tact_py_contact_table, tact_py_row_table;
extern const TactPyTable tact_py_contact_config_table, tact_py_contact_report_table;
extern const TactPyTable tact_py_certificate_table, tact_py_diagnosis_table;
extern const TactPyTable tact_py_rung_table, tact_py_proof_table, tact_py_range_table;
extern const TactPyTable tact_py_rollout_world_table;

// ---------------------------------------------------------------------------------------------
// Memory that Python sees (block.c)

/// Numbers of an argument: contiguous, of type double (or int32). Raises ValueError with `what` if
/// it has another size; count < 0: any. NULL for None. The view keeps it alive.
typedef struct TactPyArray {
    Py_buffer  view;
    bool       held;
    double    *numbers;
    int       *ints;
    Py_ssize_t count;
} TactPyArray;

int  tact_py_get_doubles(PyObject *object, const char *what, Py_ssize_t count, TactPyArray *array);
int  tact_py_get_ints(PyObject *object, const char *what, Py_ssize_t count, TactPyArray *array);
void tact_py_release(TactPyArray *array);

/// A block of numbers that somebody owns: shape (rows x columns), or (rows) if columns is 0.
PyObject *tact_py_block_lend(PyObject *owner, void *data, Py_ssize_t rows, Py_ssize_t columns,
                             bool readonly);
/// Memory of its own, zeroed: rows x columns doubles; where to write is put into data.
PyObject *tact_py_block_new(Py_ssize_t rows, Py_ssize_t columns, double **data);
/// Bytes of its own.
PyObject *tact_py_block_bytes(Py_ssize_t size, void **data);
int       tact_py_block_add(PyObject *module);

// ---------------------------------------------------------------------------------------------
// Objects

typedef struct TactPyModel {
    PyObject_HEAD TactModel *model;
    TactModelNotes          *notes;
} TactPyModel;

/// Of a model object; NULL and an exception if it is none.
TactModel *tact_py_model_of(PyObject *object);
/// Kind by its name: "body", "geom", ...; -1 and an exception.
int tact_py_find_kind(const char *name);

int tact_py_model_add(PyObject *module);
int tact_py_sim_add(PyObject *module);
int tact_py_dynamics_add(PyObject *module);
int tact_py_lcp_add(PyObject *module);
int tact_py_problem_add(PyObject *module);
int tact_py_solver_add(PyObject *module);
int tact_py_batch_add(PyObject *module);
int tact_py_worlds_add(PyObject *module);
int tact_py_sweep_add(PyObject *module);

/// Methods that the module itself has.
extern PyMethodDef tact_py_lcp_methods[], tact_py_contact_methods[], tact_py_batch_methods[];
extern PyMethodDef tact_py_sweep_methods[];

/// Makes a heap type of the module and adds it under the last part of its name.
PyObject *tact_py_add_type(PyObject *module, PyType_Spec *spec);
/// NULL, or an interrupt (Ctrl-C) as an exception: asks at most every 50 ms. Without the GIL.
typedef struct TactPyWatch {
    double         next; // tact_time_now() of the next question
    PyThreadState *saved;
} TactPyWatch;
void       tact_py_watch_begin(TactPyWatch *watch); // gives the GIL away
TactStatus tact_py_watch_ask(void *watch);
void       tact_py_watch_end(TactPyWatch *watch); // takes it back

#endif
