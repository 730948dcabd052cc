import type { Actor } from '../core/shared/requests/actor.ts';
import type { Adopter } from '../core/store/adopter.ts';
import type { AdoptOptions, AdoptProgress, AdoptReport } from '../core/store/adoption.ts';
import type { Work } from './work.ts';

export function adoptWork(
  adopter: Adopter,
  options: AdoptOptions,
  actor: Actor,
): Work<'adopt', AdoptProgress, AdoptReport> {
  return {
    kind: 'adopt',
    run: (watch) => adopter.run(options, actor, watch),
    progressOf: ({ bytes, total, name }) => {
      return { phase: 'adopt', done: bytes, total, unit: 'bytes', name };
    },
  };
}
