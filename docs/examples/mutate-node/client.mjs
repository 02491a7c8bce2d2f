// A small right client: what plan.json beside it breaks, one thing at a time.
const BASE_MS = Number(process.env.BACKOFF_BASE_MS ?? 400), LONGEST_MS = 3000, ATTEMPTS = 3;
let hits = 0, sleptMs = 0;

class Failed extends Error {
  constructor(status, hint) { super(String(status)); this.status = status; this.hint = hint; }
}
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

function read(body) {
  let text = '', ended = false;
  for (const line of body.split('\n')) {
    if (!line.startsWith('data:')) continue;
    const event = JSON.parse(line.slice(5));
    if (event.type === 'error') throw new Failed(529);
    text += event.delta?.text ?? '';
    ended ||= event.type === 'message_stop';
  }
  if (!ended) throw new Failed(0);
  return text;
}

async function call() {
  const answer = await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', {
    method: 'POST', signal: AbortSignal.timeout(10000),
    headers: { 'content-type': 'application/json', 'x-api-key': process.env.ANTHROPIC_API_KEY },
    body: JSON.stringify({ model: 'm', max_tokens: 64, stream: true, messages: [{ role: 'user', content: 'hello' }] }),
  });
  if (answer.status !== 200) throw new Failed(answer.status, answer.headers.get('retry-after'));
  return read(await answer.text());
}

async function main() {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      console.log(await call());
      return 0;
    } catch (error) {
      const status = error.status ?? 0; // 0: no answer at all
      if (status === 429 || status === 529) hits++;
      const passing = [0, 429, 529].includes(status) || status >= 500;
      const waitMs = error.hint ? Number(error.hint) * 1000 : BASE_MS * 4 ** attempt;
      if (!passing || waitMs > LONGEST_MS || attempt + 1 === ATTEMPTS) return 1;
      sleptMs += waitMs;
      await sleep(waitMs);
    }
  }
}

const code = await main();
console.error(`rate_limit metrics hits=${hits} backoff_total=${(sleptMs / 1000).toFixed(1)}s`);
process.exit(code);
