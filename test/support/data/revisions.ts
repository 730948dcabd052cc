import type { PartRevision } from '../../../src/core/shared/requests/part-revision.ts';

/** The revision of a part of the catalogue that never changes. */
export const constantRevision: PartRevision = {
  requiresQuery: false,
  known: () => 0,
  current: async () => 0,
};
