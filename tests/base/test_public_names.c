// Names of the values of every public enum, both ways. That no enum is missing here is for
// tests/tools/test_public_names.sh to say.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <tact/tact.h>

/// Every value has a name of its own, by which it is found; no name is longer than a line of a
/// table bears, and what is not a value is "unknown".
#define CHECK(Type, noun, count)                                                        \
    do {                                                                                \
        for (int i = 0; i < (int)(count); i++) {                                        \
            const char *name = tact_##noun##_name((Type)i);                             \
            Type        found;                                                          \
            assert_string_not_equal(name, "unknown");                                   \
            assert_in_range(strlen(name), 1, 30);                                       \
            assert_int_equal(tact_##noun##_find(name, &found), TACT_OK);                \
            assert_int_equal((int)found, i);                                            \
            assert_int_equal(tact_##noun##_find(name, NULL), TACT_BAD_ARGUMENT);        \
        }                                                                               \
        Type none = (Type)0;                                                            \
        assert_string_equal(tact_##noun##_name((Type)(count)), "unknown");              \
        assert_string_equal(tact_##noun##_name((Type)-1), "unknown");                   \
        assert_int_equal(tact_##noun##_find("no such word", &none), TACT_BAD_ARGUMENT); \
        assert_non_null(strstr(tact_status_message(), tact_##noun##_name((Type)0)));    \
        assert_int_equal(tact_##noun##_find(NULL, &none), TACT_BAD_ARGUMENT);           \
        assert_int_equal((int)none, 0);                                                 \
    } while (0)

static void every_value_is_found_by_its_name(void **state)
{
    (void)state;
    CHECK(TactStatus, status, TACT_IO_ERROR + 1);
    CHECK(TactLogLevel, log_level, TACT_LOG_LEVEL_WARNING + 1);
    CHECK(TactShapeType, shape_type, TACT_SHAPE_TYPE_COUNT);
    CHECK(TactContactRowKind, contact_row_kind, TACT_ROW_MOTOR + 1);
    CHECK(TactContactLevel, contact_level, TACT_LEVEL_ACCELERATION + 1);
    CHECK(TactContactCone, contact_cone, TACT_CONE_BOX + 1);
    CHECK(TactFrictionLaw, friction_law, TACT_FRICTION_LAW_ELLIPSOID + 1);
    CHECK(TactContactLaw, contact_law, TACT_LAW_WORK + 1);
    CHECK(TactContactState, contact_state, TACT_STATE_SLIDE + 1);
    CHECK(TactContactShare, contact_share, TACT_SHARE_LEAST + 1);
    CHECK(TactContactSharingOutcome, contact_sharing_outcome, TACT_SHARING_OUTCOME_KEPT + 1);
    CHECK(TactContactMethod, contact_method, TACT_METHOD_COUNT);
    CHECK(TactContactStart, contact_start, TACT_START_FRICTIONLESS + 1);
    CHECK(TactContactFallback, contact_fallback, TACT_FALLBACK_FRICTIONLESS + 1);
    CHECK(TactContactForm, contact_form, TACT_FORM_SCALED + 1);
    CHECK(TactContactOutcome, contact_outcome, TACT_OUTCOME_UNBOUNDED + 1);
    CHECK(TactLcpKind, lcp_kind, TACT_LCP_KIND_MLCP + 1);
    CHECK(TactLcpMethod, lcp_method, TACT_LCP_METHOD_COUNT);
    CHECK(TactLcpStorage, lcp_storage, TACT_LCP_STORAGE_SPARSE + 1);
    CHECK(TactLcpOutcome, lcp_outcome, TACT_LCP_OUTCOME_SINGULAR + 1);
    CHECK(TactLcpState, lcp_state, TACT_LCP_STATE_AT_HI + 1);
    CHECK(TactVerdict, verdict, TACT_VERDICT_IGNORED + 1);
    CHECK(TactMeshInertia, mesh_inertia, TACT_MESH_INERTIA_CLOSED + 1);
    CHECK(TactJointType, joint_type, TACT_JOINT_SLIDE + 1);
    CHECK(TactGeomType, geom_type, TACT_GEOM_TYPE_COUNT);
    CHECK(TactTransmission, transmission, TACT_TRANSMISSION_INPUT + 1);
    CHECK(TactActivation, activation, TACT_ACTIVATION_MUSCLE + 1);
    CHECK(TactDelayInterpolation, delay_interpolation, TACT_DELAY_INTERPOLATION_CUBIC + 1);
    CHECK(TactMotorInput, motor_input, TACT_MOTOR_INPUT_FORCE + 1);
    CHECK(TactTendonPartType, tendon_part_type, TACT_TENDON_PART_PULLEY + 1);
    CHECK(TactEqualityType, equality_type, TACT_EQUALITY_TENDON + 1);
    CHECK(TactObject, object, TACT_OBJECT_COUNT);
    CHECK(TactSensorType, sensor_type, TACT_SENSOR_TYPE_COUNT);
    CHECK(TactContactReduce, contact_reduce, TACT_REDUCE_NET_FORCE + 1);
    CHECK(TactIntegrator, integrator, TACT_INTEGRATOR_RK4 + 1);
    CHECK(TactInertiaRule, inertia_rule, TACT_INERTIA_RULE_AS_STATED + 1);
    CHECK(TactProofKind, proof_kind, TACT_PROOF_KIND_INTERVAL + 1);
    CHECK(TactProofPart, proof_part, TACT_PROOF_PART_COUNT);
    CHECK(TactRecordCsvKind, record_csv_kind, TACT_RECORD_CSV_CONTACTS + 1);
    CHECK(TactRestitutionLaw, restitution_law, TACT_RESTITUTION_LAW_SEQUENTIAL + 1);
    CHECK(TactInterpolation, interpolation, TACT_INTERPOLATION_CUBIC + 1);
    CHECK(TactSimLoad, sim_load, TACT_SIM_LOAD_COUNT);
    CHECK(TactPictureMarkKind, picture_mark_kind, TACT_PICTURE_MARK_CONE + 1);
    CHECK(TactStepLaw, step_law, TACT_STEP_LAW_COUNT);
    CHECK(TactStepCheck, step_check, TACT_STEP_CHECK_RISE + 1);
    CHECK(TactDevice, device, TACT_DEVICE_CUDA + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_value_is_found_by_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
