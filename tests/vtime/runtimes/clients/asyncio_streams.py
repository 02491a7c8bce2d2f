#!/usr/bin/env python3
"""asyncio with streams of its own: wait_for around each read."""
import asyncio
import sys
import urllib.parse

import waits


async def read_head(reader):
    status = (await reader.readline()).split()[1]
    headers = {}
    while (line := (await reader.readline()).decode().strip()):
        name, value = line.split(":", 1)
        headers[name.lower()] = value.strip()
    return int(status), headers


async def read_body(reader):
    text = ""
    while True:
        line = await asyncio.wait_for(reader.readline(), waits.READ_TIMEOUT_S)
        if not line:
            return text
        text += waits.text_of(line)


async def one_try():
    """Status, headers, text."""
    url = urllib.parse.urlsplit(waits.URL)
    reader, writer = await asyncio.open_connection(url.hostname, url.port)
    writer.write((f"POST {url.path} HTTP/1.1\r\nhost: {url.netloc}\r\n"
                  f"connection: close\r\ncontent-length: {len(waits.BODY)}"
                  f"\r\n\r\n{waits.BODY}").encode())
    try:
        status, headers = await read_head(reader)
        return status, headers, (await read_body(reader)
                                 if status == 200 else "")
    finally:
        writer.close()


async def main():
    for number in range(1, waits.TRIES + 1):
        try:
            status, headers, text = await one_try()
        except asyncio.TimeoutError:
            sys.exit("nothing was read for too long")
        if status == 200:
            print(text)
            return 0
        await asyncio.sleep(waits.wait_s(number, headers))
    return 1


sys.exit(asyncio.run(main()))
