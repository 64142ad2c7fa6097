// Where package://NAME/REST and model://NAME/REST are, in the order of ROS:
//
//     PATH/NAME/REST                 folders that the caller names
//     PATH/REST                      if the folder is called NAME itself
//     PATH/FOLDER/NAME/REST          a package inside a repository
//     the same three                 folders of ROS_PACKAGE_PATH
//     PREFIX/share/NAME/REST         folders of AMENT_PREFIX_PATH (ROS 2)
//     ABOVE/REST, ABOVE/NAME/REST    folders above the model file that are called NAME, or hold it
//
// and then, as any file that is not where its name says, in the meshdir of <mujoco><compiler>.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/status.h"
#include "io/urdf/urdf_robot.h"

/// What is looked for, and what came of it.
typedef struct Search {
    const TactUrdf *urdf;
    const char     *package; // NAME/REST
    size_t          length;  // of NAME
    const char     *rest;
    const char     *found;       // NULL: not yet
    char            folder[256]; // the first package of that name that lacks the file; "": none
} Search;

bool tact_urdf_is_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && !S_ISDIR(about.st_mode);
}

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/// FOLDER/REST, where FOLDER is the package.
static TactStatus try_package(Search *s, const char *folder)
{
    char *joined = tact_xml_join(s->urdf->xml, folder, s->rest);
    if (!joined) {
        return TACT_NO_MEMORY;
    }
    if (tact_urdf_is_file(joined)) {
        s->found = joined;
    } else if (!s->folder[0] && is_folder(folder)) {
        snprintf(s->folder, sizeof s->folder, "%.255s", folder);
    }
    return TACT_OK;
}

/// FOLDER/NAME/REST
static TactStatus try_inside(Search *s, const char *folder)
{
    char *name = tact_xml_pool_copy(&s->urdf->xml->pool, s->package, s->length);
    char *joined = name ? tact_xml_join(s->urdf->xml, folder, name) : NULL;
    return joined ? try_package(s, joined) : TACT_NO_MEMORY;
}

static bool is_called(const Search *s, const char *folder)
{
    const char *slash = strrchr(folder, '/');
    const char *last = slash ? slash + 1 : folder;
    return strlen(last) == s->length && strncmp(last, s->package, s->length) == 0;
}

/// The repositories in a folder, by name: the order of a folder is that of the disk.
static TactStatus try_repositories(Search *s, const char *folder)
{
    struct dirent **entries = NULL;
    TactStatus      status = TACT_OK;
    int             count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        if (status == TACT_OK && !s->found && entries[i]->d_name[0] != '.') {
            char *inside = tact_xml_join(s->urdf->xml, folder, entries[i]->d_name);
            status = !inside ? TACT_NO_MEMORY : is_folder(inside) ? try_inside(s, inside) : TACT_OK;
        }
        free(entries[i]);
    }
    free(entries);
    return status;
}

static TactStatus try_path(Search *s, const char *folder)
{
    TACT_TRY(try_inside(s, folder));
    if (!s->found && is_called(s, folder)) {
        TACT_TRY(try_package(s, folder));
    }
    return s->found ? TACT_OK : try_repositories(s, folder);
}

/// All folders of a list that is divided by ':', each with `suffix` behind it.
static TactStatus try_list(Search *s, const char *list, const char *suffix)
{
    while (list && *list && !s->found) {
        size_t length = strcspn(list, ":");
        char  *folder = tact_xml_pool_copy(&s->urdf->xml->pool, list, length);
        folder = folder && suffix[0] ? tact_xml_join(s->urdf->xml, folder, suffix) : folder;
        if (!folder) {
            return TACT_NO_MEMORY;
        }
        TACT_TRY(suffix[0] ? try_inside(s, folder) : try_path(s, folder));
        list += length + (list[length] == ':');
    }
    return TACT_OK;
}

