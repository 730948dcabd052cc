import type { PartRevision } from '../../src/core/shared/part-revision.ts';

/** The revision of a part that is never changed in the database. */
export const unmoved: PartRevision = { isAsked: false, known: () => 0, current: async () => 0 };
