import type { KnownContainer } from '../core/library/containers.ts';
import { type Identity, noEdition } from '../core/library/identity.ts';
import { CatalogError } from '../core/shared/errors.ts';

/** An incomplete identity. The readers fill in its fields. */
export type Draft = { -readonly [Key in keyof Identity]: Identity[Key] } & {
  container: KnownContainer;
  evidence: Record<string, string>;
};

/** Returns an empty identity. */
export function newDraft(): Draft {
  return {
    disc: null,
    container: 'unknown',
    serial: null,
    edition: noEdition,
    title: null,
    imageSize: null,
    sha1: null,
    statedSha1: null,
    members: [],
    tracks: [],
    sheet: [],
    evidence: {},
    problem: null,
  };
}

/**
 * Runs a step of identifying a file. If the step throws a `CatalogError` of kind `refused`, the
 * error's message becomes the draft's problem. The draft retains what was found before. Other
 * errors are rethrown.
 */
export async function recordProblem(draft: Draft, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (!(error instanceof CatalogError) || error.kind !== 'refused') throw error;
    draft.problem ??= error.message;
  }
}
