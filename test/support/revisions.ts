import type { PartRevision } from '../../src/core/shared/part-revision.ts';

/** Of a part that nobody changes in the database. */
export const unmoved: PartRevision = { isAsked: false, known: () => 0, current: async () => 0 };
