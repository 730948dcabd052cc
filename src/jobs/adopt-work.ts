import type { Actor } from '../core/shared/requests/actor.ts';
import type { Adopter } from '../core/store/adopter.ts';
import type { AdoptOptions, AdoptProgress, AdoptReport } from '../core/store/adoption.ts';
import type { Recoverer } from '../core/store/recoverer.ts';
import type { Work, WorkOptions } from './work.ts';

export function adoptWork(
  adopter: Adopter,
  options: AdoptOptions,
  actor: Actor,
): Work<'adopt', AdoptProgress, AdoptReport> {
  return work((watch) => adopter.run(options, actor, watch));
}

export function recoverWork(
  recoverer: Recoverer,
  actor: Actor,
): Work<'adopt', AdoptProgress, AdoptReport> {
  return work((watch) => recoverer.run(actor, watch));
}

function work(
  run: (watch: WorkOptions<AdoptProgress>) => Promise<AdoptReport>,
): Work<'adopt', AdoptProgress, AdoptReport> {
  return {
    kind: 'adopt',
    run,
    progressOf: ({ bytes, total, name }) => {
      return { phase: 'adopt', done: bytes, total, unit: 'bytes', name };
    },
  };
}
