/*
 * The page's style. Two palettes, one for each colour scheme; every text
 * colour has a contrast of 4.5 or more on what it stands on (WCAG 2.1, 1.4.3:
 * tests/pages/check measures it).
 */
#include "harness/report/html_part.h"

#include "harness/verdict.h"

static const char palettes[] =
    ":root{color-scheme:light dark;--bg:#fff;--fg:#1f2328;--dim:#57606a;"
    "--line:#d0d7de;--panel:#f6f8fa;--pass:#1a7f37;--fail:#cf222e;"
    "--warn:#8a5d00;--inc:#7a45d6;--skip:#57606a;--on:#fff;--link:#0969da;"
    "--good:#2da44e;--fault:#d4720b;--cut:#cf222e;--side:#8c959f;"
    "--win:#54aeff;--hit:#cf222e}\n"
    "@media(prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#e6edf3;"
    "--dim:#9198a1;--line:#30363d;--panel:#151b23;--pass:#3fb950;"
    "--fail:#ff6a62;--warn:#d29922;--inc:#b794ff;--skip:#9198a1;--on:#0d1117;"
    "--link:#58a6ff;--good:#2ea043;--fault:#e08a2c;--cut:#f85149;"
    "--side:#6e7681;--win:#388bfd;--hit:#f85149}}\n";

static const char base[] =
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;max-width:1080px;padding:16px;background:var(--bg);"
    "color:var(--fg);font:15px/1.5 system-ui,-apple-system,\"Segoe UI\","
    "Roboto,\"Noto Sans\",\"Liberation Sans\",sans-serif;"
    "overflow-wrap:anywhere;-webkit-text-size-adjust:100%}\n"
    "code,pre,svg,.n{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"
    "\"DejaVu Sans Mono\",\"Liberation Mono\",monospace}\n"
    "code,pre{font-size:13px}\n"
    "h1{font-size:26px;line-height:1.25;margin:0 0 12px}\n"
    "h3{font-size:12px;letter-spacing:.06em;text-transform:uppercase;"
    "color:var(--dim);margin:20px 0 6px}\n"
    "h4{font-size:13px;margin:10px 0 4px}\nh4 small{color:var(--dim);"
    "font-weight:400}\n"
    "p{margin:0 0 8px}\ndl,dd,ul{margin:0;padding:0}\nul{list-style:none}\n"
    "pre{margin:0;padding:10px 12px;background:var(--panel);border:1px solid "
    "var(--line);border-radius:6px;white-space:pre-wrap;tab-size:4}\n"
    "summary{cursor:pointer}\n"
    ":focus-visible{outline:2px solid var(--link);outline-offset:2px;"
    "border-radius:6px}\n"
    ".brand{color:var(--dim);font-weight:600;letter-spacing:.02em;margin:0}\n"
    ".note{color:var(--dim);font-size:13px;margin:6px 0}\n";

