import type { LeftOut } from '../plan/planned-game.ts';

/** The parts of a set that an export does not contain. */
export interface LeftOutReport {
  readonly set: string;
  readonly profile: string;
  /** Number of releases of the set without a file in the library. */
  readonly missing: number;
  readonly leftOut: Iterable<LeftOut>;
}

/** Yields `left_out.json`, with one line per file. */
export function* leftOutJson({ set, profile, missing, leftOut }: LeftOutReport): Generator<string> {
  const head = JSON.stringify({ set, profile, not_in_library: missing });
  yield `${head.slice(0, -1)},"left_out":[`;
  let before = '\n';
  for (const { platform, release, releaseId, file, why } of leftOut) {
    yield `${before}${JSON.stringify({ platform, release, release_id: releaseId, file, why })}`;
    before = ',\n';
  }
  yield '\n]}\n';
}