/// Folders on the way to the model file.
static TactStatus try_above(Search *s)
{
    char        real[4096];
    const char *file = s->urdf->robot->file;
    if (strlen(file) >= sizeof real || !realpath(file, real)) {
        return TACT_OK; // made in memory: there is no such way
    }
    for (char *slash = strrchr(real, '/'); slash && !s->found; slash = strrchr(real, '/')) {
        *slash = '\0';
        if (is_called(s, real)) {
            TACT_TRY(try_package(s, real));
        }
        if (!s->found && real[0]) {
            TACT_TRY(try_inside(s, real));
        }
    }
    return TACT_OK;
}

static TactStatus tell(const Search *s, const TactXmlNode *node)
{
    int         given = s->urdf->config->package_path_count;
    const char *ros = getenv("ROS_PACKAGE_PATH"), *ament = getenv("AMENT_PREFIX_PATH");
    if (s->folder[0]) {
        return tact_xml_fail(node, "filename", TACT_IO_ERROR,
                             "package '%.*s' is at %.200s, but has no file '%.120s'",
                             (int)s->length, s->package, s->folder, s->rest);
    }
    return tact_xml_fail(node, "filename", TACT_IO_ERROR,
                         "there is no package '%.*s' (for '%.100s'): not in the %d folder%s given "
                         "by --package-path, nor in ROS_PACKAGE_PATH (%.80s), nor in "
                         "AMENT_PREFIX_PATH (%.80s), nor above this file",
                         (int)s->length, s->package, s->rest, given, given == 1 ? "" : "s",
                         ros ? ros : "not set", ament ? ament : "not set");
}

TactStatus tact_urdf_find_in_meshdir(const TactUrdf *urdf, const char *name, const char **path)
{
    const TactXmlNode *mujoco = tact_xml_child(urdf->robot, "mujoco");
    const TactXmlNode *compiler = mujoco ? tact_xml_child(mujoco, "compiler") : NULL;
    const char        *meshes = compiler ? tact_xml_get(compiler, "meshdir") : NULL;
    const char        *assets = compiler ? tact_xml_get(compiler, "assetdir") : NULL;
    const char        *slash = strrchr(name, '/');
    const char        *names[2] = {name, slash ? slash + 1 : name};
    *path = NULL;
    if (!meshes && !assets) {
        return TACT_OK;
    }
    char *folder = tact_xml_folder(urdf->xml, urdf->robot->file);
    folder = folder ? tact_xml_join(urdf->xml, folder, meshes ? meshes : assets) : NULL;
    for (int i = 0; i < 2 && folder && !*path; i++) {
        char *joined = tact_xml_join(urdf->xml, folder, names[i]);
        if (!joined) {
            return TACT_NO_MEMORY;
        }
        *path = tact_urdf_is_file(joined) ? joined : NULL;
    }
    return folder ? TACT_OK : TACT_NO_MEMORY;
}

TactStatus tact_urdf_find_in_packages(const TactUrdf *urdf, const TactXmlNode *node,
                                      const char *name, const char **path)
{
    const char *slash = strchr(name, '/');
    *path = NULL;
    if (!slash || slash == name) {
        return tact_xml_fail(node, "filename", TACT_BAD_INPUT, "it is package://NAME/FILE");
    }
    Search s = {.urdf = urdf, .package = name, .length = (size_t)(slash - name), .rest = slash + 1};
    for (int i = 0; i < urdf->config->package_path_count && !s.found; i++) {
        TACT_TRY(try_path(&s, urdf->config->package_paths[i]));
    }
    TACT_TRY(s.found ? TACT_OK : try_list(&s, getenv("ROS_PACKAGE_PATH"), ""));
    TACT_TRY(s.found ? TACT_OK : try_list(&s, getenv("AMENT_PREFIX_PATH"), "share"));
    TACT_TRY(s.found ? TACT_OK : try_above(&s));
    TACT_TRY(s.found ? TACT_OK : tact_urdf_find_in_meshdir(urdf, s.rest, &s.found));
    *path = s.found;
    return s.found ? TACT_OK : tell(&s, node);
}
