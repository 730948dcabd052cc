import { type Identity, noEdition } from '../core/library/identity.ts';
import { CatalogError } from '../core/shared/errors.ts';

/** An identity while the readers fill it in. */
export type Draft = { -readonly [Key in keyof Identity]: Identity[Key] } & {
  evidence: Record<string, string>;
};

/** An identity that says nothing yet. */
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

/** Runs a step whose failure by the file's content becomes the draft's problem; what was found before stays. */
export async function findingProblems(draft: Draft, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (!(error instanceof CatalogError) || error.kind !== 'refused') throw error;
    draft.problem ??= error.message;
  }
}
