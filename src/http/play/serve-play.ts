import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Device } from '../../core/devices/device.ts';
import type { Devices } from '../../core/devices/devices.ts';
import { notFound } from '../../core/shared/errors.ts';
import type { OpenedFile } from '../../core/shared/files/file-area.ts';
import type { DeviceTree, TreeEntry } from '../../core/trees/device-tree.ts';
import type { DeviceTrees } from '../../core/trees/device-trees.ts';
import { sendFile } from '../shared/files/send-file.ts';
import { privateCacheControl } from '../shared/routes/cache-control.ts';
import { responseClosed } from '../shared/server/client-context.ts';
import { allowPauses } from '../shared/server/connections.ts';
import { htmlListing, listingForm, textListing } from './listing.ts';

/** The services that addresses of devices use. */
export interface PlayParts {
  readonly devices: Devices;
  readonly deviceTrees: DeviceTrees;
}

/**
 * Serves `/play/<secret>/<profile>/...`: the files of the set of a device, for reading. Programs
 * such as PPSSPP read parts of the files without copying them, and send no credentials, so that the
 * address contains a secret.
 */
export function servePlay(app: FastifyInstance, parts: PlayParts): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/play/*',
    schema: { hide: true },
    onSend: privateCacheControl({ sendsFiles: true }),
    handler: (request, reply) => answer(request, reply, parts),
  });
}

async function answer(request: FastifyRequest, reply: FastifyReply, parts: PlayParts) {
  const { devices, deviceTrees } = parts;
  const [, , secret = '', profile = '', ...names] = pathOf(request).split('/').map(decodeName);
  const device = await devices.authenticate(secret, request.ip);
  if (profile !== device.profile) throw notFound();
  const path = names.filter((name) => name !== '');
  const tree = await deviceTrees.open(
    { set: `${device.setId}`, profile },
    { userId: device.ownerId },
  );
  const entry = path.length === 0 ? null : await tree.find(path);
  if (path.length > 0 && entry === null) throw notFound();
  if (entry === null || entry.isFolder) {
    devices.noteUse(device);
    return sendListing(request, reply, { tree, path, device });
  }
  allowPauses(request);
  const { file, type, library } = await tree.open(path);
  const isLive = async () => (await devices.find(secret)) !== null;
  const sent = await sendFile(request, reply, whileLive(file, reply, isLive), { type });
  const isRead = request.method === 'GET' && [200, 206].includes(reply.statusCode);
  if (isRead && library !== null) {
    const { system } = library;
    devices.noteRead(device, { path: path.join('/'), name: entry.name, system, bytes: entry.size });
  } else devices.noteUse(device);
  return sent;
}

const pathOf = ({ url }: FastifyRequest) => url.split('?', 1)[0] ?? '';

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw notFound();
  }
}

/**
 * Sends a listing with `Content-Length`. A folder without `/` at the end is listed as text, because
 * PPSSPP asks for it without, and redirected otherwise, because links are relative.
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
  for await (const entry of tree.list(path)) entries.push(entry);
  if (form === 'text') return reply.type('text/plain; charset=utf-8').send(textListing(entries));
  const title = `/${[device.setName, ...path].join('/')}`;
  const page = htmlListing(title, entries, path.length === 0);
  return reply.type('text/html; charset=utf-8').send(page);
}

/**
 * Returns the file with reads that end the response once `isLive` returns false, so that a revoked
 * address stops a download that is under way.
 */
function whileLive(
  file: OpenedFile,
  reply: FastifyReply,
  isLive: () => Promise<boolean>,
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
    close: () => file.close(),
  };
}
