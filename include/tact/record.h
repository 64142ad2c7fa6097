// Recordings: a run in a file (.tact), to be replayed, looked at and checked; and CSV.
//
// A recording holds how it was made, the model for drawing, and frames. States are stored exactly,
// so that a run can be checked against its recording; poses and contacts are for display, in single
// precision. Every block has a length and a checksum: a truncated or damaged file can be read up to
// the damage, which is reported. docs/guide/recordings.md has the layout byte by byte.
//
// The normal of a contact points from a to b; forces act on b, and their opposites on a.
#ifndef TACT_RECORD_H
#define TACT_RECORD_H

#include <stdbool.h>
#include <tact/base.h>
#include <tact/contact.h>
#include <tact/math.h>
#include <tact/model.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TACT_RECORD_VERSION = 1 };

// ---------------------------------------------------------------------------------------------
// Frames: the same for writing and for reading

typedef struct TactRecordContact {
    int              geom[2];       // a, b
    uint64_t         id;            // persists while the same features touch
    TactVec3         point;         // this and all below in single precision
    TactVec3         normal;        // from a to b
    TactVec3         tangent;       // the first; the second is normal x tangent
    double           depth;         // > 0: overlap, < 0: gap, m
    double           mu;            //
    double           force[3];      // on b along normal and tangents, N
    double           velocity[3];   // of b against a after the step, m/s
    double           friction_used; // |f_t| / (mu f_n)
    TactContactState state;         //
    double           mu_spin;       // against spinning, m; without this and the next, those after
    double           mu_roll;       // against rolling, m;    them are 0 as well
    double           moment[3];     // on b about normal and tangents, N m
    double           spin[3];       // of b against a about these, rad/s
} TactRecordContact;

/// Number of contact problems whose answer comes from this rung of the ladder, or from the method.
typedef struct TactRecordRung {
    char name[12]; // including the terminating 0
    int  count;
} TactRecordRung;

/// The state after a step, and results of the step. Frame 0 is the start: it has no contacts.
typedef struct TactRecordFrame {
    double   time; // s
    uint64_t step; // number of steps so far
    uint64_t hash; // of q and v
    double   kinetic, potential;
    double   error;                 // worst certified error of the step
    double   penetration;           // deepest contact at the start of the step, m
    double   loop_error;            // m or rad
    double   solve_time, step_time; // s
    int      islands, certified;    // contact problems, and how many of them are certified
    int      pivots, rows;          //

    const double            *q;       //                                          (nq)
    const double            *v;       //                                          (nv)
    const double            *ctrl;    //                                          (actuators)
    const double            *sensors; //                                          (sensor_size)
    const TactTransform     *poses;   // of all bodies, world frame               (bodies)
    int                      rung_count;
    TactRecordRung           rungs[TACT_CONTACT_MAX_RUNGS];
    int                      contact_count;
    const TactRecordContact *contacts; //                                         (contact_count)
} TactRecordFrame;

// ---------------------------------------------------------------------------------------------
// Writing

/// How a run was made.
typedef struct TactRecordRun {
    const char        *program; // and its version; written by the writer
    const char        *scene;   // file of the model, as it was named; "": made in code
    const char        *method;  // of contact problems
    const char        *cone;    //
    double             timestep;
    int                word_count;
    const char *const *words; // command line that repeats the run, without the program's name; 0
                              //   words: unknown                               (word_count)
} TactRecordRun;

typedef struct TactRecordConfig {
    double   flush;   // frames are written to the file at least this often, s of real time
    bool     sensors; // frames contain the values of the model's sensors
    uint32_t cookie;  // set by tact_record_config_default(); do not write
} TactRecordConfig;

TACT_API TactRecordConfig tact_record_config_default(void);

typedef struct TactRecordWriter TactRecordWriter;

/// Creates a file, replacing an existing one. The model must outlive the writer.
TACT_API TACT_NODISCARD TactStatus tact_record_writer_create(const char             *path,
                                                             const TactModel        *model,
                                                             const TactRecordRun    *run,
                                                             const TactRecordConfig *config,
                                                             TactRecordWriter      **writer);

/// Adds a frame. If it cannot be written, TACT_IO_ERROR with path, reason and how much of the run
/// the file holds; the file then ends with its last complete frame, and later frames are refused.
TACT_API TACT_NODISCARD TactStatus tact_record_writer_add(TactRecordWriter      *writer,
                                                          const TactRecordFrame *frame);

/// Writes the index and closes the file. Returns the first error that occurred on it, including
/// earlier ones.
TACT_API TACT_NODISCARD TactStatus tact_record_writer_destroy(TactRecordWriter *writer);

/// Bytes so far, and frames.
TACT_API uint64_t tact_record_writer_get_size(const TactRecordWriter *writer, int *frames);

// ---------------------------------------------------------------------------------------------
// Reading

typedef struct TactRecordBody {
    const char   *name;   // "": none
    int           parent; // -1 for the world
    bool          moves;  // false: same pose in every frame
    TactTransform pose;   // world frame, at the reference
} TactRecordBody;

