import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  archiveExists,
  archiveTooLarge,
  checksumMismatch,
  damagedUpload,
  invalidField,
  invalidFilename,
  notFound,
  tooManyUploads,
  unsupportedTusVersion,
  wrongOffset,
} from '../../../core/shared/errors.ts';
import type { RequestActor } from '../../../core/shared/requests/actor.ts';
import { roleReaches } from '../../../core/shared/requests/role.ts';
import { cleanArchiveName } from '../../../core/store/archive-name.ts';
import {
  type Upload,
  type UploadViewer,
  uploadStates,
  uploadSystems,
} from '../../../core/uploads/upload.ts';
import { chunkBody } from '../../shared/bodies/chunk-body.ts';
import { httpDate } from '../../shared/files/http-date.ts';
import { NoContent } from '../../shared/routes/route.ts';
import { actorOf, credentialOf } from '../accounts/access.ts';
import { pageOf, pageQuery } from '../paging.ts';
import { route } from '../route.ts';
import { integerId, nullable, timestamp } from '../schemas.ts';
import {
  checkTusVersion,
  invalidChecksum,
  readBytesHeader,
  readChecksum,
  readMetadata,
  tusCapabilities,
  tusHeaders,
} from './tus.ts';

const uploadParams = Type.Object({ upload_id: integerId });
const version = { 'Tus-Resumable': '`1.0.0`' };
const expires = { 'Upload-Expires': 'when the upload is removed, if no byte arrives until then' };
const offset = { 'Upload-Offset': 'number of bytes that are safe on disk' };
const capabilities = new NoContent(204, {
  'Tus-Version': '`1.0.0`',
  'Tus-Extension': '`creation,checksum,expiration,termination`',
  'Tus-Checksum-Algorithm': '`sha1,sha256`',
  'Tus-Max-Size': 'maximum size of an upload in bytes, if there is a limit',
});

const fields = {
  id: Type.Integer(),
  filename: Type.String({ description: 'the name under which it will be stored' }),
  system: Type.String({ enum: [...uploadSystems] }),
  size: Type.Integer({ description: 'declared size in bytes' }),
  offset: Type.Integer({ description: 'number of bytes that are safe on disk' }),
  state: Type.String({
    enum: [...uploadStates],
    description:
      '`checking`: all bytes have arrived, the checksum is being calculated, and an archive gets its name',
  }),
  detail: nullable(Type.String({ description: 'why the upload failed' })),
  expires_at: nullable(timestamp),
};

export const describeUploads = route({
  summary: 'The parts of tus that the server supports',
  response: capabilities,
  commonHeaders: tusHeaders,
  handle: async ({ parts: { uploads }, reply }) =>
    reply.code(204).headers(tusCapabilities(uploads.maxBytes)).send(),
});

export const describeUpload = route({
  summary: 'The parts of tus that the server supports, for an upload',
  params: uploadParams,
  response: capabilities,
  commonHeaders: tusHeaders,
  failures: [notFound()],
  async handle({ parts: { uploads }, params: { upload_id }, request, reply }) {
    await uploads.get(upload_id, viewerOf(request));
    return reply.code(204).headers(tusCapabilities(uploads.maxBytes)).send();
  },
});

export const createUpload = route({
  summary: 'Begin an upload (tus: creation)',
  requestHeaders: {
    ...version,
    'Upload-Length': 'bytes',
    'Upload-Metadata':
      '`filename`, `system` (`games`, `videos` or `dats`), and `replace` to replace an archive of that name',
  },
  response: new NoContent(201, { Location: 'its URL', ...expires }),
  commonHeaders: tusHeaders,
  failures: [
    unsupportedTusVersion(),
    invalidFilename(),
    invalidField('<header>', '<problem>'),
    archiveTooLarge(),
    archiveExists(),
    tooManyUploads(),
  ],
  async handle({ parts: { uploads, basePath }, request, reply }) {
    checkTusVersion(request, reply);
    const size = readBytesHeader(request, 'Upload-Length');
    const metadata = String(request.headers['upload-metadata'] ?? '');
    const given = readMetadata(metadata);
    const system = uploadSystems.find((each) => each === given.get('system'));
    if (system === undefined) throw invalidField('system', `must be ${uploadSystems.join(' or ')}`);
    const filename = cleanArchiveName(given.get('filename') ?? '');
    const replaces = !['0', 'false', undefined].includes(given.get('replace'));
    const declared = { system, filename, size, replaces, metadata };
    const upload = await uploads.begin(declared, actorOf(request));
    setExpiry(reply, upload);
    return reply.code(201).header('location', `${basePath}/api/uploads/${upload.id}`).send();
  },
});

