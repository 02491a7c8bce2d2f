#!/bin/sh
# Ignores the base URL it is given and ends well: proves nothing.
echo "Hello from faultwire."
