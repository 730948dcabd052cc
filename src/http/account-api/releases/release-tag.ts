import type { FastifyRequest } from 'fastify';
import type { Expected } from '../../../core/releases/ports.ts';
import { entityTagsOf } from '../../shared/files/entity-tags.ts';

/**
 * Returns the strong entity tag of a release with these extra fields. The tag consists of the
 * release's revision and the sorted names of the fields.
 */
export function releaseTag(revision: number, include: Iterable<string> = []): string {
  return `"${[revision.toString(36), ...[...include].sort()].join('-')}"`;
}

/**
 * Returns the revisions of the tags in `If-Match`, without the extra fields of these tags. Returns
 * null if the header is absent or `*`, which allows any revision. Weak tags are ignored, because
 * they never match (RFC 9110, 13.1.1).
 */
export function expectedRevisions({ headers }: FastifyRequest): Expected {
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
