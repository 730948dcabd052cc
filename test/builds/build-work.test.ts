/** @module-tag full */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LastBuild } from '../../src/core/builds/target-ports.ts';
import { Targets } from '../../src/core/builds/targets.ts';
import { systemClock as clock } from '../../src/core/shared/clock.ts';
import { busy } from '../../src/core/shared/errors.ts';
import { buildWork, undoWork } from '../../src/jobs/build-work.ts';
import { filesIn, useBuildLibrary } from './build-library.ts';

describe('the job of a build or an undo', () => {
  test('repeats only its record after a busy database, not the build or the undo', async () => {
    const library = await useBuildLibrary({ 'Ant (USA)': 'ant', 'Bee (USA)': 'bee' });
    const folder = join(library.place, 'stick');
    await mkdir(folder);
    const recorded: (LastBuild | null)[] = [];
    let refusals = 0;
    const targets = new Targets({
      ...{ named: [{ name: 'stick', folder }], host: '', clock },
      records: {
        claim: async () => [],
        forgetOthers: async () => {},
        list: async () => [],
        async record(_name, last) {
          // The database is busy twice after each build and each undo.
          if (last?.files !== null && refusals < 2) {
            refusals += 1;
            throw busy();
          }
          if (last?.files !== null) refusals = 0;
          recorded.push(last);
        },
      },
      folders: { check: async () => {}, exists: async () => true },
      onFailure: (error) => expect.unreachable(String(error)),
    });
    const parts = { ...library.catalog, targets };
    const { id: set } = (await library.requestOf(folder)).set;
    const { signal } = new AbortController();
    const watch = { signal, onProgress() {}, step: null, keepStep: async () => {} };
    const options = { set, profile: 'batocera', target: 'stick' };
    const { report } = await buildWork(parts, 'build', options, { kind: 'system' }).run(watch);
    expect(report.steps.map(({ step }) => step)).toEqual(['add', 'add', 'add']);
    const begun = { setId: set, set: 'All', profile: 'batocera', files: null };
    expect(recorded).toMatchObject([begun, { ...begun, files: 3, problems: 0 }]);
    const undone = await undoWork(parts, { target: 'stick' }).run(watch);
    expect(undone.removed).toHaveLength(3);
    expect(recorded.at(-1)).toBeNull();
    expect(recorded).toHaveLength(3);
    expect(await filesIn(folder)).toEqual({});
  });
});
