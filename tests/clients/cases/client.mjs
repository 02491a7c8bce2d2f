#!/usr/bin/env node
// The incidents that are Node's own: its timers, its numbers and its dates.
// Without --bug a right client of OpenAI's Chat, as far as these go.
const CAP_MS = 300000;
const options = process.argv.slice(2);
const bug = options[options.indexOf('--bug') + 1] ?? '';
const has = options.includes('--bug');

function backoffMs(n) {
  return 1200 * 2 ** (n - 1) * (0.8 + 0.4 * Math.random());
}

const digits = (value) =>
  /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : NaN;
const date = (value) =>
  /GMT$/.test(value) ? Date.parse(value) - Date.now() : NaN;

// Milliseconds, NaN when nothing was asked for that can be read.
function askedMs(value) {
  if (value === null) return NaN;
  const plain = digits(value);
  return Number.isNaN(plain) ? date(value) : plain;
}

const bugs = {
  // B020: the variable is a number before the branch of the date reads it.
  'date-is-nan': (value) => Number(value) * 1000,
  // B023: /^\d+$/ or a date; Date.parse() finds one in 1.5 and in -3. The
  // ceiling was 30 s; 7 s are as wrong.
  'number-is-a-year': (value) =>
    /^\d+$/.test(value)
      ? Number(value) * 1000
      : Math.min(Math.abs(Date.parse(value) - Date.now()), 7000),
  // B029, B031: no ceiling; above 2^31-1 a timer fires after a millisecond.
  'timer-overflow': (value) => Number(value) * 1000,
};

async function call() {
  const url = `${process.env.OPENAI_BASE_URL}/chat/completions`;
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer x' },
    body: JSON.stringify({
      model: 'm', messages: [{ role: 'user', content: 'hello' }] }),
  });
  const text = await answer.text();
  if (answer.status !== 200) return [answer.headers.get('retry-after'), ''];
  return [null, JSON.parse(text).choices[0].message.content];
}

for (let n = 1; n <= (has ? 100 : 4); n++) {
  const [asked, text] = await call();
  if (text) {
    console.log(text);
    process.exit(0);
  }
  let ms = has ? bugs[bug](asked) : askedMs(asked) + 100;
  if (!has && Number.isNaN(ms)) ms = backoffMs(n);
  console.error(`client: class=rate_limit, retry in ${ms / 1000} s`);
  if (!has && ms > CAP_MS) break;
  await new Promise((done) => setTimeout(done, ms));
}
process.exit(75);
