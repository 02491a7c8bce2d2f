#!/bin/sh
# Whatever is printed before exit 0 is the model's answer.
exec claude --print hello --output-format json
