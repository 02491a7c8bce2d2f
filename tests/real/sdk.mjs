#!/usr/bin/env node
// sdk.mjs FOLDER PACKAGE HOW - one prompt through a published SDK, as its
// documentation shows it. HOW: raw (iterate over the events) or final (wait
// for the finished message).
import { createRequire } from 'node:module';

const [folder, name, how] = process.argv.slice(2);
const loaded = createRequire(folder + '/')(name);
const Client = loaded.default ?? loaded;
const client = new Client();
const messages = [{ role: 'user', content: 'hello' }];

async function anthropic() {
  const params = { model: 'm', max_tokens: 64, messages };
  if (how === 'final') {
    const message = await client.messages.stream(params).finalMessage();
    return message.content.map((block) => block.text).join('');
  }
  let text = '';
  const events = await client.messages.create({ ...params, stream: true });
  for await (const event of events)
    text += event.delta?.text ?? '';
  return text;
}

async function openai() {
  let text = '';
  const chunks = await client.chat.completions.create(
    { model: 'm', messages, stream: true });
  for await (const chunk of chunks)
    text += chunk.choices[0]?.delta?.content ?? '';
  return text;
}

console.log(await (name.startsWith('openai') ? openai() : anthropic()));
