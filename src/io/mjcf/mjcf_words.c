// The table of words.
#include "io/mjcf/mjcf_words.h"

// Elements in the order of the format's reference; attributes that are not plain below each.
#define ELEMENT(word, where, ...)                       \
    {                                                   \
        .name = (word), .parents = (where), __VA_ARGS__ \
    }
#define IGNORED_LOOKS(why) .verdict = TACT_VERDICT_IGNORED, .physics = false, .text = (why)
#define IGNORED_PHYSICS(why) .verdict = TACT_VERDICT_IGNORED, .physics = true, .text = (why)
#define LOOKS(word, why)                   \
    {                                      \
        .name = (word), IGNORED_LOOKS(why) \
    }
#define IGNORED(word, fine, why)                                 \
    {                                                            \
        .name = (word), .harmless = (fine), IGNORED_PHYSICS(why) \
    }
#define NEARLY(word, fine, why)                                                                    \
    {                                                                                              \
        .name = (word), .harmless = (fine), .verdict = TACT_VERDICT_APPROXIMATED, .physics = true, \
        .text = (why)                                                                              \
    }

#define IN_BODY "worldbody body frame replicate"
#define ORIENTATION "pos quat axisangle xyaxes zaxis euler"

#define RIGID_CONTACT "contacts are rigid: they have no softness"
#define RIGID_LIMIT "limits are rigid: they have no softness"
#define RIGID_FRICTION "dry friction is exact: it has no softness"
#define RIGID_EQUALITY "the constraint is rigid: it has no softness"
#define NO_USER "user data have no meaning in the engine"
#define NO_DELAY "there are no delays: values are those of the step"
#define NO_SOLVER "every contact problem is solved to a proof, not to a number of iterations"
#define NO_PLUGIN "there are no such plugins"
#define KNOWN_PLUGIN .known = true
#define NO_FLEX "bodies are rigid: deformable ones are outside of tact"
#define NO_SENSOR "the model has no such sensor"
#define NO_DRAWING "drawing only"

