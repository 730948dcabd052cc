import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Figure, passes } from '../measure/figure.ts';
import { type Outcome, outcomeOf } from '../measure/outcome.ts';
import type { Check, Fault } from './check.ts';
import { plantedCopy } from './planted-copy.ts';
import { newTrial, type Trial } from './trial.ts';

const program = join(import.meta.dirname, '../src/main.ts');

/** The result of a check. */
export type TrustOutcome = Outcome<{ readonly control: Control }>;

/** The figures measured in the control run, with the planted fault. */
export interface Control extends Pick<Fault, 'what' | 'breaks'> {
  readonly figures: readonly Figure[];
}

/** Measures a check without the fault and with it. */
export async function runCheck(
  check: Check,
  options: { folder: string } & Pick<Trial, 'largeCatalogue' | 'seed' | 'minutes'>,
): Promise<TrustOutcome> {
  const { name, control } = check;
  const reason = await check.skipReason?.();
  if (reason) return { name, skipped: reason };
  const { folder: all, ...shared } = options;
  const folder = join(all, name);
  const measure = async (isControl: boolean) => {
    const own = join(folder, isControl ? 'control' : 'sound');
    const changes = [...(check.shortened ?? []), ...((isControl && control.changes) || [])];
    const ran = changes.length > 0 ? await plantedCopy(`${own}-copy`, changes) : program;
    return check.measure(await newTrial({ isControl, folder: own, program: ran, shared }));
  };
  try {
    return await outcomeOf(name, async () => {
      const figures = await measure(false);
      const { what, breaks } = control;
      return {
        figures,
        control: { what, ...(breaks && { breaks }), figures: await measure(true) },
      };
    });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Returns true if every figure passes and the control detects the fault. Returns false for a
 * skipped check, which has neither passed nor failed.
 */
export function hasPassed(outcome: TrustOutcome): boolean {
  if (!('figures' in outcome)) return false;
  return outcome.figures.every(passes) && isCaught(outcome.control);
}

/**
 * Returns true if every figure that the fault breaks has failed. If the fault names no figures,
 * returns true if at least one has failed.
 */
export function isCaught({ breaks, figures }: Control): boolean {
  const broken = figures.filter((figure) => !passes(figure)).map(({ what }) => what);
  return breaks ? breaks.every((what) => broken.includes(what)) : broken.length > 0;
}
