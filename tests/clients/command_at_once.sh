#!/bin/sh
# The article's client before its repair: what fails is started again at once.
for _ in 1 2 3; do
  claude --print hello && exit 0
done
exit 1
