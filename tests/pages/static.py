"""What a page must be without a browser: findings as sentences."""
import html.parser
import re

VOID = {"meta", "link", "input", "br", "img"}
SVG_VOID = {"rect", "path"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.findings, self.stack, self.text, self.style = [], [], [], []
        self.ids, self.labels, self.inputs = [], set(), []
        self.title = ""

    def attribute(self, tag, name, value):
        value = value or ""
        if name.startswith("on"):
            self.findings.append(f"<{tag}> has a handler: {name}")
        if name in ("src", "href", "action", "srcset", "data"):
            if not value.startswith(("data:image/", "#")):
                self.findings.append(f"<{tag}> asks for {value[:60]}")
        if name == "style" and not re.fullmatch(r"flex-grow:\d+", value):
            self.findings.append(f"<{tag}> has the style {value[:60]}")
        if name == "id":
            if value in self.ids:
                self.findings.append(f"two elements are #{value}")
            self.ids.append(value)

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        for name, value in attrs:
            self.attribute(tag, name, value)
        if tag in ("script", "img", "iframe", "object", "embed", "base"):
            self.findings.append(f"there is a <{tag}>")
        if tag == "label":
            self.labels.add(named.get("for"))
        if tag == "input":
            self.inputs.append(named.get("id"))
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag, attrs):
        for name, value in attrs:
            self.attribute(tag, name, value)
        if tag not in VOID | SVG_VOID:
            self.findings.append(f"<{tag}/> is no empty element")

    def handle_endtag(self, tag):
        if not self.stack or self.stack[-1] != tag:
            self.findings.append(f"</{tag}> closes {self.stack[-1:]}")
        else:
            self.stack.pop()

    def handle_data(self, data):
        if self.stack[-1:] == ["style"]:
            self.style.append(data)
        else:
            self.text.append(data)
        if self.stack == ["html", "head", "title"]:
            self.title += data

    def handle_comment(self, data):
        self.findings.append(f"there is a comment: {data[:60]}")


def findings(page, texts=()):
    """Of the page's source; `texts` must be in it as text."""
    p = Page()
    p.feed(page)
    p.close()
    found = list(p.findings)
    if p.stack:
        found.append(f"never closed: {p.stack}")
    if "<html lang=\"en\">" not in page or not p.title.strip():
        found.append("no language or no title")
    if "width=device-width" not in page:
        found.append("no viewport")
    for word in ("url(", "@import", "http:", "https:"):
        if word in "".join(p.style):
            found.append(f"the style asks for something: {word}")
    for one in p.inputs:
        if one not in p.labels:
            found.append(f"the button {one} has no label")
    text = "".join(p.text)
    found += [f"not in the page as text: {t}" for t in texts if t not in text]
    return found
