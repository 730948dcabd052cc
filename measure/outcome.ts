import type { Figure } from './figure.ts';

/** The result of one check of `npm run trust` or one row of `npm run scale`. */
export type Outcome<More = unknown> = Unmeasured | Measured<More>;

/** An outcome without figures: the check or row was skipped or failed. Contains the reason. */
export type Unmeasured = { readonly name: string } & (
  | { readonly skipped: string }
  | { readonly failed: string }
);

/** An outcome with figures. `More` contains the values that only some programs measure. */
export type Measured<More = unknown> = {
  readonly name: string;
  readonly figures: readonly Figure[];
} & More;

/**
 * Returns the figures from `measure` as an outcome. If `measure` throws, the outcome is a failure.
 */
export async function outcomeOf<More>(
  name: string,
  measure: () => Promise<Omit<Measured<More>, 'name'> & More>,
): Promise<Outcome<More>> {
  try {
    return { ...(await measure()), name };
  } catch (error) {
    return { name, failed: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Runs each item of `chosen` in order, and returns the outcomes. Prints each outcome to standard
 * error.
 */
export async function runEach<T extends { readonly name: string }, More>(
  program: string,
  chosen: readonly T[],
  run: (one: T) => Promise<Outcome<More>>,
  summarize: (outcome: Outcome<More>) => string,
): Promise<Outcome<More>[]> {
  const outcomes: Outcome<More>[] = [];
  for (const one of chosen) {
    process.stderr.write(`${program}: ${one.name}\n`);
    const since = performance.now();
    const outcome = await run(one);
    outcomes.push(outcome);
    const seconds = Math.round((performance.now() - since) / 1_000);
    process.stderr.write(`${program}: ${one.name}: ${summarize(outcome)} (${seconds} s)\n`);
  }
  return outcomes;
}

/** Returns why an outcome has no figures. */
export function reasonOf(outcome: Unmeasured): string {
  return 'skipped' in outcome ? `skipped: ${outcome.skipped}` : `FAILED: ${outcome.failed}`;
}
