// Recordings: a run in a file (.tact), to be replayed, looked at and checked; and CSV.
//
// A recording holds how it was made, what there is to draw, and frames: states bit for bit, so that
// a recording proves its run, and what is only looked at (poses, contacts) in single precision.
// Every block has a length and a checksum: a file that was cut off, or damaged, can be read up to
// there, and says so. docs/guide/recordings.md has the layout byte by byte.
//
// A contact between a and b has its normal from a to b; forces are those on b, minus them act on a.
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
    uint64_t         id;            // the same from step to step while the features are
    TactVec3         point;         // from here on in single precision
    TactVec3         normal;        // from a to b
    TactVec3         tangent;       // the first; the second is normal x tangent
    double           depth;         // > 0: overlap, < 0: gap, m
    double           mu;            //
    double           force[3];      // on b along normal and tangents, N
    double           velocity[3];   // of b against a after the step, m/s
    double           friction_used; // |f_t| / (mu f_n)
    TactContactState state;         //
} TactRecordContact;

/// How many contact problems a rung of the ladder, or the method itself, answered last.
typedef struct TactRecordRung {
    char name[12]; // with its zero
    int  count;
} TactRecordRung;

/// The state after a step, and what the step found. Frame 0 is the start: it has no contacts.
typedef struct TactRecordFrame {
    double   time; // s
    uint64_t step; // how many were made
    uint64_t hash; // of q and v
    double   kinetic, potential;
    double   error;                 // worst certified error of the step
    double   penetration;           // deepest contact at the start of the step, m
    double   loop_error;            // m or rad
    double   solve_time, step_time; // s
    int      islands, certified;    // contact problems; how many of them are proven
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
    const char *const *words; // of the command line that makes the run again, without the program;
                              //   none: there is no such line                  (word_count)
} TactRecordRun;

typedef struct TactRecordConfig {
    double   flush;   // s of real time after which frames are handed to the system at the latest
    bool     sensors; // frames have values of the model's sensors
    uint32_t cookie;  // set by tact_record_config_default(); do not write
} TactRecordConfig;

TACT_API TactRecordConfig tact_record_config_default(void);

typedef struct TactRecordWriter TactRecordWriter;

/// Begins a file; one that is there is replaced. The model must outlive the writer.
TACT_API TACT_NODISCARD TactStatus tact_record_writer_create(const char             *path,
                                                             const TactModel        *model,
                                                             const TactRecordRun    *run,
                                                             const TactRecordConfig *config,
                                                             TactRecordWriter      **writer);

/// Adds a frame. TACT_IO_ERROR with path, reason and how much of the run the file holds, if it
/// cannot be written: the file then ends with its last whole frame, and nothing is added any more.
TACT_API TACT_NODISCARD TactStatus tact_record_writer_add(TactRecordWriter      *writer,
                                                          const TactRecordFrame *frame);

/// Writes the index and closes. Returns what went wrong with the file first, be it earlier.
TACT_API TACT_NODISCARD TactStatus tact_record_writer_destroy(TactRecordWriter *writer);

/// Bytes so far, and frames.
TACT_API uint64_t tact_record_writer_get_size(const TactRecordWriter *writer, int *frames);

// ---------------------------------------------------------------------------------------------
// Reading

typedef struct TactRecordBody {
    const char   *name;   // "" if it has none
    int           parent; // -1 for the world
    bool          moves;  // false: it has the same pose in every frame
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

/// What a recording says of its model: enough to draw it and to name everything.
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
    bool            complete;    // false: it was cut off or is damaged behind the last frame
    uint64_t        lost;        // bytes that cannot be read, then
    bool            indexed;     // by its own index; false: by looking at every block
} TactRecording;

/// Does the file begin as a recording does? false too if it cannot be read.
TACT_API bool tact_recording_is_file(const char *path);

/// Opens a file, or bytes that must outlive the recording. A file that was cut off is opened too:
/// see `complete`. TACT_BAD_INPUT if it is no recording, of a later version, or cut off before the
/// frames begin.
TACT_API TACT_NODISCARD TactStatus tact_recording_open(const char *path, TactRecording **recording);
TACT_API TACT_NODISCARD TactStatus tact_recording_open_memory(const char *name, const void *bytes,
                                                              size_t          size,
                                                              TactRecording **recording);
TACT_API void                      tact_recording_close(TactRecording *recording);

/// Frame i, 0 .. frame_count - 1; its arrays are lent until the next call. TACT_BAD_INPUT with the
/// frame's number if it is damaged.
TACT_API TACT_NODISCARD TactStatus tact_recording_read(TactRecording *recording, int i,
                                                       TactRecordFrame *frame);

/// The last frame at or before a time, or the first one; -1: there are no frames.
TACT_API int tact_recording_find(const TactRecording *recording, double time);

// ---------------------------------------------------------------------------------------------
// CSV: one line a frame, or one a contact, with a head line. Numbers have 17 digits.

typedef struct TactRecordCsv TactRecordCsv;

typedef enum TactRecordCsvKind {
    TACT_RECORD_CSV_STATES, // step, time, q and v by joint, control, contacts, proof, energy, hash
    TACT_RECORD_CSV_CONTACTS, // step, time, geoms, point, normal, depth, force on b in the world,
                              // ...
} TactRecordCsvKind;

TACT_API const char               *tact_record_csv_kind_name(TactRecordCsvKind value);
TACT_API TACT_NODISCARD TactStatus tact_record_csv_kind_find(const char        *name,
                                                             TactRecordCsvKind *value);

/// The model must outlive it. Lines are written as they come.
TACT_API TACT_NODISCARD TactStatus tact_record_csv_create(const char *path, const TactModel *model,
                                                          TactRecordCsvKind kind,
                                                          TactRecordCsv   **csv);
TACT_API TACT_NODISCARD TactStatus tact_record_csv_add(TactRecordCsv         *csv,
                                                       const TactRecordFrame *frame);
/// Returns what went wrong with the file first, be it earlier.
TACT_API TACT_NODISCARD TactStatus tact_record_csv_destroy(TactRecordCsv *csv);

#ifdef __cplusplus
}
#endif
#endif
