import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Device } from '../../core/devices/device.ts';
import type { Devices } from '../../core/devices/devices.ts';
import { notFound } from '../../core/shared/errors.ts';
import type { OpenedFile } from '../../core/shared/files/file-area.ts';
import type { DeviceTree, TreeEntry } from '../../core/trees/device-tree.ts';
import type { DeviceTrees } from '../../core/trees/device-trees.ts';
import { repeatedCheck } from '../shared/files/repeated-check.ts';
import { sendFile } from '../shared/files/send-file.ts';
import { privateCacheControl } from '../shared/routes/cache-control.ts';
import { responseClosed } from '../shared/server/client-context.ts';
import { allowPauses } from '../shared/server/connections.ts';
import { htmlListing, listingForm, textListing } from './listing.ts';
import { OpenFiles } from './open-files.ts';

/** The services that the URLs of devices need. */
export interface PlayParts {
  readonly devices: Devices;
  readonly deviceTrees: DeviceTrees;
}

/** How long the result of a device check is valid, in milliseconds, if a check takes a query. */
const checkedMs = 1_000;

/**
 * Serves `/play/<secret>/<profile>/...`: the files of a device's set, read-only. Programs such as
 * PPSSPP read parts of the files without copying them. They send no credentials, so the URL
 * contains a secret.
 */
export function servePlay(app: FastifyInstance, parts: PlayParts): void {
  const files = new OpenFiles();
  app.addHook('onClose', async () => files.close());
  app.route({
    method: ['GET', 'HEAD'],
    url: '/play/*',
    schema: { hide: true },
    onSend: privateCacheControl({ sendsFiles: true }),
    handler: (request, reply) => handlePlayRequest(request, reply, { ...parts, files }),
  });
}

async function handlePlayRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  { devices, deviceTrees, files }: PlayParts & { files: OpenFiles },
) {
  const [, , secret = '', profile = '', ...names] = pathOf(request).split('/').map(decodeName);
  const checkedAt = performance.now();
  const device = await devices.authenticate(secret, request.ip);
  if (profile !== device.profile) throw notFound();
  const path = names.filter((name) => name !== '');
  const key = `${device.id} ${path.join('/')}`;
  let file = files.use(key);
  if (file === null) {
    const viewer = { userId: device.ownerId };
    const tree = await deviceTrees.open({ set: `${device.setId}`, profile }, viewer);
    const entry = path.length === 0 ? null : await tree.find(path);
    if (path.length > 0 && entry === null) throw notFound();
    if (entry === null || entry.isFolder) {
      devices.recordUse(device);
      return sendListing(request, reply, { tree, path, device });
    }
    file = files.add(key, { opened: await tree.open(path), entry });
  }
  const { opened, entry, release } = file;
  try {
    allowPauses(request);
    const find = async () => (await devices.find(secret)) !== null;
    const validMs = devices.requiresQuery ? checkedMs : 0;
    const isLive = repeatedCheck(find, { checkedAt, validMs });
    const body = whileLive(opened.file, { reply, isLive, release });
    const sent = await sendFile(request, reply, body, { type: opened.type });
    const isRead = request.method === 'GET' && [200, 206].includes(reply.statusCode);
    if (isRead && opened.library !== null) {
      const { system } = opened.library;
      const { name, size: bytes } = entry;
      devices.recordRead(device, { path: path.join('/'), name, system, bytes });
    } else devices.recordUse(device);
    return sent;
  } catch (error) {
    await release();
    throw error;
  }
}

const pathOf = ({ url }: FastifyRequest) => url.split('?', 1)[0] ?? '';

function decodeName(name: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(name);
  } catch {
    throw notFound();
  }
  if (/[/\0]/.test(decoded)) throw notFound();
  return decoded;
}

/**
 * Sends a listing with `Content-Length`. If the URL lacks the `/` at the end, a request for HTML is
 * redirected, because links are relative. A text listing is sent for such a URL too, because PPSSPP
 * requests folders without the `/`.
 */
async function sendListing(
  request: FastifyRequest,
  reply: FastifyReply,
  { tree, path, device }: { tree: DeviceTree; path: readonly string[]; device: Device },
) {
  const form = listingForm(request.headers);
  reply.header('vary', 'accept, user-agent');
  const url = pathOf(request);
  if (form === 'html' && !url.endsWith('/')) {
    return reply.redirect(`${url.slice(url.lastIndexOf('/') + 1)}/`, 302);
  }
  const entries: TreeEntry[] = [];
  for await (const entry of tree.list(path)) {
    if (reply.raw.closed) throw responseClosed; // the client left; listing may generate pictures
    entries.push(entry);
  }
  if (form === 'text') return reply.type('text/plain; charset=utf-8').send(textListing(entries));
  const title = `/${[device.setName, ...path].join('/')}`;
  const page = htmlListing(title, entries, path.length === 0);
  return reply.type('text/html; charset=utf-8').send(page);
}

/**
 * Returns the file with a `read` that aborts the response once `isLive` returns false. Revoking a
 * device's URL thereby stops its running downloads. Closing the file calls `release`.
 */
function whileLive(
  file: OpenedFile,
  {
    reply,
    isLive,
    release,
  }: { reply: FastifyReply; isLive: () => Promise<boolean>; release: () => Promise<void> },
): OpenedFile {
  return {
    ...{ name: file.name, size: file.size, mtimeNs: file.mtimeNs, etag: file.etag },
    head: (length) => file.head(length),
    async read(buffer, position) {
      if (!(await isLive())) {
        reply.raw.destroy();
        throw responseClosed;
      }
      return file.read(buffer, position);
    },
    stream: (range) => file.stream(range),
    close: release,
  };
}
