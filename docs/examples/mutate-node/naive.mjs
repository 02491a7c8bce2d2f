// Not a mutant by an edit but another client: asks once, believes every 200.
const answer = await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', {
  method: 'POST', headers: { 'content-type': 'application/json', 'x-api-key': process.env.ANTHROPIC_API_KEY },
  body: JSON.stringify({ model: 'm', max_tokens: 64, stream: true, messages: [{ role: 'user', content: 'hello' }] }),
});
for (const line of (await answer.text()).split('\n'))
  if (line.startsWith('data:')) process.stdout.write(JSON.parse(line.slice(5)).delta?.text ?? '');
