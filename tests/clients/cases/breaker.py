"""The breaker: three hits open it, one probe at a time tries whether the
trouble is over. One file for all copies that share XDG_STATE_HOME."""
import contextlib
import fcntl
import json
import os
import time

CLOSED = {"hits": [], "until": 0, "cooldown": 0, "probe": 0, "cls": ""}
WINDOW_S, MAX_COOLDOWN_S = 120, 600


class Breaker:
    """Mixed into Client."""
    opened = rejected = 0
    probing = False

    def state_file(self, name):
        folder = os.environ.get("XDG_STATE_HOME",
                                os.environ["HOME"] + "/.local/state")
        os.makedirs(folder, exist_ok=True)
        return open(f"{folder}/{name}", "a+", encoding="utf-8")

    def place(self):
        """One of so many that may call at once, held while it is open."""
        number = 0
        while True:
            file = self.state_file(f"place-{number % self.o.places}")
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return file
            except BlockingIOError:
                file.close()
            number += 1
            time.sleep(0.05)

    @contextlib.contextmanager
    def shared(self):
        with self.state_file("breaker.json") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            text = file.read()
            state = json.loads(text) if text else dict(CLOSED, hits=[])
            yield state
            file.seek(0)
            file.truncate()
            file.write(json.dumps(state))

    def refusal(self):
        """The class of what opened it, or nothing: the call may go out."""
        if not self.o.breaker_hits:
            return ""
        now = time.time()
        with self.shared() as state:
            if not state["until"]:
                return ""
            if now < state["until"] or not self.may_probe(state, now):
                return state["cls"]
            state["probe"] = now + self.o.timeout
            self.probing = True
            return ""

    def may_probe(self, state, now):
        return now >= state["probe"]

    def report(self, failure):
        """failure is None for a good answer. Every path comes by here."""
        if not self.o.breaker_hits:
            return
        with self.shared() as state:
            probing, self.probing = self.probing, False
            if self.reachable(failure):
                if probing:
                    self.closes(state)
            elif probing:
                self.opens(state, failure)
            elif self.counts(failure):
                self.hit(state, failure)

    def reachable(self, failure):
        """A timely answer about the request itself says the server is well."""
        return failure is None or failure.cls in ("invalid_request", "auth")

    def counts(self, failure):
        return failure.cls in self.o.breaker_counts.split(",")

    def hit(self, state, failure):
        now = time.time()
        state["hits"] = [at for at in state["hits"] if at > now - WINDOW_S]
        state["hits"].append(now)
        at_once = failure.cls in ("usage_limit", "quota_exhausted") or (
            (failure.asked_s or 0) > self.o.cap)
        if at_once or len(state["hits"]) >= self.o.breaker_hits:
            self.opens(state, failure)

    def opens(self, state, failure):
        cooldown = min(state["cooldown"] * 2 or self.o.cooldown,
                       MAX_COOLDOWN_S)
        state.update(hits=[], probe=0, cooldown=cooldown, cls=failure.cls,
                     until=time.time() + max(cooldown, failure.asked_s or 0))
        self.opened += 1

    def closes(self, state):
        state.update(CLOSED, hits=[])

    def state_word(self):
        with self.shared() as state:
            return "open" if state["until"] else "closed"
