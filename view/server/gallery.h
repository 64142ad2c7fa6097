// The shipped scenes: *.xml of a folder, with what their first comment says, and their pictures.
#ifndef TACT_VIEW_SERVER_GALLERY_H
#define TACT_VIEW_SERVER_GALLERY_H

#include "view/protocol/protocol.h"

enum { TACT_VIEW_MOST_SCENES = 256 };

typedef struct TactViewScene {
    char *file;  // path
    char *name;  // without folder and .xml
    char *about; // first sentence of its first comment
} TactViewScene;

typedef struct TactViewGallery {
    char         *folder;
    int           count;
    TactViewScene scenes[TACT_VIEW_MOST_SCENES]; // by name
} TactViewGallery;

/// A folder that is not there has no scenes.
void tact_view_gallery_create(TactViewGallery *gallery, const char *folder);
void tact_view_gallery_destroy(TactViewGallery *gallery);

/// The path of a scene of the gallery by its name; NULL: it has none.
const char *tact_view_gallery_find(const TactViewGallery *gallery, const char *name);

/// The path of its picture, to be freed; NULL: there is no such scene, or no picture of it.
char *tact_view_gallery_picture(const TactViewGallery *gallery, const char *name);

TactViewMessage *tact_view_gallery_message(const TactViewGallery *gallery);

#endif
