import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { ExpectedRevisions } from '../../../core/releases/ports.ts';
import type { EditedField } from '../../../core/releases/release.ts';
import { changedMeanwhile, notFound } from '../../../core/shared/errors.ts';
import {
  detailFields,
  editableFields,
  isEditableField,
} from '../../../core/shared/release-fields.ts';
import { entityTagsOf } from '../../shared/files/entity-tags.ts';
import { actorOf } from '../accounts/access.ts';
import { route } from '../route.ts';
import { integerId, Ok, textField } from '../schemas.ts';
import { include, unknownInclude, wantedFields } from './include.ts';
import { coverTags, toListItem } from './releases.ts';

/**
 * Returns the strong entity tag of a release with these extra fields. The tag consists of the
 * release's revision and the sorted names of the fields.
 */
function releaseTag(revision: number, include: Iterable<string> = []): string {
  return `"${[revision.toString(36), ...[...include].sort()].join('-')}"`;
}

/**
 * Returns the revisions that the tags in `If-Match` contain; the tags may be for any extra fields.
 * Returns null if the header is absent or `*`, which allows any revision. Weak tags are ignored,
 * because they never match (RFC 9110, 13.1.1).
 */
function expectedRevisions({ headers }: FastifyRequest): ExpectedRevisions {
  const header = headers['if-match'];
  const tags = header === undefined ? '*' : entityTagsOf(header);
  if (tags === '*') return null;
  return new Set(
    tags.flatMap((tag) => {
      const [, revision] = /^"([0-9a-z]+)[-"]/.exec(tag) ?? [];
      return revision === undefined ? [] : [Number.parseInt(revision, 36)];
    }),
  );
}

const releaseParams = Type.Object({ release_id: integerId });

/** Extra fields that a client may request. */
const includable = ['platform', 'region', 'franchise', 'cover', 'sources', 'edits'];

export const getRelease = route({
  summary: 'One release with its ROMs and metadata',
  params: releaseParams,
  query: Type.Object({ include: include(includable) }),
  response: Type.Ref('Release'),
  entityTag: 'read',
  failures: [notFound(), unknownInclude],
  async handle({
    parts: { covers, responseCache, releases },
    params: { release_id },
    query,
    request,
    reply,
  }) {
    const wanted = wantedFields(query.include, includable);
    const isWhole = wanted.has('sources') || wanted.has('edits');
    const find = async () => {
      const whole = isWhole ? await releases.getWhole(release_id) : null;
      const release = whole ?? (await releases.get(release_id));
      const tags = await coverTags(covers, [release], wanted);
      const etag = releaseTag(release.revision, [...wanted, ...tags.values()]);
      const { roms, franchise } = release;
      const meta = wanted.has('franchise') ? { ...release.meta, franchise } : (release.meta ?? {});
      const body = {
        ...toListItem(release, wanted, tags),
        ...Object.fromEntries(detailFields.map((field) => [field, release[field]])),
        roms,
        meta,
        sources: wanted.has('sources') ? whole?.sources : undefined,
        edits: wanted.has('edits') ? whole?.edits.map(toEdit) : undefined,
      };
      return { body, etag };
    };
    // A manually added cover changes no revision, so a response with cover data is not cached.
    return responseCache.respond(request, reply, find, {
      isCacheable: !wanted.has('cover') && !isWhole,
    });
  },
});

const editBody = Type.Object(Object.fromEntries(editableFields.map((f) => [f, textField])));

export const editRelease = route({
  summary: 'Edit a release and its metadata',
  params: releaseParams,
  body: editBody,
  response: Ok,
  entityTag: 'write',
  failures: [notFound(), changedMeanwhile()],
  async handle({ parts: { releases }, params: { release_id }, body, request, reply }) {
    const expected = expectedRevisions(request);
    await releases.mustExist(release_id, expected);
    const edit = Object.fromEntries(Object.entries(body()).map(([f, value]) => [f, value ?? '']));
    const revision = await releases.edit(release_id, edit, actorOf(request), expected);
    reply.header('etag', releaseTag(revision));
    return { ok: true };
  },
});

export const dropEdit = route({
  summary: 'Take back the edit of a field, so that imports set it again',
  params: Type.Object({ release_id: integerId, field: Type.String() }),
  response: Ok,
  entityTag: 'write',
  failures: [notFound(), changedMeanwhile()],
  async handle({ parts: { releases }, params: { release_id, field }, request, reply }) {
    if (!isEditableField(field)) throw notFound();
    const expected = expectedRevisions(request);
    const revision = await releases.dropEdit(release_id, field, actorOf(request), expected);
    reply.header('etag', releaseTag(revision));
    return { ok: true };
  },
});

function toEdit({ field, editedAt, imported }: EditedField) {
  return { field, edited_at: editedAt, imported };
}