static const char head[] =
    "input[name=show]{position:fixed;top:0;left:0;opacity:0;"
    "pointer-events:none}\n"
    ".strip{display:flex;gap:3px;height:8px;margin:0 0 14px}\n"
    ".strip i{flex:1 1 4px;min-width:4px;border-radius:4px;"
    "background:currentColor}\n"
    ".l-pass{color:var(--pass)}.l-fail{color:var(--fail)}"
    ".l-warn{color:var(--warn)}.l-inconclusive{color:var(--inc)}"
    ".l-skip{color:var(--skip)}\n"
    ".filter{display:flex;flex-wrap:wrap;gap:8px;margin:0 0 14px}\n"
    ".filter label{border:1px solid var(--line);border-radius:999px;"
    "padding:4px 14px;cursor:pointer;background:var(--panel);"
    "user-select:none}\n"
    ".filter label:hover{border-color:currentColor}\n"
    ".facts{display:flex;flex-wrap:wrap;gap:2px 22px;font-size:14px;"
    "margin:0 0 12px}\n"
    ".facts div{display:flex;gap:8px;align-items:baseline}"
    ".facts .wide{flex-basis:100%}\n"
    ".facts dt{color:var(--dim);white-space:nowrap}\n"
    ".legend{font-size:14px;margin:0 0 14px}\n"
    ".legend>summary{color:var(--dim)}\n"
    ".legend ul{display:flex;flex-wrap:wrap;gap:4px 20px;padding:8px 0}\n"
    ".k{display:inline-block;width:22px;height:12px;margin-right:8px;"
    "border-radius:2px;vertical-align:-1px}\n"
    ".k.g{background:var(--good)}.k.f{background:var(--fault)}"
    ".k.c{background:var(--cut)}"
    ".k.s{background:var(--side);border:0;border-radius:2px;margin:0 8px 0 0}"
    ".k.w{background:var(--good);opacity:.35}"
    ".k.win{background:var(--win);opacity:.28}"
    ".k.broken{background:var(--hit);opacity:.28}"
    ".k.wait{height:0;border-top:2px dashed var(--dim);vertical-align:4px}"
    ".k.left{width:3px;background:var(--fg);margin:0 17px 0 10px}"
    ".k.ec{width:2px;background:var(--fg);margin:0 17px 0 11px}"
    ".k.ep{width:9px;height:9px;border:1.5px solid var(--fg);"
    "border-radius:50%;margin:0 13px 0 8px}"
    ".k.ee{width:10px;height:10px;border-radius:0;background:var(--cut);"
    "margin:0 12px 0 8px}"
    ".k.et{width:12px;height:10px;border-radius:0;background:var(--good);"
    "clip-path:polygon(50% 0,100% 100%,0 100%);margin:0 11px 0 7px}"
    ".k.life{height:4px;background:var(--dim);vertical-align:3px}\n";

static const char scenario[] =
    ".s{border:1px solid var(--line);border-radius:8px;margin:0 0 6px;"
    "border-left:4px solid var(--skip)}\n"
    ".s-pass{border-left-color:var(--pass)}.s-fail{border-left-color:"
    "var(--fail)}.s-warn{border-left-color:var(--warn)}.s-inconclusive{"
    "border-left-color:var(--inc)}\n"
    ".s>summary{display:grid;grid-template-columns:104px minmax(0,1fr) auto;"
    "gap:2px 12px;align-items:baseline;padding:8px 12px;list-style:none}\n"
    ".s>summary::-webkit-details-marker{display:none}\n"
    ".s>summary:hover{background:var(--panel)}\n"
    ".s[open]>summary{border-bottom:1px solid var(--line)}\n"
    ".n{font-size:14px;font-weight:600}.dir{color:var(--dim);"
    "font-weight:400}\n"
    ".m{color:var(--dim);font-size:13px;white-space:nowrap}\n"
    ".r{grid-column:2/4;grid-row:2;color:var(--dim);font-size:14px}\n"
    ".s[open]>summary>.r{display:none}\n"
    ".body{padding:12px 14px 14px}\n"
    ".why{color:var(--dim)}.reason{font-weight:600}\n"
    ".v{display:inline-block;border-radius:999px;padding:0 9px;"
    "font:600 12px/20px system-ui,sans-serif;background:var(--skip);"
    "color:var(--on)}\n"
    ".s>summary>.v{justify-self:start;white-space:nowrap}\n"
    ".v-pass{background:var(--pass)}.v-fail{background:var(--fail)}"
    ".v-warn{background:var(--warn)}.v-inconclusive{background:var(--inc)}\n"
    ".checks li{padding:8px 0;border-top:1px solid var(--line)}\n"
    ".checks li:first-child{border-top:0;padding-top:2px}\n"
    ".checks p{margin:0}\n"
    ".checks dl{display:grid;grid-template-columns:max-content 1fr;"
    "gap:0 12px;font:13px/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,"
    "\"DejaVu Sans Mono\",\"Liberation Mono\",monospace;margin:4px 0 0 4px}\n"
    ".checks dt,.metrics dt{color:var(--dim)}\n"
    ".c-fail dl dd:last-child{color:var(--fail);font-weight:600}\n"
    ".tag{border:1px solid var(--line);border-radius:4px;padding:0 6px;"
    "font-size:12px;color:var(--dim)}\n"
    ".copies{display:flex;flex-wrap:wrap;gap:4px 18px}\n"
    ".io{margin:14px 0 0}\n.io>summary{color:var(--dim);font-size:14px}\n"
    ".out{max-height:420px;overflow:auto}\n"
    ".again{user-select:all;cursor:copy;border-left:3px solid var(--link)}\n"
    ".metrics{display:flex;flex-wrap:wrap;gap:2px 8px;font-size:13px;"
    "margin:6px 0}\n.metrics dd{margin-right:12px;font-weight:600}\n";

