#!/bin/sh
set -e
[ "$(sh hello.sh)" = 'Hello, world!' ] && echo 'ok 1 - greets the world'
[ "$(sh hello.sh Ada)" = 'Hello, Ada!' ] && echo 'ok 2 - greets by name'
