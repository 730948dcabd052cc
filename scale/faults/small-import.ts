import { setTimeout } from 'node:timers/promises';
import { game, xml } from '../../test/imports/support/dat-text.ts';
import { metadataOf } from '../../test/support/http/tus.ts';
import type { Client } from './client.ts';
import { outcomeOfWrite } from './record.ts';
import type { Turn } from './turn.ts';

const releases = ['a', 'b', 'c'];
const attempts = 60;
const pauseMs = 500;
const version = { 'tus-resumable': '1.0.0' };

/**
 * Uploads a DAT with new releases and starts its import. The write is acknowledged when the job was
 * accepted; the releases exist when the job has ended.
 */
export async function importOnce({ client, record, turn }: Turn): Promise<void> {
  const name = `Fault-${turn}-`;
  const file = `fault-${turn}.dat`;
  const rows = releases.map((each) => game(`${name}${each}`, `${turn} ${each}`));
  const dat = Buffer.from(xml(rows, `Test - Fault ${turn}`));
  const write = { item: `import ${name}`, entry: `import ${file}` };
  await record.write(write.item, String(releases.length), write.entry, async () => {
    const upload = await sendDat(client, file, dat);
    if (upload === null) return 'refused';
    const { status, job } = await startImport(client, upload);
    if (job !== null) record.recordJob(job, { ...write, undone: '0' });
    return outcomeOfWrite(status);
  });
}

/** Returns the id of the upload; null if it failed. */
async function sendDat(client: Client, filename: string, dat: Buffer): Promise<number | null> {
  const metadata = metadataOf({ filename, system: 'dats' });
  const created = await client.send('/api/uploads', {
    method: 'POST',
    headers: { ...version, 'upload-length': `${dat.length}`, 'upload-metadata': metadata },
  });
  const path = created.headers.location;
  if (created.status !== 201 || path === undefined) return null;
  const type = 'application/offset+octet-stream';
  const headers = { ...version, 'content-type': type, 'upload-offset': '0' };
  const { status } = await client.send(path, { method: 'PATCH', headers, body: dat });
  if (status !== 204) return null;
  for (let left = attempts; left > 0; left -= 1) {
    const reply = await client.send(path);
    const { id, state } = reply.status === 200 ? (reply.json as { id: number; state: string }) : {};
    if (state === 'done') return id ?? null;
    if (state === 'failed') return null;
    await setTimeout(pauseMs);
  }
  return null;
}

/** Starts the import. If another import is running, tries again later. */
async function startImport(
  client: Client,
  upload: number,
): Promise<{ status: number; job: number | null }> {
  const json = { kind: 'import', options: { uploads: [upload] } };
  for (let left = attempts; ; left -= 1) {
    const reply = await client.send('/api/jobs', { json });
    const { status } = reply;
    if (status !== 409 || left === 0)
      return { status, job: status === 200 ? (reply.json as { id: number }).id : null };
    await setTimeout(pauseMs);
  }
}
