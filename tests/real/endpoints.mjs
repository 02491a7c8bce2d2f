#!/usr/bin/env node
// endpoints.mjs FOLDER PACKAGE BASE - everything a published SDK offers
// besides generation calls and that faultwire answers, as its documentation
// shows it. Ends with 0 when each answer is what the SDK makes of a right
// one; prints what is not.
import assert from 'node:assert';
import { createRequire } from 'node:module';

const [folder, name, base] = process.argv.slice(2);
const loaded = createRequire(folder + '/')(name);
const Client = loaded.default ?? loaded;
const toFile = loaded.toFile ?? Client.toFile;

async function until(look, over) {
  for (let i = 0; i < 5; i++) {
    const seen = await look();
    if (over(seen)) return seen;
  }
  assert.fail('it does not end');
}

async function anthropic() {
  const client = new Client({ baseURL: base, apiKey: 'dummy', maxRetries: 0 });
  const models = [];
  for await (const model of client.models.list()) models.push(model.id);
  assert.deepStrictEqual(models, ['claude-x']);
  assert.equal((await client.models.retrieve('m')).id, 'm');
  const messages = [{ role: 'user', content: 'hello' }];
  const count = await client.messages.countTokens({ model: 'm', messages });
  assert(count.input_tokens > 0);
  const params = { model: 'm', max_tokens: 64, messages };
  const made = await client.messages.batches.create({
    requests: [{ custom_id: 'a', params }, { custom_id: 'b', params }] });
  assert.equal(made.processing_status, 'in_progress');
  await assert.rejects(client.messages.batches.results(made.id));
  const done = await until(() => client.messages.batches.retrieve(made.id),
                           (batch) => batch.processing_status === 'ended');
  assert.deepStrictEqual(done.request_counts, {
    processing: 0, succeeded: 1, errored: 1, canceled: 0, expired: 0 });
  const results = [];
  for await (const r of await client.messages.batches.results(made.id))
    results.push([r.custom_id, r.result.type, r.result.message?.content[0].text]);
  assert.deepStrictEqual(results, [['a', 'succeeded', 'Hello from faultwire.'],
                                   ['b', 'errored', undefined]]);
  const other = await client.messages.batches.create({
    requests: [{ custom_id: 'c', params }] });
  assert.equal((await client.messages.batches.cancel(other.id))
    .processing_status, 'canceling');
  const ids = [];
  for await (const batch of client.messages.batches.list({ limit: 1 }))
    ids.push(batch.id);
  // others may have left some as well
  assert.deepStrictEqual(ids.slice(0, 2), [other.id, made.id]);
  await client.messages.batches.delete(made.id);
  await assert.rejects(client.messages.batches.retrieve(made.id),
                       { status: 404 });
}

async function openai() {
  const client = new Client({
    baseURL: base + '/v1', apiKey: 'dummy', maxRetries: 0 });
  const models = [];
  for await (const model of client.models.list()) models.push(model.id);
  assert.deepStrictEqual(models, ['gpt-x']);
  assert.equal((await client.models.retrieve('m')).id, 'm');
  const lines = ['a', 'b'].map((id) => JSON.stringify({
    custom_id: id, method: 'POST', url: '/v1/chat/completions',
    body: { model: 'm', messages: [] } })).join('\n');
  const file = await client.files.create({
    file: await toFile(Buffer.from(lines), 'in.jsonl'), purpose: 'batch' });
  assert.equal(file.bytes, lines.length);
  assert.equal((await client.files.retrieve(file.id)).filename, 'in.jsonl');
  assert.equal(await (await client.files.content(file.id)).text(), lines);
  const batch = await client.batches.create({
    input_file_id: file.id, endpoint: '/v1/chat/completions',
    completion_window: '24h', metadata: { who: 'me' } });
  assert.equal(batch.metadata.who, 'me');
  const done = await until(() => client.batches.retrieve(batch.id),
                           (b) => b.status === 'completed');
  assert.deepStrictEqual(done.request_counts,
                         { total: 2, completed: 1, failed: 1 });
  const output = await (await client.files.content(done.output_file_id)).text();
  const first = JSON.parse(output.trim());
  assert.equal(first.custom_id, 'a');
  assert.equal(first.response.body.choices[0].message.content,
               'Hello from faultwire.');
  const again = await client.batches.create({
    input_file_id: file.id, endpoint: '/v1/chat/completions',
    completion_window: '24h' });
  assert.equal((await client.batches.cancel(again.id)).status, 'cancelling');
  const ids = [];
  for await (const b of client.batches.list({ limit: 1 })) ids.push(b.id);
  assert.deepStrictEqual(ids.slice(0, 2), [again.id, batch.id]);
  const texts = await client.embeddings.create({
    model: 'e', input: ['x', 'y', 'x'], dimensions: 16 });
  const [x, y, z] = texts.data.map((d) => Array.from(d.embedding));
  assert.equal(x.length, 16);
  assert.deepStrictEqual(x, z);
  assert.notDeepStrictEqual(x, y);
  assert(Math.abs(Math.hypot(...x) - 1) < 1e-5);
  assert((await client.files.delete(file.id)).deleted);
  await assert.rejects(client.files.retrieve(file.id), { status: 404 });
}

await (name.startsWith('openai') ? openai() : anthropic());
