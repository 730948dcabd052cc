import type { Actor } from '../core/shared/requests/actor.ts';
import type { Adopter } from '../core/store/adopter.ts';
import type { AdoptOptions, AdoptProgress, AdoptReport } from '../core/store/adoption.ts';
import type { Work } from './work.ts';

/**
 * Maximum number of refused files that a job's report lists. The report's count `refusedFiles`
 * includes all refused files.
 */
const mostRefused = 500;

export function adoptWork(
  adopter: Adopter,
  options: AdoptOptions,
  actor: Actor,
): Work<AdoptProgress, AdoptReport> {
  return {
    run: (watch) => adopter.run(options, actor, watch),
    progressOf: ({ bytes, total, name }) => {
      return { phase: 'adopt', done: bytes, total, unit: 'bytes', name };
    },
    kept: ({ refused, ...report }) => {
      return { ...report, refused: refused.slice(0, mostRefused), refusedFiles: refused.length };
    },
  };
}
