// fetch and setTimeout, for Node.js and Bun. An idle timer of 300 s aborts.
const URL_ = process.env.ANTHROPIC_BASE_URL + "/v1/messages";
const BODY = JSON.stringify({ model: "m", max_tokens: 64, stream: true,
  messages: [{ role: "user", content: "hello" }] });
const TRIES = 4;
const READ_TIMEOUT_MS = 300000;

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

function waitMs(number, headers) {
  const asked = headers.get("retry-after");
  const reset = headers.get("anthropic-ratelimit-unified-reset");
  const ms = asked ? Number(asked) * 1000
    : reset ? Number(reset) * 1000 - Date.now() : 1000 * 2 ** (number - 1);
  console.log("wait " + (ms / 1000).toFixed(6));
  return ms;
}

async function textOf(answer, stop) {
  let timer;
  const wind = () => {
    clearTimeout(timer);
    timer = setTimeout(() => stop.abort(), READ_TIMEOUT_MS);
  };
  let all = "";
  const decoder = new TextDecoder();
  wind();
  for await (const piece of answer.body) {
    all += decoder.decode(piece, { stream: true });
    wind();
  }
  clearTimeout(timer);
  return all.split("\n").filter((line) => line.startsWith("data:"))
    .map((line) => JSON.parse(line.slice(5)).delta?.text ?? "").join("");
}

async function ask() {
  for (let number = 1; number <= TRIES; number++) {
    const stop = new AbortController();
    const answer = await fetch(URL_, { method: "POST", body: BODY,
      signal: stop.signal });
    if (answer.status === 200) return await textOf(answer, stop);
    await answer.text();
    await sleep(waitMs(number, answer.headers));
  }
  throw new Error("refused to the end");
}

try {
  console.log(await ask());
} catch (error) {
  console.error(String(error));
  process.exit(1);
}
