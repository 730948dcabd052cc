import type { PartRevision } from '../../../src/core/shared/requests/part-revision.ts';

/** A revision of a part that never changes. */
export const constantRevision: PartRevision = {
  requiresQuery: false,
  known: () => 0,
  current: async () => 0,
};
