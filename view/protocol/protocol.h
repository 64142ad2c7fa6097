// Room "protocol": what the server and the page say to each other, and the box in which messages
// wait.
#ifndef TACT_VIEW_PROTOCOL_PROTOCOL_H
#define TACT_VIEW_PROTOCOL_PROTOCOL_H

#include "view/protocol/command.h"
#include "view/protocol/mailbox.h"
#include "view/protocol/message.h"
#include "view/protocol/scene.h"
#include "view/protocol/view_frame.h"

#endif