export const headUpload = route({
  summary: 'How far an upload is (tus)',
  params: uploadParams,
  requestHeaders: version,
  response: new NoContent(200, {
    ...offset,
    'Upload-Length': 'declared size in bytes',
    'Upload-Metadata': 'as it was sent',
    ...expires,
  }),
  commonHeaders: tusHeaders,
  failures: [notFound(), unsupportedTusVersion()],
  async handle({ parts: { uploads }, params: { upload_id }, request, reply }) {
    checkTusVersion(request, reply);
    const upload = await uploads.get(upload_id, viewerOf(request));
    setExpiry(reply, upload);
    if (upload.metadata !== '') reply.header('upload-metadata', upload.metadata);
    return reply.headers({ 'upload-offset': upload.offset, 'upload-length': upload.size }).send();
  },
});

export const receiveChunk = route({
  summary: 'Send the next chunk of an upload, at most 64 MiB (tus)',
  params: uploadParams,
  requestHeaders: {
    ...version,
    'Upload-Offset': 'the offset at which the chunk begins',
    'Upload-Checksum': '`sha1` or `sha256`, a blank, and the digest of the chunk in Base64',
  },
  body: 'chunk',
  response: new NoContent(204, { ...offset, ...expires }),
  commonHeaders: tusHeaders,
  failures: [
    notFound(),
    unsupportedTusVersion(),
    invalidChecksum(),
    invalidField('<header>', '<problem>'),
    wrongOffset(),
    damagedUpload(),
    checksumMismatch(),
  ],
  async handle({ parts: { uploads }, params: { upload_id }, request, reply }) {
    checkTusVersion(request, reply);
    const viewer = viewerOf(request);
    const found = await uploads.get(upload_id, viewer); // throws 404 before the chunk is checked
    const chunk = {
      ...chunkBody(request.raw),
      offset: readBytesHeader(request, 'Upload-Offset'),
      checksum: readChecksum(request),
    };
    const upload = await uploads.receive(upload_id, viewer, chunk, uploadActor(request, found));
    setExpiry(reply, upload);
    return reply.code(204).header('upload-offset', upload.offset).send();
  },
});

export const removeUpload = route({
  summary: 'End an upload (tus: termination); an archive that was made of it stays',
  params: uploadParams,
  requestHeaders: version,
  response: new NoContent(204),
  commonHeaders: tusHeaders,
  failures: [notFound(), unsupportedTusVersion()],
  async handle({ parts: { uploads }, params: { upload_id }, request, reply }) {
    checkTusVersion(request, reply);
    const viewer = viewerOf(request);
    const found = await uploads.get(upload_id, viewer);
    await uploads.remove(upload_id, viewer, uploadActor(request, found));
    return reply.code(204).send();
  },
});

export const listUploads = route({
  summary: "One's own uploads, newest first; for an admin all",
  query: Type.Object({
    state: Type.Optional(
      Type.String({ enum: [...uploadStates], description: 'absent: all states' }),
    ),
    own: Type.Integer({
      default: 0,
      minimum: 0,
      maximum: 1,
      description: "1: only one's own, also for an admin",
    }),
    ...pageQuery.properties,
  }),
  response: Type.Object({ items: Type.Array(Type.Object(fields)) }),
  async handle({ parts: { uploads }, query, request }) {
    const state = uploadStates.find((each) => each === query.state);
    const viewer = viewerOf(request);
    const whose = query.own === 1 ? { ...viewer, seesAll: false } : viewer;
    const items = await uploads.list(whose, { state, page: pageOf(query) });
    return { items: items.map(toUpload) };
  },
});

export const getUpload = route({
  summary: 'One upload with its chunks; HEAD returns its offset (tus)',
  params: uploadParams,
  response: Type.Object({
    ...fields,
    chunks: Type.Array(Type.Object({ size: Type.Integer(), sha256: Type.String() }), {
      description: 'in order, as they were sent',
    }),
  }),
  failures: [notFound()],
  async handle({ parts: { uploads }, params: { upload_id }, request }) {
    const upload = await uploads.get(upload_id, viewerOf(request));
    return { ...toUpload(upload), chunks: await uploads.listChunks(upload) };
  },
});

/** Returns the viewer of a request. Users see their own uploads; admins see all uploads. */
export function viewerOf(request: FastifyRequest): UploadViewer {
  const { user } = credentialOf(request);
  return { userId: user.id, seesAll: roleReaches(user.role, 'admin') };
}

/** Returns the actor for a change of an upload. Only an admin may change another user's upload. */
function uploadActor(request: FastifyRequest, { actor }: Upload): RequestActor {
  const isOwn = actor.userId === credentialOf(request).user.id;
  return actorOf(request, isOwn ? 'editor' : 'admin');
}

function setExpiry(reply: FastifyReply, { expiresAt }: Upload): void {
  if (expiresAt !== null) reply.header('upload-expires', httpDate(Date.parse(expiresAt)));
}

function toUpload(upload: Upload) {
  const { id, filename, system, size, offset, state, detail, expiresAt } = upload;
  return { id, filename, system, size, offset, state, detail, expires_at: expiresAt };
}
