import type { FastifyRequest } from 'fastify';
import type { Expected } from '../../core/releases/ports.ts';
import { entityTagsOf } from '../shared/entity-tags.ts';

/**
 * Returns the strong entity tag of a release with some extra fields: its revision, and their names.
 */
export function releaseTag(revision: number, include: Iterable<string> = []): string {
  return `"${[revision.toString(36), ...[...include].sort()].join('-')}"`;
}

/**
 * Returns the revisions that `If-Match` allows, whatever the extra fields of their tags; null if it
 * is absent or `*`. Weak tags allow none (RFC 9110, 13.1.1).
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
