import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { UserClient } from '../measure/user-client.ts';
import { openSocket, requestHeader, uploadFrame, waitForText } from './tools/raw-socket.ts';

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

export const abortKinds: readonly Abort[] = [
  { abort: abortDownload, isDownload: true },
  upload(() => archiveLimit / 2),
  { abort: abortDownload, isDownload: true },
  upload(() => archiveLimit + 1),
  { abort: abortList },
  upload(() => 0),
  { abort: abortChunk },
  upload((i) => (i % 9 === 0 ? coverLimit + 1 : 9_000), '/api/cover/1'),
  { abort: abortJson },
];

function upload(size: (index: number) => number, path = '/api/store/upload'): Abort {
  return { abort: (url, admin, i) => abortUpload(url, admin, path, size(i), i) };
}

async function abortDownload(url: string, { token }: UserClient): Promise<boolean> {
  const socket = await openSocket(url);
  const arriving = waitForText(socket, '\r\n\r\n');
  const fields = { Authorization: `Bearer ${token}` };
  socket.write(requestHeader('GET', '/api/store/download/games/kept.zip', fields));
  const hasArrived = await arriving;
  socket.destroy();
  return hasArrived;
}

async function abortList(url: string): Promise<boolean> {
  const socket = await openSocket(url);
  await writeBytes(socket, requestHeader('GET', '/api/releases?limit=500', {}));
  socket.destroy();
  return true;
}

/** Aborts an upload. The form announces 1,000 bytes more than the client sends. */
async function abortUpload(
  url: string,
  { token }: UserClient,
  path: string,
  size: number,
  index: number,
): Promise<boolean> {
  const socket = await openSocket(url);
  const { fields, before } = uploadFrame(`cut-${index}.zip`, size + 1_000);
  const header = requestHeader('POST', path, { ...fields, Authorization: `Bearer ${token}` });
  await writeBytes(socket, header + before);
  await writeBytes(socket, Buffer.alloc(size));
  await setTimeout(20 * (index % 5)); // varies whether the server has opened the file yet
  socket.destroy();
  return true;
}

/** Aborts a chunk of a resumable upload, then deletes the upload. */
async function abortChunk(url: string, admin: UserClient): Promise<boolean> {
  const tus = { 'Tus-Resumable': '1.0.0', Authorization: `Bearer ${admin.token}` };
  const name = Buffer.from('chunks.zip').toString('base64');
  const created = await fetch(`${url}/api/uploads`, {
    method: 'POST',
    headers: {
      ...tus,
      'Upload-Length': '100000',
      'Upload-Metadata': `filename ${name},system ${Buffer.from('games').toString('base64')}`,
    },
  });
  const location = created.headers.get('location');
  if (created.status !== 201 || location === null) return false;
  const { pathname } = new URL(location, url);
  const socket = await openSocket(url);
  const fields = {
    'Upload-Offset': '0',
    'Content-Type': 'application/offset+octet-stream',
    'Content-Length': '100000',
  };
  await writeBytes(socket, requestHeader('PATCH', pathname, { ...tus, ...fields }));
  await writeBytes(socket, Buffer.alloc(50_000));
  await setTimeout(20);
  socket.destroy();
  for (let tries = 0; tries < 50; tries += 1) {
    const removed = await fetch(url + pathname, { method: 'DELETE', headers: tus });
    if (removed.status === 204) return true;
    await setTimeout(100); // the server is still storing the aborted chunk
  }
  return false;
}

async function abortJson(url: string, { token }: UserClient): Promise<boolean> {
  const socket = await openSocket(url);
  const fields = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const header = requestHeader('PATCH', '/api/releases/1', { ...fields, 'Content-Length': '5000' });
  await writeBytes(socket, `${header}{"name":`);
  await setTimeout(20);
  socket.destroy();
  return true;
}

/** Resolves when the OS has accepted the bytes, or when the server has closed the connection. */
function writeBytes(socket: Socket, bytes: string | Buffer): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve());
    socket.write(bytes, () => resolve());
    socket.resume();
  });
}
