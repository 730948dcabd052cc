import { Type } from 'typebox';
import type { JobOptions } from '../../../core/jobs/job.ts';
import { CatalogError, invalidField } from '../../../core/shared/errors.ts';
import type { Viewer } from '../../../core/shared/requests/viewer.ts';
import { route } from '../route.ts';
import { timestamp } from '../schemas.ts';
import type { RouteParts } from '../services.ts';

const lastBuild = Type.Object({
  set_id: Type.Integer(),
  set: Type.String({ description: 'its name then' }),
  profile: Type.String({ description: 'the id of a profile' }),
  built_at: timestamp,
  files: Type.Integer({ description: 'of the tree' }),
  problems: Type.Integer({ description: 'files that could not be written or removed' }),
  left_out: Type.Integer({ description: 'files that the device cannot open' }),
});

export const listTargets = route({
  summary: 'The folders that jobs can build trees in, by name',
  response: Type.Object({
    items: Type.Array(
      Type.Object({
        name: Type.String(),
        host: Type.Union([Type.String(), Type.Null()], {
          description: 'the other host that has the folder; null if this one has',
        }),
        path: Type.Union([Type.String(), Type.Null()], {
          description: 'the folder; null on another host',
        }),
        present: Type.Union([Type.Boolean(), Type.Null()], {
          description: 'false if the folder is missing; null on another host',
        }),
        last_build: Type.Union([lastBuild, Type.Null()], {
          description: 'the last one that a job made; null after an undo',
        }),
      }),
    ),
  }),
  async handle({ parts: { targets } }) {
    const items = await targets.list();
    return {
      items: items.map(({ name, host, folder: path, isPresent: present, last }) => {
        if (last === null) return { name, host, path, present, last_build: null };
        const { setId: set_id, builtAt: built_at, leftOut: left_out, ...rest } = last;
        return { name, host, path, present, last_build: { ...rest, set_id, built_at, left_out } };
      }),
    };
  },
});

/**
 * Throws a 422 for a job with an unknown target or profile, or a set that the viewer does not see.
 * Does nothing for the options of other kinds of jobs.
 */
export async function checkBuild(
  { set, profile, target }: JobOptions,
  { sets, profiles, targets }: Pick<RouteParts, 'sets' | 'profiles' | 'targets'>,
  viewer: Viewer,
): Promise<void> {
  if (typeof target === 'string' && (await targets.hostOf(target)) === null) {
    throw invalidField('target', `there is no target "${target}"`);
  }
  if (typeof profile === 'string' && !profiles.list().some(({ id }) => id === profile)) {
    throw invalidField('profile', `there is no profile "${profile}"`);
  }
  if (typeof set !== 'number') return;
  await sets.get(set, viewer).catch((error: unknown) => {
    const isUnknown = error instanceof CatalogError && error.kind === 'not-found';
    throw isUnknown ? invalidField('set', `there is no set ${set}`) : error;
  });
}
