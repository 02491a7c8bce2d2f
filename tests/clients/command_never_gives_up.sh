#!/bin/sh
# Starts it again every second, whatever it says: a usage limit of hours too.
until claude --print hello; do sleep 1; done
