import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { UserClient } from '../measure/user-client.ts';
import { comes, headOf, openSocket, uploadFrame } from './tools/raw-socket.ts';

/** Maximum size of an archive and of a cover that the server accepts, in bytes. */
export const archiveLimit = 4 * 1_048_576;
const coverLimit = 20 * 1_048_576;

/**
 * Sends a request and aborts it. Resolves to false if the abort did not happen, because the server
 * was not yet at that point.
 */
export interface Abort {
  readonly isDownload?: true;
  abort(url: string, admin: UserClient, index: number): Promise<boolean>;
}

export const kinds: readonly Abort[] = [
  { abort: amidDownload, isDownload: true },
  upload(() => archiveLimit / 2),
  { abort: amidDownload, isDownload: true },
  upload(() => archiveLimit + 1),
  { abort: amidList },
  upload(() => 0),
  { abort: amidChunk },
  upload((i) => (i % 9 === 0 ? coverLimit + 1 : 9_000), '/api/cover/1'),
  { abort: amidJson },
];

function upload(size: (index: number) => number, path = '/api/store/upload'): Abort {
  return { abort: (url, admin, i) => amidUpload(url, admin, path, size(i), i) };
}

async function amidDownload(url: string, { token }: UserClient): Promise<boolean> {
  const socket = await openSocket(url);
  const coming = comes(socket, '\r\n\r\n');
  const fields = { Authorization: `Bearer ${token}` };
  socket.write(headOf('GET', '/api/store/download/games/kept.zip', fields));
  const came = await coming;
  socket.destroy();
  return came;
}

async function amidList(url: string): Promise<boolean> {
  const socket = await openSocket(url);
  await written(socket, headOf('GET', '/api/releases?limit=500', {}));
  socket.destroy();
  return true;
}

/** Aborts an upload. The form announces 1,000 bytes more than the client sends. */
async function amidUpload(
  url: string,
  { token }: UserClient,
  path: string,
  size: number,
  index: number,
): Promise<boolean> {
  const socket = await openSocket(url);
  const { fields, before } = uploadFrame(`cut-${index}.zip`, size + 1_000);
  const head = headOf('POST', path, { ...fields, Authorization: `Bearer ${token}` });
  await written(socket, head + before);
  await written(socket, Buffer.alloc(size));
  await setTimeout(20 * (index % 5)); // varies whether the server has opened the file yet
  socket.destroy();
  return true;
}

/** Aborts a chunk of a resumable upload, then deletes the upload. */
async function amidChunk(url: string, admin: UserClient): Promise<boolean> {
  const tus = { 'Tus-Resumable': '1.0.0', Authorization: `Bearer ${admin.token}` };
  const name = Buffer.from('chunks.zip').toString('base64');
  const begun = await fetch(`${url}/api/uploads`, {
    method: 'POST',
    headers: {
      ...tus,
      'Upload-Length': '100000',
      'Upload-Metadata': `filename ${name},system ${Buffer.from('games').toString('base64')}`,
    },
  });
  const address = begun.headers.get('location');
  if (begun.status !== 201 || address === null) return false;
  const { pathname } = new URL(address, url);
  const socket = await openSocket(url);
  const fields = {
    'Upload-Offset': '0',
    'Content-Type': 'application/offset+octet-stream',
    'Content-Length': '100000',
  };
  await written(socket, headOf('PATCH', pathname, { ...tus, ...fields }));
  await written(socket, Buffer.alloc(50_000));
  await setTimeout(20);
  socket.destroy();
  for (let tries = 0; tries < 50; tries += 1) {
    const removed = await fetch(url + pathname, { method: 'DELETE', headers: tus });
    if (removed.status === 204) return true;
    await setTimeout(100); // the server is still storing the aborted chunk
  }
  return false;
}

async function amidJson(url: string, { token }: UserClient): Promise<boolean> {
  const socket = await openSocket(url);
  const fields = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const head = headOf('PATCH', '/api/releases/1', { ...fields, 'Content-Length': '5000' });
  await written(socket, `${head}{"name":`);
  await setTimeout(20);
  socket.destroy();
  return true;
}

/** Resolves when the OS has accepted the bytes, or when the server has closed the connection. */
function written(socket: Socket, bytes: string | Buffer): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve());
    socket.write(bytes, () => resolve());
    socket.resume();
  });
}
