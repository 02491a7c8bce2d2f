// A hundred requests with fetch; of tests/bench/virtual_cpu.
for (let i = 0; i < 100; i++) {
  const answer = await fetch(process.env.ANTHROPIC_BASE_URL + "/v1/messages",
    { method: "POST", body: '{"model":"m"}' });
  await answer.text();
}
