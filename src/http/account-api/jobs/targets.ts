import { Type } from 'typebox';
import type { ShownTarget } from '../../../core/builds/targets.ts';
import type { JobOptions } from '../../../core/jobs/job.ts';
import { invalidField } from '../../../core/shared/errors.ts';
import type { Viewer } from '../../../core/shared/requests/viewer.ts';
import { viewerOf as readerOf } from '../accounts/access.ts';
import { route } from '../route.ts';
import { timestamp } from '../schemas.ts';
import type { RouteParts } from '../services.ts';
import { seesSet } from './hide-sets.ts';

const lastBuild = Type.Object({
  set_id: Type.Integer(),
  set: Type.Union([Type.String(), Type.Null()], {
    description:
      'the name of the set at that time; null if you do not see the set, or if it was deleted',
  }),
  profile: Type.String({ description: 'the id of a profile' }),
  unpack: Type.Boolean({ description: 'true if it took images out of archives' }),
  built_at: timestamp,
  files: Type.Union([Type.Integer(), Type.Null()], {
    description: 'number of files of the tree; null if the build was not completed',
  }),
  problems: Type.Integer({ description: 'number of files that could not be written or removed' }),
  left_out: Type.Integer({ description: 'number of files that the device cannot open' }),
});

export const listTargets = route({
  summary: 'The folders in which jobs can build trees, by name',
  response: Type.Object({
    items: Type.Array(
      Type.Object({
        name: Type.String(),
        host: Type.Union([Type.String(), Type.Null()], {
          description: 'the other host that has the folder; null if this one has it',
        }),
        path: Type.Union([Type.String(), Type.Null()], {
          description: 'the folder; null on another host',
        }),
        present: Type.Union([Type.Boolean(), Type.Null()], {
          description: 'false if the folder is missing; null on another host',
        }),
        last_build: Type.Union([lastBuild, Type.Null()], {
          description: 'the last build that a job started; null after an undo',
        }),
      }),
    ),
  }),
  async handle({ parts: { targets, sets }, request }) {
    const items = await targets.list();
    const seen = await seenSets(items, sets, readerOf(request));
    return {
      items: items.map(({ name, host, folder: path, isPresent: present, last }) => {
        if (last === null) return { name, host, path, present, last_build: null };
        const {
          setId: set_id,
          builtAt: built_at,
          leftOut: left_out,
          unpacks: unpack,
          ...rest
        } = last;
        const set = seen.has(set_id) ? last.set : null;
        const last_build = { ...rest, set, set_id, unpack, built_at, left_out };
        return { name, host, path, present, last_build };
      }),
    };
  },
});

/**
 * Returns the ids of the sets that were last built in these targets, without sets that the viewer
 * does not see.
 */
async function seenSets(
  targets: readonly ShownTarget[],
  sets: RouteParts['sets'],
  viewer: Viewer,
): Promise<ReadonlySet<number>> {
  const seen = new Set<number>();
  for (const id of new Set(targets.flatMap(({ last }) => last?.setId ?? []))) {
    if (await seesSet(id, sets, viewer)) seen.add(id);
  }
  return seen;
}

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
  if (!(await seesSet(set, sets, viewer))) throw invalidField('set', `there is no set ${set}`);
}
