import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stage, useChanges } from './changes-fixture.ts';
import { actor, type StoreFixture, sha256, useStore } from './store-fixture.ts';

const names = ['first.zip', 'second.zip'];

/** Adds files that are older than every file that is stored later. */
async function addOldFiles(fixture: StoreFixture): Promise<void> {
  await fixture.save('any.zip', 'makes the folder');
  for (const name of names) {
    const path = join(fixture.data, 'store/games', name);
    await writeFile(path, 'old');
    await utimes(path, 1_000, 1_000);
  }
}

describe('leftover files of changes in the store', () => {
  test('are all removed if several changes of one target left some', async () => {
    const fixture = await useStore();
    await addOldFiles(fixture);
    let isRemovable = false;
    const failures: unknown[] = [];
    const changes = await useChanges(fixture, {
      onRemoving(name) {
        if (names.includes(name) && !isRemovable) throw new Error('the disk failed');
      },
      onFailure: (error) => void failures.push(error),
    });
    for (const [at, name] of names.entries()) {
      const text = `version ${at}`;
      const staged = await stage(fixture, text, () => undefined);
      const file = { name: 'new.zip', size: text.length, sha256: sha256(text) };
      const change = { target: 'store/games/new.zip', area: 'games', file, gone: [name] } as const;
      expect(await changes.publish(change, staged, actor)).toBe(true);
    }
    expect(failures).toHaveLength(2);
    const stored = async () => (await fixture.filesOnDisk()).map(({ name }) => name);
    expect(await stored()).toEqual(expect.arrayContaining(names));

    isRemovable = true;
    changes.startSweeping();
    await expect.poll(stored).toEqual(['any.zip', 'new.zip']);
  });
});
