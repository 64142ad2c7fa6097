#!/bin/sh
# docs/guide/collision.md: its C program compiles and prints what the guide says.
TACT_GUIDE=collision.md exec sh "${TACT_SOURCE:?}/tests/model/test_guide.sh"
