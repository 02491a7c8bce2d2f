#!/usr/bin/env node
// A right client in JavaScript: four tries, full jitter over a floor, stops
// above five seconds.
const sleep = (s) => new Promise((done) => setTimeout(done, s * 1000));

async function once() {
  const answer = await fetch(`${process.env.ANTHROPIC_BASE_URL}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": "none" },
    body: JSON.stringify({ model: "m", max_tokens: 64,
      messages: [{ role: "user", content: "hello" }] }),
    signal: AbortSignal.timeout(3000) });
  const text = await answer.text();
  if (answer.ok) return { text: JSON.parse(text).content[0].text };
  const asked = answer.headers.get("retry-after");
  return { status: answer.status, asked: asked === null ? null : Number(asked) };
}

let last = {};
for (let number = 1; number <= 4; number++) {
  last = await once().catch(() => ({ status: 0, asked: null }));
  if (last.text !== undefined) {
    console.log(last.text);
    process.exit(0);
  }
  if (last.status >= 400 && last.status < 429) break;
  const wait = last.asked ?? 0.1 + Math.random() * 0.2 * 2 ** number;
  if (wait > 5 || number === 4) break;
  await sleep(wait);
}
console.error(`failed: ${last.status}`);
process.exit(1);
