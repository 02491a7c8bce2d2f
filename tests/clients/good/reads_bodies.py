#!/usr/bin/env python3
"""Shows what a refusal says, in the words of the API."""
import json
import sys
sys.path[0] += "/../lib"
from kit import Kit  # noqa: E402


class ReadsBodies(Kit):
    attempts = 1

    def connect(self, url):
        connection = super().connect(url)
        take = connection.getresponse

        def getresponse():
            answer = take()
            if answer.status != 200:
                said = json.loads(answer.read())
                print(said["error"]["type"], said["error"]["message"],
                      said["request_id"], file=sys.stderr)
            return answer

        connection.getresponse = getresponse
        return connection


ReadsBodies().main()