static const char picture[] =
    "figure{margin:12px 0}\n"
    ".scroll{overflow-x:auto;border:1px solid var(--line);border-radius:6px;"
    "padding:8px}\n"
    "svg{display:block;width:100%;min-width:760px;height:auto}\n"
    "svg text{font-size:11px;fill:var(--fg)}\n"
    "svg .lane{font-weight:700}\n"
    ".grid{stroke:var(--line);stroke-width:1}\n"
    ".b rect{fill:var(--good)}.b.f rect{fill:var(--fault)}"
    ".b.c rect{fill:var(--cut)}.b.s rect,.b.r rect,.b.h rect{"
    "fill:var(--side)}\n"
    ".b rect.w{fill-opacity:.35}\n"
    ".tear{fill:none;stroke:var(--bg);stroke-width:2}\n"
    ".left{stroke:var(--fg);stroke-width:2}\n"
    ".wait{fill:none;stroke:var(--dim);stroke-dasharray:3 3}\n"
    ".win rect{fill:var(--win);fill-opacity:.22}"
    ".win.broken rect{fill:var(--hit);fill-opacity:.2}\n"
    ".ec,.ep{fill:none;stroke:var(--fg);stroke-width:1.2}"
    ".ee{fill:var(--cut)}.et{fill:var(--good)}\n"
    ".life rect{fill:var(--dim)}\n";

static const char narrow[] =
    "@media(max-width:600px){body{padding:10px;font-size:16px}"
    "h1{font-size:22px}"
    ".s>summary{grid-template-columns:auto minmax(0,1fr);padding:10px}"
    ".m,.r{grid-column:1/3;grid-row:auto}"
    ".body{padding:10px}.checks dl{grid-template-columns:1fr;"
    "margin-left:0}}\n"
    "@media print{.s{break-inside:avoid}.filter,.legend{display:none}}\n";

/* The button of a verdict shows its scenarios and no others. */
static void add_filter(const char *name, struct buf *out)
{
  buf_addf(out, "#f-%s:checked~main>.s:not(.s-%s){display:none}\n", name, name);
}

/* The label of the button that is pressed, and of the one with the focus. */
static void add_label(const char *name, struct buf *out)
{
  buf_addf(out,
           "#f-%s:checked~header label[for=f-%s]{background:var(--fg);"
           "color:var(--bg);border-color:var(--fg)}\n"
           "#f-%s:focus-visible~header label[for=f-%s]{outline:2px solid "
           "var(--link);outline-offset:2px}\n",
           name, name, name, name);
}

void html_style(struct buf *out)
{
  static const char *const parts[] = {palettes, base,    head,
                                      scenario, picture, narrow};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    buf_adds(out, parts[i]);
  add_label("all", out);
  for (int v = 0; v < NVERDICTS; v++) {
    add_filter(verdict_name((enum verdict)v), out);
    add_label(verdict_name((enum verdict)v), out);
  }
}