static const TactMjcfWord words[] = {
    ELEMENT("mujoco", "", .plain = "model"),
    ELEMENT("include", "*", .plain = "file"),

    ELEMENT("compiler", "mujoco",
            .plain = "autolimits boundmass boundinertia settotalmass balanceinertia strippath "
                     "coordinate angle eulerseq meshdir texturedir assetdir inertiafromgeom "
                     "inertiagrouprange exactmeshinertia fitaabb"),
    LOOKS("discardvisual", "visual geoms are kept; they touch nothing"),
    LOOKS("usethread", "how the file is compiled"),
    LOOKS("fusestatic", "fixed bodies are kept by name; the motion is the same"),
    LOOKS("saveinertial", "files are not written"),
    IGNORED("alignfree", "false", "frames of free bodies stay where the file puts them"),
    LOOKS("conflict", "options of models that are attached have no effect"),
    IGNORED("convexhull", "true", "meshes touch by their hulls"),
    ELEMENT("lengthrange", "compiler",
            .plain = "mode useexisting uselimit accel maxforce timeconst timestep inttotal "
                     "interval inteval tolrange",
            IGNORED_LOOKS("ranges of muscles are found by the joints' limits")),

    ELEMENT("option", "mujoco",
            .plain = "timestep gravity actuatorgroupdisable integrator wind density viscosity "
                     "magnetic o_margin o_friction collision"),
    NEARLY("cone", "elliptic", "friction is on the circular cone unless a pyramid is asked for"),
    IGNORED("impratio", "1", "friction is exact: there is no softness to be weighed"),
    LOOKS("apirate", "for other programs"),
    IGNORED("o_solref", NULL, RIGID_CONTACT),
    IGNORED("o_solimp", NULL, RIGID_CONTACT),
    IGNORED("noslip_iterations", "0", "friction is exact: there is no softness to be corrected"),
    LOOKS("noslip_tolerance", NO_SOLVER),
    LOOKS("solver", NO_SOLVER),
    LOOKS("iterations", NO_SOLVER),
    LOOKS("ls_iterations", NO_SOLVER),
    LOOKS("tolerance", NO_SOLVER),
    LOOKS("ls_tolerance", NO_SOLVER),
    LOOKS("jacobian", NO_SOLVER),
    LOOKS("ccd_iterations", "contacts are found by tact's own geometry"),
    LOOKS("ccd_tolerance", "contacts are found by tact's own geometry"),
    LOOKS("mpr_iterations", "contacts are found by tact's own geometry"),
    LOOKS("mpr_tolerance", "contacts are found by tact's own geometry"),
    LOOKS("sdf_iterations", "there are no distance fields"),
    LOOKS("sdf_initpoints", "there are no distance fields"),
    LOOKS("sleep_tolerance", "sleeping is asked for by --sleep"),
    ELEMENT("flag", "option",
            .plain = "constraint equality frictionloss limit contact gravity filterparent "
                     "actuation passive spring damper clampctrl override"),
    LOOKS("eulerdamp", "how the step is made: dampers are always taken at its end"),
    LOOKS("warmstart", NO_SOLVER),
    LOOKS("refsafe", RIGID_CONTACT),
    LOOKS("sensor", "sensors are always there"),
    LOOKS("midphase", "contacts are found by tact's own geometry"),
    LOOKS("nativeccd", "contacts are found by tact's own geometry"),
    LOOKS("multiccd", "contacts are found by tact's own geometry"),
    LOOKS("autoreset", "a run that goes wrong says so"),
    LOOKS("island", "islands are always solved one by one"),
    LOOKS("energy", "for read-outs"),
    LOOKS("fwdinv", "for read-outs"),
    LOOKS("invdiscrete", "for inverse dynamics"),
    LOOKS("sleep", "sleeping is asked for by --sleep"),
    LOOKS("diagexact", NO_SOLVER),
    IGNORED("ipc", "disable", RIGID_CONTACT),

    ELEMENT("size", "mujoco",
            .plain = "memory njmax nconmax nstack nuserdata nkey nuser_body nuser_jnt nuser_geom "
                     "nuser_site nuser_cam nuser_tendon nuser_actuator nuser_sensor",
            IGNORED_LOOKS("memory is taken as it is needed")),
    ELEMENT("statistic", "mujoco", .plain = "meaninertia meanmass meansize extent center",
            IGNORED_LOOKS(NO_DRAWING)),
    ELEMENT("visual", "mujoco", IGNORED_LOOKS(NO_DRAWING)),
    ELEMENT("global", "visual",
            .plain = "cameraid orthographic fovy ipd azimuth elevation linewidth glow offwidth "
                     "offheight realtime ellipsoidinertia bvactive",
            IGNORED_LOOKS(NO_DRAWING)),
    ELEMENT("quality", "visual", .plain = "shadowsize offsamples numslices numstacks numquads",
            IGNORED_LOOKS(NO_DRAWING)),
    ELEMENT("headlight", "visual", .plain = "ambient diffuse specular active",
            IGNORED_LOOKS(NO_DRAWING)),
    ELEMENT("map", "visual",
            .plain = "stiffness stiffnessrot force torque alpha fogstart fogend znear zfar haze "
                     "shadowclip shadowscale actuatortendon",
            IGNORED_LOOKS(NO_DRAWING)),
    ELEMENT("scale", "visual",
            .plain = "forcewidth contactwidth contactheight connect com camera light selectpoint "
                     "jointlength jointwidth actuatorlength actuatorwidth framelength framewidth "
                     "constraint slidercrank frustum",
            IGNORED_LOOKS(NO_DRAWING)),
    ELEMENT("rgba", "visual",
            .plain = "fog haze force inertia joint actuator actuatornegative actuatorpositive com "
                     "camera light selectpoint connect contactpoint contactforce contactfriction "
                     "contacttorque contactgap rangefinder constraint slidercrank crankbroken "
                     "frustum bv bvactive",
            IGNORED_LOOKS(NO_DRAWING)),

    ELEMENT("default", "mujoco default", .plain = "class"),
    ELEMENT("equality", "default", .id = "default equality", .plain = "active"),
    IGNORED("solref", NULL, RIGID_EQUALITY),
    IGNORED("solimp", NULL, RIGID_EQUALITY),
    ELEMENT("tendon", "default", .id = "default tendon", .same = "tendon-common"),

    ELEMENT("custom", "mujoco", .plain = ""),
    ELEMENT("numeric", "custom", .plain = "name size data"),
    ELEMENT("text", "custom", .plain = "name data"),
    ELEMENT("tuple", "custom", .plain = "name", IGNORED_LOOKS("nothing in the engine reads it")),
    ELEMENT("element", "tuple", .plain = "objtype objname prm",
            IGNORED_LOOKS("nothing in the engine reads it")),

    ELEMENT("extension", "mujoco", .plain = ""),
    ELEMENT("plugin", "extension", .id = "extension plugin", .plain = "plugin", KNOWN_PLUGIN),
    ELEMENT("instance", "extension-plugin", .plain = "name"),

    ELEMENT("asset", "mujoco", .plain = ""),
    ELEMENT("mesh", "asset default",
            .plain = "name class file vertex face refpos refquat scale inertia builtin params"),
    NEARLY("maxhullvert", "-1", "the hull has all its vertices"),
    LOOKS("content_type", "the ending of the file name says what it is"),
    LOOKS("normal", NO_DRAWING),
    LOOKS("texcoord", NO_DRAWING),
    LOOKS("smoothnormal", NO_DRAWING),
    LOOKS("material", NO_DRAWING),
    ELEMENT("hfield", "asset", .plain = "name file nrow ncol size elevation"),
    LOOKS("content_type", "the ending of the file name says what it is"),
    ELEMENT("material", "asset default", .plain = "name class rgba"),
    LOOKS("texture", NO_DRAWING),
    LOOKS("texrepeat", NO_DRAWING),
    LOOKS("texuniform", NO_DRAWING),
    LOOKS("emission", NO_DRAWING),
    LOOKS("specular", NO_DRAWING),
    LOOKS("shininess", NO_DRAWING),
    LOOKS("reflectance", NO_DRAWING),
    LOOKS("metallic", NO_DRAWING),
    LOOKS("roughness", NO_DRAWING),
    ELEMENT("layer", "material", .plain = "texture role", IGNORED_LOOKS(NO_DRAWING)),
    ELEMENT("texture", "asset",
            .plain = "name type colorspace content_type file gridsize gridlayout fileright "
                     "fileleft fileup filedown filefront fileback builtin rgb1 rgb2 mark markrgb "
                     "random width height hflip vflip nchannel",
            IGNORED_LOOKS(NO_DRAWING)),
    ELEMENT("skin", "asset deformable",
            .plain = "name file material rgba inflate vertex texcoord face group",
            IGNORED_LOOKS(NO_DRAWING)),
    ELEMENT("bone", "skin", .plain = "body bindpos bindquat vertid vertweight",
            IGNORED_LOOKS(NO_DRAWING)),
    ELEMENT("model", "asset", .plain = "name file"),
    LOOKS("content_type", "models that are attached are MJCF files"),

    ELEMENT("worldbody", "mujoco", .plain = ""),
    ELEMENT("body", IN_BODY, .plain = "name childclass gravcomp mocap " ORIENTATION),
    LOOKS("sleep", "sleeping is asked for by --sleep"),
    LOOKS("simple", "how the engine computes"),
    LOOKS("fuse", "fixed bodies are kept by name; the motion is the same"),
    LOOKS("user", NO_USER),
    ELEMENT("frame", IN_BODY, .plain = "name childclass " ORIENTATION),
    ELEMENT("replicate", IN_BODY, .plain = "childclass count sep offset euler"),
    LOOKS("prefix", "MuJoCo does nothing with it either: names get suffixes"),
    ELEMENT("inertial", "body frame", .plain = "mass diaginertia fullinertia " ORIENTATION),
    ELEMENT("joint", "body frame replicate default",
            .plain = "name class type group pos axis limited actuatorfrclimited stiffness range "
                     "actuatorfrcrange ref springref armature damping frictionloss margin "
                     "springdamper actuatorgravcomp"),
    IGNORED("solreflimit", NULL, RIGID_LIMIT),
    IGNORED("solimplimit", NULL, RIGID_LIMIT),
    IGNORED("solreffriction", NULL, RIGID_FRICTION),
    IGNORED("solimpfriction", NULL, RIGID_FRICTION),
    LOOKS("user", NO_USER),
    ELEMENT("freejoint", "body frame", .plain = "name group"),
    IGNORED("align", "false|auto", "the frame of the body stays where the file puts it"),
    ELEMENT("geom", IN_BODY " default",
            .plain =
                "name class type contype conaffinity condim group priority size material friction "
                "margin mass density shellinertia fromto hfield mesh fitscale rgba surfacevel "
                "fluidshape "
                "fluidcoef " ORIENTATION),
    IGNORED("solmix", NULL, RIGID_CONTACT),
    IGNORED("solref", NULL, RIGID_CONTACT),
    IGNORED("solimp", NULL, RIGID_CONTACT),
    LOOKS("gap", "contacts in it have no force: they are not told of"),
    IGNORED("adhesion", "0", "contacts pull by actuators only"),
    LOOKS("user", NO_USER),
    ELEMENT("site", IN_BODY " default",
            .plain = "name class type group material size fromto rgba " ORIENTATION),
    LOOKS("mesh", NO_DRAWING),
    LOOKS("user", NO_USER),
    ELEMENT("camera", IN_BODY " default",
            .plain = "name class projection orthographic fovy ipd resolution output mode target "
                     "focal focalpixel principal principalpixel sensorsize user " ORIENTATION,
            IGNORED_LOOKS("drawing only; sensors know where it is")),
    ELEMENT("light", IN_BODY " default",
            .plain = "name class directional type castshadow active pos dir bulbradius intensity "
                     "range attenuation cutoff softness exponent ambient diffuse specular mode "
                     "target texture",
            IGNORED_LOOKS(NO_DRAWING)),
    ELEMENT("attach", IN_BODY, .plain = "model body frame prefix"),
    ELEMENT("plugin", IN_BODY " geom mesh composite flexcomp", .plain = "plugin instance",
            KNOWN_PLUGIN),
    ELEMENT("config", "plugin instance actuator-plugin sensor-plugin", .plain = "key value"),
    ELEMENT("composite", IN_BODY,
            .plain = "prefix type count offset vertex initial curve size quat"),
    ELEMENT("joint", "composite", .id = "composite joint",
            .plain = "kind group stiffness damping armature limited range margin frictionloss"),
    IGNORED("solreflimit", NULL, RIGID_LIMIT),
    IGNORED("solimplimit", NULL, RIGID_LIMIT),
    IGNORED("solreffriction", NULL, RIGID_FRICTION),
    IGNORED("solimpfriction", NULL, RIGID_FRICTION),
    LOOKS("type", "joints of a cable are balls"),
    LOOKS("axis", "joints of a cable are balls"),
    LOOKS("solreffix", "a cable has no such constraint"),
    LOOKS("solimpfix", "a cable has no such constraint"),
    ELEMENT("geom", "composite", .id = "composite geom",
            .plain = "type contype conaffinity condim group priority size material rgba friction "
                     "mass density margin surfacevel"),
    IGNORED("solmix", NULL, RIGID_CONTACT),
    IGNORED("solref", NULL, RIGID_CONTACT),
    IGNORED("solimp", NULL, RIGID_CONTACT),
    LOOKS("gap", "contacts in it have no force: they are not told of"),
    IGNORED("adhesion", "0", "contacts pull by actuators only"),
    ELEMENT("site", "composite", .id = "composite site", .plain = "group size material rgba"),
    LOOKS("mesh", NO_DRAWING),
    ELEMENT("skin", "composite", .id = "composite skin",
            .plain = "texcoord material group rgba inflate subgrid", IGNORED_LOOKS(NO_DRAWING)),
    ELEMENT("flexcomp", IN_BODY,
            .plain = "name type group dim dof count cellcount spacing radius rigid mass "
                     "inertiabox scale file point element texcoord material rgba flatskin "
                     "origin " ORIENTATION,
            IGNORED_PHYSICS(NO_FLEX)),
    ELEMENT("pin", "flexcomp", .plain = "id range grid gridrange", IGNORED_PHYSICS(NO_FLEX)),

    ELEMENT("deformable", "mujoco", IGNORED_PHYSICS(NO_FLEX)),
    ELEMENT("flex", "deformable",
            .plain = "name group dim radius material rgba flatskin body vertex element texcoord "
                     "elemtexcoord node nodecoord cellcount dof",
            IGNORED_PHYSICS(NO_FLEX)),
    ELEMENT("edge", "flex flexcomp", .plain = "equality solref solimp stiffness damping",
            IGNORED_PHYSICS(NO_FLEX)),
    ELEMENT("elasticity", "flex flexcomp", .plain = "young poisson damping thickness elastic2d",
            IGNORED_PHYSICS(NO_FLEX)),
    ELEMENT("contact", "flex flexcomp", .id = "flex contact",
            .plain = "contype conaffinity condim priority friction solmix solref solimp margin gap "
                     "internal selfcollide activelayers vertcollide passive",
            IGNORED_PHYSICS(NO_FLEX)),

    ELEMENT("contact", "mujoco", .plain = ""),
    ELEMENT("pair", "contact default", .plain = "name class geom1 geom2 condim friction margin"),
    IGNORED("solref", NULL, RIGID_CONTACT),
    IGNORED("solreffriction", NULL, RIGID_CONTACT),
    IGNORED("solimp", NULL, RIGID_CONTACT),
    LOOKS("gap", "contacts in it have no force: they are not told of"),
    IGNORED("adhesion", "0", "contacts pull by actuators only"),
    ELEMENT("exclude", "contact", .plain = "name body1 body2"),

    ELEMENT("equality", "mujoco", .plain = ""),
    ELEMENT("equality-common", "-", .plain = ""),
    IGNORED("solref", NULL, RIGID_EQUALITY),
    IGNORED("solimp", NULL, RIGID_EQUALITY),
    ELEMENT("connect", "equality", .same = "equality-common",
            .plain = "name class active body1 body2 anchor site1 site2"),
    ELEMENT("weld", "equality", .same = "equality-common",
            .plain = "name class active body1 body2 relpose anchor site1 site2 torquescale"),
    ELEMENT("joint", "equality", .id = "equality joint", .same = "equality-common",
            .plain = "name class active joint1 joint2 polycoef"),
    ELEMENT("tendon", "equality", .id = "equality tendon", .same = "equality-common",
            .plain = "name class active tendon1 tendon2 polycoef"),
    ELEMENT("flex", "equality", .id = "equality flex",
            .plain = "name class active solref solimp flex", IGNORED_PHYSICS(NO_FLEX)),
    ELEMENT("flexvert", "equality", .plain = "name class active solref solimp flex",
            IGNORED_PHYSICS(NO_FLEX)),
    ELEMENT("flexstrain", "equality", .plain = "name class active solref solimp flex cell",
            IGNORED_PHYSICS(NO_FLEX)),

    ELEMENT("tendon", "mujoco", .plain = ""),
    ELEMENT("tendon-common", "-",
            .plain = "limited range margin frictionloss springlength stiffness damping armature "
                     "actuatorfrclimited actuatorfrcrange"),
    IGNORED("solreflimit", NULL, RIGID_LIMIT),
    IGNORED("solimplimit", NULL, RIGID_LIMIT),
    IGNORED("solreffriction", NULL, RIGID_FRICTION),
    IGNORED("solimpfriction", NULL, RIGID_FRICTION),
    LOOKS("group", NO_DRAWING),
    LOOKS("width", NO_DRAWING),
    LOOKS("material", NO_DRAWING),
    LOOKS("rgba", NO_DRAWING),
    LOOKS("user", NO_USER),
    ELEMENT("fixed", "tendon", .same = "tendon-common", .plain = "name class"),
    ELEMENT("joint", "fixed", .id = "fixed joint", .plain = "joint coef"),
    ELEMENT("spatial", "tendon", .same = "tendon-common", .plain = "name class"),
    ELEMENT("site", "spatial", .id = "spatial site", .plain = "site"),
    ELEMENT("geom", "spatial", .id = "spatial geom", .plain = "geom sidesite"),
    ELEMENT("pulley", "spatial", .plain = "divisor"),

    ELEMENT("actuator", "mujoco", .plain = ""),
    ELEMENT("actuator-common", "-",
            .plain = "name class group ctrllimited ctrlrange forcelimited forcerange gear joint "
                     "jointinparent tendon site refsite cranksite slidersite cranklength "
                     "lengthrange actlimited actrange body damping armature delay nsample "
                     "interp"),
    LOOKS("user", NO_USER),
    ELEMENT("general", "actuator default", .same = "actuator-common",
            .plain = "gainprm biasprm dynprm actearly input velrange ffrange"),
    IGNORED("dyntype", "none|integrator|filter|filterexact|muscle|pid", "the actuator is left out"),
    IGNORED("actdim", "-1|0|1", "an activation is one number"),
    IGNORED("gaintype", "fixed|affine|muscle|pid|so3", "the actuator is left out"),
    IGNORED("biastype", "none|affine|muscle|so3", "the actuator is left out"),
    ELEMENT("motor", "actuator default", .same = "actuator-common"),
    ELEMENT("position", "actuator default", .same = "actuator-common",
            .plain = "kp kv dampratio inheritrange timeconst"),
    ELEMENT("velocity", "actuator default", .same = "actuator-common", .plain = "kv"),
    ELEMENT("damper", "actuator default", .same = "actuator-common", .plain = "kv"),
    ELEMENT("intvelocity", "actuator default", .same = "actuator-common",
            .plain = "kp kv dampratio inheritrange"),
    ELEMENT("orientation", "actuator default", .same = "actuator-common",
            .plain = "kp kv dampratio input"),
    ELEMENT("pid", "actuator default", .same = "actuator-common",
            .plain =
                "kp kv dampratio ki imax slewmax input posrange velrange ffrange inheritrange"),
    ELEMENT("cylinder", "actuator default", .same = "actuator-common",
            .plain = "timeconst area diameter bias"),
    ELEMENT("muscle", "actuator default", .same = "actuator-common",
            .plain = "timeconst tausmooth range force scale lmin lmax vmax fpmax fvmax"),
    ELEMENT("adhesion", "actuator default", .same = "actuator-common", .plain = "gain"),
    ELEMENT("dcmotor", "actuator default", .same = "actuator-common",
            .plain = "motorconst resistance nominal saturation inductance cogging controller "
                     "thermal lugre input"),
    ELEMENT("plugin", "actuator", .id = "actuator plugin", .same = "actuator-common",
            .plain = "plugin instance", KNOWN_PLUGIN),
    IGNORED("dyntype", "none", "the actuator is left out"),
    LOOKS("actdim", "how many activations it has follows from its settings"),
    LOOKS("dynprm", "without dyntype they mean nothing"),
    LOOKS("actearly", "without dyntype it means nothing"),

    ELEMENT("sensor", "mujoco", .plain = ""),
    ELEMENT("sensor-common", "-", .plain = "name cutoff"),
    LOOKS("noise", "sensors are exact"),
    LOOKS("nsample", NO_DELAY),
    LOOKS("interp", NO_DELAY),
    LOOKS("delay", NO_DELAY),
    LOOKS("interval", NO_DELAY),
    LOOKS("user", NO_USER),
#define SENSOR(word, ...) ELEMENT(word, "sensor", .same = "sensor-common", __VA_ARGS__)
    SENSOR("touch", .plain = "site"),
    SENSOR("accelerometer", .plain = "site"),
    SENSOR("velocimeter", .plain = "site"),
    SENSOR("gyro", .plain = "site"),
    SENSOR("force", .plain = "site"),
    SENSOR("torque", .plain = "site"),
    SENSOR("magnetometer", .plain = "site"),
    SENSOR("rangefinder", .plain = "site"),
    LOOKS("camera", "there are no pictures"),
    LOOKS("data", "the distance alone is measured"),
    SENSOR("jointpos", .plain = "joint"),
    SENSOR("jointvel", .plain = "joint"),
    SENSOR("ballquat", .plain = "joint"),
    SENSOR("ballangvel", .plain = "joint"),
    SENSOR("tendonpos", .plain = "tendon"),
    SENSOR("tendonvel", .plain = "tendon"),
    SENSOR("actuatorpos", .plain = "actuator"),
    SENSOR("actuatorvel", .plain = "actuator"),
    SENSOR("actuatorfrc", .plain = "actuator"),
    SENSOR("jointactuatorfrc", .plain = "joint"),
    SENSOR("framepos", .plain = "objtype objname reftype refname"),
    SENSOR("framequat", .plain = "objtype objname reftype refname"),
    SENSOR("framexaxis", .plain = "objtype objname reftype refname"),
    SENSOR("frameyaxis", .plain = "objtype objname reftype refname"),
    SENSOR("framezaxis", .plain = "objtype objname reftype refname"),
    SENSOR("framelinvel", .plain = "objtype objname reftype refname"),
    SENSOR("frameangvel", .plain = "objtype objname reftype refname"),
    SENSOR("framelinacc", .plain = "objtype objname"),
    SENSOR("frameangacc", .plain = "objtype objname"),
    SENSOR("subtreecom", .plain = "body"),
    SENSOR("subtreelinvel", .plain = "body"),
    SENSOR("subtreeangmom", .plain = "body"),
    SENSOR("clock", .plain = ""),
    SENSOR("camprojection", .plain = "site camera", IGNORED_LOOKS(NO_SENSOR)),
    SENSOR("tendonactuatorfrc", .plain = "tendon"),
    SENSOR("jointlimitpos", .plain = "joint"),
    SENSOR("jointlimitvel", .plain = "joint"),
    SENSOR("jointlimitfrc", .plain = "joint"),
    SENSOR("tendonlimitpos", .plain = "tendon"),
    SENSOR("tendonlimitvel", .plain = "tendon"),
    SENSOR("tendonlimitfrc", .plain = "tendon"),
    SENSOR("insidesite", .plain = "site objtype objname"),
    LOOKS("enclosed", "a point is inside, or is not"),
    SENSOR("distance", .plain = "geom1 geom2 body1 body2"),
    SENSOR("normal", .plain = "geom1 geom2 body1 body2"),
    SENSOR("fromto", .plain = "geom1 geom2 body1 body2"),
    SENSOR("contact", .id = "sensor contact",
           .plain = "geom1 geom2 body1 body2 subtree1 subtree2 site num data reduce"),
    SENSOR("e_potential", .plain = ""),
    SENSOR("e_kinetic", .plain = ""),
    SENSOR("tactile", .plain = "geom mesh", IGNORED_LOOKS(NO_SENSOR)),
    SENSOR("user", .plain = "objtype objname dim"),
    LOOKS("datatype", "numbers are for the caller to fill in"),
    LOOKS("needstage", "numbers are for the caller to fill in"),
    SENSOR("plugin", .id = "sensor plugin",
           .plain = "plugin instance objtype objname reftype refname", IGNORED_LOOKS(NO_PLUGIN)),

    ELEMENT("keyframe", "mujoco", .plain = ""),
    ELEMENT("key", "keyframe", .plain = "name time qpos qvel act ctrl mpos mquat"),
    {0},
};

const TactMjcfWord *tact_mjcf_words(void)
{
    return words;
}