typedef struct TactRecordGeom {
    const char   *name;
    TactGeomType  type; // shape and size as in model.h
    int           body;
    TactTransform pose; // in the body's frame
    double        size[3];
    int           mesh; // index of meshes, or of fields for a height field; -1: none
    double        rgba[4];
    int           group;
    bool          visual; // touches nothing
} TactRecordGeom;

typedef struct TactRecordMesh {
    const char     *name;
    int             vertex_count;
    int             triangle_count;
    const float    *vertices;  //                                            (vertex_count x 3)
    const uint32_t *triangles; //                                            (triangle_count x 3)
} TactRecordMesh;

typedef struct TactRecordField {
    const char  *name;
    int          rows, columns;
    double       half[2], top, base; // as in TactHeightField
    const float *height;             //                                      (rows x columns)
} TactRecordField;

typedef struct TactRecordSite {
    const char   *name;
    TactGeomType  type;
    int           body;
    TactTransform pose;
    double        size[3];
    double        rgba[4];
    int           group;
} TactRecordSite;

typedef struct TactRecordJoint {
    const char   *name;
    TactJointType type;
    int           body;
    int           q, dof;         // where its numbers stand in q and v
    TactVec3      position, axis; // in the body's frame
    bool          limited;
    double        range[2];
} TactRecordJoint;

typedef struct TactRecordActuator {
    const char *name;
    bool        limited;
    double      range[2]; // of its control
} TactRecordActuator;

typedef struct TactRecordSensor {
    const char    *name;
    TactSensorType type;
    int            address, size;
} TactRecordSensor;

/// The model in a recording: enough to draw it and to name its parts.
typedef struct TactRecordModel {
    const char               *name;
    uint64_t                  hash; // TactModel.hash
    TactVec3                  gravity;
    int                       nq, nv, sensor_size;
    int                       body_count;
    const TactRecordBody     *bodies;
    int                       joint_count;
    const TactRecordJoint    *joints;
    int                       geom_count;
    const TactRecordGeom     *geoms;
    int                       site_count;
    const TactRecordSite     *sites;
    int                       mesh_count;
    const TactRecordMesh     *meshes;
    int                       field_count;
    const TactRecordField    *fields;
    int                       actuator_count;
    const TactRecordActuator *actuators;
    int                       sensor_count;
    const TactRecordSensor   *sensors;
} TactRecordModel;

typedef struct TactRecording {
    int             version;
    TactRecordRun   run;
    TactRecordModel model;
    int             frame_count; // that can be read
    double          start, end;  // time of the first and of the last, s; 0 without frames
    uint64_t        size;        // bytes of the file
    bool            complete;    // false: truncated, or damaged after the last frame
    uint64_t        lost;        // bytes after that point, which cannot be read
    bool            indexed; // true: the index of the file was used; false: every block was read
} TactRecording;

/// Does the file begin like a recording? false also if it cannot be read.
TACT_API bool tact_recording_is_file(const char *path);

/// Opens a file, or bytes that must outlive the recording. A truncated file can be opened too: see
/// `complete`. TACT_BAD_INPUT if it is not a recording, of a later version, or truncated before the
/// first frame.
TACT_API TACT_NODISCARD TactStatus tact_recording_open(const char *path, TactRecording **recording);
TACT_API TACT_NODISCARD TactStatus tact_recording_open_memory(const char *name, const void *bytes,
                                                              size_t          size,
                                                              TactRecording **recording);
TACT_API void                      tact_recording_close(TactRecording *recording);

/// Frame i, 0 .. frame_count - 1; its arrays are lent until the next call. TACT_BAD_INPUT with the
/// frame's number if it is damaged.
TACT_API TACT_NODISCARD TactStatus tact_recording_read(TactRecording *recording, int i,
                                                       TactRecordFrame *frame);

/// The last frame at or before a time, or the first one; -1: no frames.
TACT_API int tact_recording_find(const TactRecording *recording, double time);

// ---------------------------------------------------------------------------------------------
// CSV: a header line, then a line for each frame or each contact. Numbers have 17 digits.

typedef struct TactRecordCsv TactRecordCsv;

typedef enum TactRecordCsvKind {
    TACT_RECORD_CSV_STATES, // step, time, q and v by joint, control, contacts, proof, energy, hash
    TACT_RECORD_CSV_CONTACTS, // step, time, geoms, point, normal, depth, force on b in the world,
                              // ...
} TactRecordCsvKind;

TACT_API const char               *tact_record_csv_kind_name(TactRecordCsvKind value);
TACT_API TACT_NODISCARD TactStatus tact_record_csv_kind_find(const char        *name,
                                                             TactRecordCsvKind *value);

/// The model must outlive the writer. Lines are not buffered.
TACT_API TACT_NODISCARD TactStatus tact_record_csv_create(const char *path, const TactModel *model,
                                                          TactRecordCsvKind kind,
                                                          TactRecordCsv   **csv);
TACT_API TACT_NODISCARD TactStatus tact_record_csv_add(TactRecordCsv         *csv,
                                                       const TactRecordFrame *frame);
/// Returns the first error that occurred on the file, including earlier ones.
TACT_API TACT_NODISCARD TactStatus tact_record_csv_destroy(TactRecordCsv *csv);

#ifdef __cplusplus
}
#endif
#endif
