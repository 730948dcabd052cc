import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Accounts } from '../../core/accounts/accounts.ts';
import type { Viewer } from '../../core/shared/requests/viewer.ts';
import type { DeviceTrees } from '../../core/trees/device-trees.ts';
import { sendFile } from '../shared/files/send-file.ts';
import { sendPieces, yieldToEventLoop } from '../shared/files/send-pieces.ts';
import { privateCacheControl } from '../shared/routes/cache-control.ts';
import { allowPauses } from '../shared/server/connections.ts';
import { basicGrantOf, requireBasic } from './basic-access.ts';
import { davPath, hrefOf, namesOf } from './dav-path.ts';
import { type DavResource, findResource } from './dav-resource.ts';
import { guardedFile } from './guarded-file.ts';
import { finiteDepthError, multistatusEnd, multistatusStart, responseOf } from './multistatus.ts';
import { readXmlBody } from './read-body.ts';
import { readPropfind, type WantedProperties } from './read-propfind.ts';

export interface DavParts {
  readonly accounts: Accounts;
  readonly deviceTrees: DeviceTrees;
  /** Path prefix of all URLs; "" for the root. */
  readonly basePath: string;
}

const xmlType = 'application/xml; charset=utf-8';
const folderText = 'This is a WebDAV folder: open it in a WebDAV client.\n';
/** Length of a piece of a list, and the time after which it is sent even if it is shorter. */
const [pieceLength, pieceMs] = [16_384, 1_000];

/**
 * Adds the trees of sets as read-only WebDAV folders of class 1 (RFC 4918):
 * `/dav/<set>/<profile>/...`.
 */
export function addDav(app: FastifyInstance, parts: DavParts): void {
  app.addHttpMethod('PROPFIND');
  // Windows asks the root of the host before it maps a folder below it.
  app.route({
    ...{ url: '/', schema: { hide: true }, method: 'OPTIONS' },
    onRequest: ignoreBodyType,
    handler: describe,
  });
  for (const url of [davPath, `${davPath}/*`]) {
    const hidden = { url, schema: { hide: true } };
    app.route({ ...hidden, method: 'OPTIONS', onRequest: ignoreBodyType, handler: describe });
    app.route({
      ...{ ...hidden, method: 'PROPFIND', onRequest: requireBasic(parts.accounts) },
      onSend: privateCacheControl({ sendsFiles: false }),
      handler: (request, reply) => propfind(parts, request, reply),
    });
    app.route({
      ...{ ...hidden, method: 'GET', onRequest: requireBasic(parts.accounts) },
      onSend: privateCacheControl({ sendsFiles: true }),
      handler: (request, reply) => get(parts, request, reply),
    });
  }
}

/** A body of OPTIONS is not read, so its type does not matter. */
async function ignoreBodyType({ raw }: FastifyRequest): Promise<void> {
  delete raw.headers['content-type'];
}

async function describe(_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return reply
    .header('dav', '1')
    .header('allow', 'GET, HEAD, OPTIONS, PROPFIND')
    .header('ms-author-via', 'DAV')
    .header('cache-control', 'no-store')
    .send();
}

async function propfind(
  { deviceTrees, basePath }: DavParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { depth } = request.headers;
  if (depth !== '0' && depth !== '1') return reply.code(403).type(xmlType).send(finiteDepthError);
  const wanted = readPropfind(await readXmlBody(request.raw));
  const names = namesOf(request);
  const resource = await findResource(deviceTrees, names, viewerOf(request));
  const place = { basePath, names, wanted, isDeep: depth === '1' };
  reply.code(207);
  return sendPieces(request, reply, multistatus(resource, place), xmlType);
}

async function* multistatus(
  { entry, children }: DavResource,
  place: {
    readonly basePath: string;
    readonly names: readonly string[];
    readonly wanted: WantedProperties;
    readonly isDeep: boolean;
  },
): AsyncGenerator<string> {
  const { basePath, names, wanted, isDeep } = place;
  let piece = multistatusStart + responseOf(hrefOf(basePath, names, entry), entry, wanted);
  let since = performance.now();
  if (isDeep && entry.isFolder) {
    for await (const { segment, entry: child } of children()) {
      piece += responseOf(hrefOf(basePath, [...names, segment], child), child, wanted);
      if (piece.length < pieceLength && performance.now() - since < pieceMs) continue;
      yield piece;
      await yieldToEventLoop();
      [piece, since] = ['', performance.now()];
    }
  }
  yield piece + multistatusEnd;
}

async function get(
  { accounts, deviceTrees }: DavParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const names = namesOf(request);
  const viewer = viewerOf(request);
  const [set, profile, ...path] = names;
  if (set === undefined || profile === undefined) {
    await findResource(deviceTrees, names, viewer);
    return reply.type('text/plain; charset=utf-8').send(folderText);
  }
  const tree = await deviceTrees.open({ set, profile }, viewer);
  if ((await tree.find(path))?.isFolder) {
    return reply.type('text/plain; charset=utf-8').send(folderText);
  }
  const opened = await tree.open(path);
  allowPauses(request);
  const { credential, token } = basicGrantOf(request);
  const onStart = () => deviceTrees.recordDownload(opened, credential.user.id);
  const file = guardedFile(opened.file, { accounts, token, onStart });
  return sendFile(request, reply, file, { type: opened.type });
}

function viewerOf(request: FastifyRequest): Viewer {
  return { userId: basicGrantOf(request).credential.user.id };
}
