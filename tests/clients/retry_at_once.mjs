#!/usr/bin/env node
// Counts its tries, as it should, but never reads retry-after and never waits.
const body = { model: 'm', max_tokens: 64, stream: true, messages: [] };
for (let attempt = 1; attempt <= 4; attempt++) {
  const answer = await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', {
    method: 'POST',
    headers: { 'content-type': 'application/json',
               'x-api-key': process.env.ANTHROPIC_API_KEY },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (answer.status === 200) {
    for (const line of text.split('\n'))
      if (line.startsWith('data:'))
        process.stdout.write(JSON.parse(line.slice(5)).delta?.text ?? '');
    process.exit(0);
  }
}
process.exit(1);
