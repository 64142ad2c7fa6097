// Parameters: the numbers of a model that can be set without compiling it again.
//
// A parameter has a path: what it belongs to, its name, and which number it is.
//
//     gravity                    m/s^2                           3 numbers
//     body/cube/mass             kg
//     geom/finger/friction       coefficient of sliding friction
//     joint/hip/damping          N m s/rad or N s/m
//     actuator/knee/kp           N m/rad or N/m
//
// An object without a name is identified by its index: geom/3/friction. tact_parameter_table()
// lists all of them. They are set in a copy of a model, or in a running simulation (sim.h):
//
//     TactModel *heavy = NULL;
//     tact_model_copy(model, &heavy);
//     tact_model_set(heavy, "body/cube/mass", (double[]){2.5}, 1);
#ifndef TACT_PARAMETER_H
#define TACT_PARAMETER_H

#include <tact/base.h>
#include <tact/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Most numbers that one parameter has.
enum { TACT_PARAMETER_MOST = 6 };

/// A line of the table.
typedef struct TactParameter {
    const char *kind;  // "body", "geom", "joint", "tendon", "actuator", "pair"; "": of the model
    const char *field; // "mass"
    int         count; // numbers that it has
    const char *unit;  //
    const char *about; // description in one line
} TactParameter;

TACT_API const TactParameter *tact_parameter_table(int *count);

/// A copy whose parameters can be set; everything else is shared with the model, which must outlive
/// the copy. Destroy it like any model.
TACT_API TACT_NODISCARD TactStatus tact_model_copy(const TactModel *model, TactModel **copy);

/// Resolves a path to a line of the table and an object (0 for parameters of the model itself).
/// TACT_BAD_ARGUMENT, with the possible names in the message, if it does not exist.
TACT_API TACT_NODISCARD TactStatus tact_parameter_find(const TactModel *model, const char *path,
                                                       const TactParameter **parameter, int *index);

/// count: as the table says.                                                          (count)
TACT_API TACT_NODISCARD TactStatus tact_model_get(const TactModel *model, const char *path,
                                                  double *values, int count);

/// Sets a parameter of a copy. A mass takes the rotational inertia with it, as if the body became
/// denser. Setting the value of the original restores its bits, hash included.
/// TACT_BAD_ARGUMENT if the model is not a copy, or the parameter does not exist; TACT_BAD_INPUT if
/// the values are invalid.                                                            (count)
TACT_API TACT_NODISCARD TactStatus tact_model_set(TactModel *copy, const char *path,
                                                  const double *values, int count);

#ifdef __cplusplus
}
#endif
#endif
