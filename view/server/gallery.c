#include "view/server/gallery.h"

#include "cli/json/json.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { READ_AHEAD = 4096, LONGEST_ABOUT = 300 };

static char *join_path(const char *folder, const char *between, const char *name, const char *end)
{
    size_t size = strlen(folder) + strlen(between) + strlen(name) + strlen(end) + 1;
    char  *path = malloc(size);
    if (path) {
        snprintf(path, size, "%s%s%s%s", folder, between, name, end);
    }
    return path;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/// Behind blanks: a point before a number or a small letter ends no sentence (Fig. 3, et al. show).
static bool begins_sentence(const char *c)
{
    while (is_blank(*c)) {
        c++;
    }
    return !(*c >= '0' && *c <= '9') && !(*c >= 'a' && *c <= 'z');
}

/// The first sentence of the first comment of a file, with single spaces.
static char *read_about(const char *file)
{
    char  text[READ_AHEAD + 1];
    char  about[LONGEST_ABOUT + 1];
    FILE *stream = fopen(file, "rb");
    if (!stream) {
        return strdup("");
    }
    text[fread(text, 1, READ_AHEAD, stream)] = '\0';
    fclose(stream);
    const char *from = strstr(text, "<!--");
    const char *to = from ? strstr(from, "-->") : NULL;
    size_t      n = 0;
    for (const char *c = from ? from + 4 : ""; c != to && *c && n < LONGEST_ABOUT; c++) {
        if (!is_blank(*c)) {
            about[n++] = *c;
        } else if (n > 0 && about[n - 1] != ' ') {
            if (about[n - 1] == '.' && begins_sentence(c)) {
                break;
            }
            about[n++] = ' ';
        }
    }
    about[n] = '\0';
    return strdup(about);
}

static void forget(TactViewScene *scene)
{
    free(scene->file);
    free(scene->name);
    free(scene->about);
}

static int compare_scenes(const void *a, const void *b)
{
    const TactViewScene *x = a, *y = b;
    return strcmp(x->name, y->name);
}

void tact_view_gallery_create(TactViewGallery *gallery, const char *folder)
{
    *gallery = (TactViewGallery){.folder = strdup(folder ? folder : "")};
    DIR *stream = folder && gallery->folder ? opendir(folder) : NULL;
    if (!stream) {
        return;
    }
    const struct dirent *entry;
    while ((entry = readdir(stream)) && gallery->count < TACT_VIEW_MOST_SCENES) {
        size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 4, ".xml") != 0) {
            continue;
        }
        TactViewScene scene = {
            .file = join_path(folder, "/", entry->d_name, ""),
            .name = strndup(entry->d_name, length - 4),
        };
        scene.about = scene.file ? read_about(scene.file) : NULL;
        if (scene.file && scene.name && scene.about) {
            gallery->scenes[gallery->count++] = scene;
        } else {
            forget(&scene);
        }
    }
    closedir(stream);
    qsort(gallery->scenes, (size_t)gallery->count, sizeof *gallery->scenes, compare_scenes);
}

void tact_view_gallery_destroy(TactViewGallery *gallery)
{
    for (int i = 0; i < gallery->count; i++) {
        forget(&gallery->scenes[i]);
    }
    free(gallery->folder);
}

const char *tact_view_gallery_find(const TactViewGallery *gallery, const char *name)
{
    for (int i = 0; i < gallery->count; i++) {
        if (strcmp(gallery->scenes[i].name, name) == 0) {
            return gallery->scenes[i].file;
        }
    }
    return NULL;
}

char *tact_view_gallery_picture(const TactViewGallery *gallery, const char *name)
{
    if (!tact_view_gallery_find(gallery, name)) {
        return NULL;
    }
    char *path = join_path(gallery->folder, "/pictures/", name, ".jpg");
    if (path && access(path, R_OK) == 0) {
        return path;
    }
    free(path);
    return NULL;
}

TactViewMessage *tact_view_gallery_message(const TactViewGallery *gallery)
{
    json_t *scenes = json_array();
    for (int i = 0; i < gallery->count; i++) {
        const TactViewScene *scene = &gallery->scenes[i];
        char                *picture = tact_view_gallery_picture(gallery, scene->name);
        tact_json_append(scenes,
                         tact_json_pack("{s:s, s:s, s:s, s:s+}", "file", scene->name, "name",
                                        scene->name, "about", scene->about, "picture",
                                        picture ? "pictures/" : "", picture ? scene->name : ""));
        free(picture);
    }
    return tact_view_message_json(tact_json_pack("{s:s, s:o}", "type", "gallery", "scenes", scenes),
                                  0, NULL);
}
