import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Accounts } from '../../core/accounts/accounts.ts';
import { FairLimiter } from '../../core/shared/concurrency/fair-limiter.ts';
import { currentClient } from '../../core/shared/requests/client-context.ts';
import type { Viewer } from '../../core/shared/requests/viewer.ts';
import type { DeviceTrees } from '../../core/trees/device-trees.ts';
import { sendFile } from '../shared/files/send-file.ts';
import { sendPieces, yieldToEventLoop } from '../shared/files/send-pieces.ts';
import { privateCacheControl } from '../shared/routes/cache-control.ts';
import { allowPauses } from '../shared/server/connections.ts';
import { accessCheck } from './access-check.ts';
import { basicGrantOf, requireBasic } from './basic-access.ts';
import { davPath, hrefOf, namesOf } from './dav-path.ts';
import { type DavResource, findResource } from './dav-resource.ts';
import { guardedFile } from './guarded-file.ts';
import {
  finiteDepthError,
  multistatusEnd,
  multistatusStart,
  responseWriter,
  type WriteResponse,
} from './multistatus.ts';
import { readXmlBody } from './read-body.ts';
import { readPropfind } from './read-propfind.ts';

export interface DavParts {
  readonly accounts: Accounts;
  readonly deviceTrees: DeviceTrees;
  /** Path prefix of all URLs; "" for the root. */
  readonly basePath: string;
}

const xmlType = 'application/xml; charset=utf-8';
const folderText = 'This is a WebDAV folder: open it in a WebDAV client.\n';
/**
 * Number of characters after which a piece of a list is sent, and the time in milliseconds after
 * which a shorter piece is sent.
 */
const [pieceLength, pieceMs] = [16_384, 1_000];

/**
 * Limits of the folder lists that are sent concurrently, and of those that wait. Both have a limit
 * in total and one per client network. A list keeps its tree in memory for as long as its client
 * reads.
 */
const lists = new FairLimiter({ all: 12, maxPerOwner: 4 }, { max: 200, maxPerOwner: 40 });

/**
 * Adds the trees of sets as read-only WebDAV folders of class 1 (RFC 4918):
 * `/dav/<set>/<profile>/...`.
 */
export function addDav(app: FastifyInstance, parts: DavParts): void {
  app.addHttpMethod('PROPFIND');
  app.decorateRequest('basicGrant');
  // Windows sends a request to the root of the host before it maps a folder below it.
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

/**
 * Removes the content type of an OPTIONS request. Its body is not read, so its type does not
 * matter.
 */
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
  { accounts, deviceTrees, basePath }: DavParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { depth } = request.headers;
  if (depth !== '0' && depth !== '1') return reply.code(403).type(xmlType).send(finiteDepthError);
  const write = responseWriter(readPropfind(await readXmlBody(request.raw)));
  const names = namesOf(request);
  const viewer = viewerOf(request);
  const find = () => findResource(deviceTrees, names, viewer);
  const sees = () => deviceTrees.sees(names[0], viewer);
  const check = accessCheck(accounts, basicGrantOf(request), sees);
  const place = { basePath, names, write, isDeep: depth === '1', check };
  // Find the resource before the list takes a slot. Otherwise a list would occupy a slot while it
  // waits for the plan of its tree.
  const found = await find();
  const pieces = depth === '1' ? limitedList(find, place) : multistatus(found, place);
  reply.code(207);
  return sendPieces(request, reply, pieces, xmlType);
}

/**
 * Waits for a slot, then yields the pieces of a list. The tree is kept in memory only while the
 * list has its slot. Throws busy() if too many lists wait.
 */
async function* limitedList(
  find: () => Promise<DavResource>,
  place: ListPlace,
): AsyncGenerator<string> {
  const { network = null, signal } = currentClient() ?? {};
  const leave = await lists.acquire(network, signal);
  try {
    yield* multistatus(await find(), place);
  } finally {
    leave();
  }
}

interface ListPlace {
  readonly basePath: string;
  readonly names: readonly string[];
  readonly write: WriteResponse;
  readonly isDeep: boolean;
  /** Called before each piece is sent. */
  readonly check: () => Promise<void>;
}

async function* multistatus(
  { entry, children }: DavResource,
  place: ListPlace,
): AsyncGenerator<string> {
  const { basePath, names, write, isDeep, check } = place;
  let piece = multistatusStart + write(hrefOf(basePath, names, entry), entry);
  let since = performance.now();
  if (isDeep && entry.isFolder) {
    for await (const { segment, entry: child } of children()) {
      piece += write(hrefOf(basePath, [...names, segment], child), child);
      if (piece.length < pieceLength && performance.now() - since < pieceMs) continue;
      await check();
      yield piece;
      await yieldToEventLoop();
      [piece, since] = ['', performance.now()];
    }
  }
  await check();
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
  const grant = basicGrantOf(request);
  const onStart = () => deviceTrees.recordDownload(opened, grant.credential.user.id);
  const check = accessCheck(accounts, grant, () => deviceTrees.sees(set, viewer));
  const file = guardedFile(opened.file, { check, onStart });
  return sendFile(request, reply, file, { type: opened.type });
}

function viewerOf(request: FastifyRequest): Viewer {
  return { userId: basicGrantOf(request).credential.user.id };
}
