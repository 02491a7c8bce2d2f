// A small right client: what plan.json beside it breaks, one thing at a time.
const BASE_MS = Number(process.env.BACKOFF_BASE_MS ?? 400), LONGEST_MS = 3000, ATTEMPTS = 3;
const ENDPOINT = process.env.ANTHROPIC_BASE_URL + '/v1/messages';
const BODY = JSON.stringify({ model: 'm', max_tokens: 64, stream: true, messages: [{ role: 'user', content: 'hello' }] });
const HEADERS = { 'content-type': 'application/json', 'x-api-key': process.env.ANTHROPIC_API_KEY };
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

// The text, or the status and the retry-after; status 0: nothing, or no end of it.
async function call() {
  const answer = await fetch(ENDPOINT, { method: 'POST', headers: HEADERS, body: BODY, signal: AbortSignal.timeout(10000) });
  if (answer.status !== 200) return { status: answer.status, hint: answer.headers.get('retry-after') };
  const lines = (await answer.text()).split('\n').filter((line) => line.startsWith('data:'));
  const events = lines.map((line) => JSON.parse(line.slice(5)));
  if (events.some((event) => event.type === 'error')) return { status: 529 };
  if (!events.some((event) => event.type === 'message_stop')) return { status: 0 };
  return { status: 200, text: events.map((event) => event.delta?.text ?? '').join('') };
}

let hits = 0, sleptMs = 0, code = 1;
for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
  const { status, hint, text } = await call().catch(() => ({ status: 0 }));
  if (status === 200) {
    console.log(text);
    code = 0;
    break;
  }
  if (status === 429 || status === 529) hits++;
  const passing = [0, 429, 529].includes(status) || status >= 500;
  const waitMs = hint ? Number(hint) * 1000 : BASE_MS * 4 ** attempt;
  if (!passing || waitMs > LONGEST_MS || attempt + 1 === ATTEMPTS) break;
  sleptMs += waitMs;
  await sleep(waitMs);
}
console.error(`rate_limit metrics hits=${hits} backoff_total=${(sleptMs / 1000).toFixed(1)}s`);
process.exit(code);
