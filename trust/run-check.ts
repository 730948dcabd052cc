import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Check, type Figure, passes } from './check.ts';
import { plantedCopy } from './planted-copy.ts';
import { newTrial, type Trial } from './trial.ts';

const program = join(import.meta.dirname, '../src/main.ts');

/** How one check went. */
export type Outcome =
  | { readonly name: string; readonly skipped: string }
  | { readonly name: string; readonly failed: string }
  | {
      readonly name: string;
      readonly figures: readonly Figure[];
      readonly control: { readonly what: string; readonly figures: readonly Figure[] };
    };

/** Measures without the fault and with it. */
export async function runCheck(
  check: Check,
  options: { folder: string } & Pick<Trial, 'largeCatalogue' | 'seed' | 'minutes'>,
): Promise<Outcome> {
  const { name, control } = check;
  const reason = await check.missing?.();
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
    const figures = await measure(false);
    return { name, figures, control: { what: control.what, figures: await measure(true) } };
  } catch (error) {
    return { name, failed: error instanceof Error ? error.message : String(error) };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Whether it passed: every figure holds, and the control's do not all. What was skipped did not pass, nor fail. */
export function hasPassed(outcome: Outcome): boolean {
  if (!('figures' in outcome)) return false;
  return outcome.figures.every(passes) && isCaught(outcome.control.figures);
}

/** Whether the planted fault shows in one figure at least. */
export function isCaught(figures: readonly Figure[]): boolean {
  return !figures.every(passes);
}
