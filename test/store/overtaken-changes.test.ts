/** @module-tag full */
import { AsyncLocalStorage } from 'node:async_hooks';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { busy } from '../../src/core/shared/errors.ts';
import type { StagedFile } from '../../src/core/shared/files/file-area.ts';
import { currentReservation } from '../../src/core/shared/files/reserved-work.ts';
import { expectAgreement, releaseTargets, stage, useChanges } from './changes-fixture.ts';
import {
  actor,
  liveOwner,
  removalOf,
  type StoreFixture,
  sha256,
  uploadOf,
  useStore,
} from './store-fixture.ts';

const { file, ...rest } = uploadOf('a.zip', 'late');
const lateUpload = { ...rest, file: file as NonNullable<typeof file> };
/** A change like that of a cover: a new file, and a name that goes. */
const lateCover = {
  ...({ target: 'store/games/12', area: 'games', gone: ['12.jpg'] } as const),
  file: { name: '12.png', size: 4, sha256: sha256('late') },
};

/** Returns a function that calls `work` in its first call only. */
function once(work: () => Promise<unknown>): () => Promise<void> {
  let isDone = false;
  return async () => {
    if (isDone) return;
    isDone = true;
    await work();
  };
}

/** Recovers the change like another process, which then stores a newer archive. */
async function overtake(fixture: StoreFixture, name = 'a.zip'): Promise<void> {
  await releaseTargets(fixture);
  await fixture.save(name, 'theirs');
}

/** Recovers the change in another process, which considers the first one dead. */
async function recoverElsewhere(fixture: StoreFixture): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const other = await useChanges(fixture, { ownerState: 'ended', onRecovered: resolve });
  other.startSweeping();
  await promise;
}

/** Stages an archive. Publishing it calls `after` and then fails, like a database that is lost. */
async function stageLate(fixture: StoreFixture, after: () => Promise<unknown>) {
  const staged = await stage(fixture, 'late', () => undefined);
  const outside = AsyncLocalStorage.snapshot();
  const publish: StagedFile['publish'] = async (name) => {
    await staged.publish(name);
    await outside(after);
    throw busy();
  };
  return { ...staged, publish };
}

const lost = () => Promise.reject(busy());

describe('a process that was suspended while another one recovered its change', () => {
  test('does not place its file over a newer one', async () => {
    const fixture = await useStore();
    await fixture.save('a.zip', 'old');
    const changes = await useChanges(fixture, { onRetained: () => overtake(fixture) });
    const staged = await stage(fixture, 'late', () => undefined);
    const published = changes.publish(lateUpload, staged, actor);
    await expect(published).rejects.toMatchObject({ kind: 'busy', outcomeUnknown: true });
    expect(await fixture.archive('a.zip')).toBe('theirs');
    await expectAgreement(fixture);
  });

  test('does not restore the previous file over a newer one', async () => {
    const fixture = await useStore();
    await fixture.save('a.zip', 'old');
    let hasPublished = false;
    const changes = await useChanges(fixture, {
      onChecked: () => (hasPublished ? overtake(fixture) : undefined), // after the check, too
      onFailure: () => undefined,
    });
    const late = await stageLate(fixture, async () => {
      hasPublished = true;
    });
    await expect(changes.publish(lateUpload, late, actor)).rejects.toMatchObject({ kind: 'busy' });
    expect(await fixture.archive('a.zip')).toBe('theirs');
    await expectAgreement(fixture);
  });

  test('does not undo the recovered change', async () => {
    const fixture = await useStore();
    await fixture.save('a.zip', 'old');
    const changes = await useChanges(fixture);
    const late = await stageLate(fixture, () => recoverElsewhere(fixture));
    await expect(changes.publish(lateUpload, late, actor)).rejects.toMatchObject({ kind: 'busy' });
    expect(await fixture.archive('a.zip')).toBe('late');
    await expectAgreement(fixture);
  });

  test('removes no newer archive', async () => {
    const fixture = await useStore();
    await fixture.save('a.zip', 'old');
    const changes = await useChanges(fixture, { onChecked: once(() => overtake(fixture)) });
    await expect(changes.remove(removalOf('a.zip'), actor)).rejects.toMatchObject({ kind: 'busy' });
    expect(await fixture.archive('a.zip')).toBe('theirs');
    await expectAgreement(fixture);
  });

  test('removes no newer file of a name that its change removes', async () => {
    const fixture = await useStore();
    await fixture.save('12.jpg', 'old');
    const changes = await useChanges(fixture, {
      onChecked: once(() => overtake(fixture, '12.jpg')),
    });
    const staged = await stage(fixture, 'late', () => undefined);
    await expect(changes.publish(lateCover, staged, actor)).rejects.toMatchObject({ kind: 'busy' });
    expect(await fixture.archive('12.jpg')).toBe('theirs');
  });
});

describe('a process that lost the database', () => {
  test('restores the previous file if its reservation is recent', async () => {
    const fixture = await useStore();
    await fixture.save('a.zip', 'old');
    let isLost = false;
    const changes = await useChanges(fixture, { onChecked: () => (isLost ? lost() : undefined) });
    const late = await stageLate(fixture, async () => {
      isLost = true;
    });
    await expect(changes.publish(lateUpload, late, actor)).rejects.toMatchObject({ kind: 'busy' });
    await fixture.settled();
    expect(await fixture.archive('a.zip')).toBe('old');
    await expectAgreement(fixture);
  });

  test('leaves its change to recovery if another process may have recovered it', async () => {
    const fixture = await useStore();
    await fixture.save('a.zip', 'old');
    let ms = 0;
    const changes = await useChanges(fixture, {
      elapsed: () => ms,
      onChecked: () => (ms > 0 ? lost() : undefined),
    });
    const late = await stageLate(fixture, async () => {
      ms = 20_000;
      await recoverElsewhere(fixture);
    });
    await expect(changes.publish(lateUpload, late, actor)).rejects.toMatchObject({ kind: 'busy' });
    expect(await fixture.archive('a.zip')).toBe('late');
    await expectAgreement(fixture);
  });

  test('restores the old file before it removes the new one', async () => {
    const fixture = await useStore();
    await fixture.save('12.jpg', 'old');
    const restored: string[] = [];
    const changes = await useChanges(fixture, {
      onRestoring: (name) => (restored.push(name) === 2 ? lost() : undefined),
      onFailure() {},
    });
    const late = await stageLate(fixture, async () => {});
    await changes.publish(lateCover, late, actor).catch(() => undefined);
    await fixture.settled();
    expect(restored).toEqual(['12.jpg', '12.png']);
    // Recovery finds the new file and confirms the change.
    expect(await fixture.archive('12.png')).toBe('late');
  });

  test('leaves the new file if no hard link can keep the previous one', async () => {
    const fixture = await useStore();
    await fixture.save('a.zip', 'old');
    const changes = await useChanges(fixture, { hasNoHardLinks: true, onFailure() {} });
    const late = await stageLate(fixture, async () => {});
    await expect(changes.publish(lateUpload, late, actor)).rejects.toMatchObject({ kind: 'busy' });
    expect(await fixture.archive('a.zip')).toBe('late');
  });

  test('restores no previous file if it has not placed its own file yet', async () => {
    const fixture = await useStore();
    await fixture.save('a.zip', 'old');
    const changes = await useChanges(fixture, {
      onRetained: () => overtake(fixture),
      onChecked: lost,
    });
    const staged = await stage(fixture, 'late', () => undefined);
    const published = changes.publish(lateUpload, staged, actor);
    await expect(published).rejects.toMatchObject({ kind: 'busy' });
    expect(await fixture.archive('a.zip')).toBe('theirs');
    await expectAgreement(fixture);
  });

  test.each([
    ['an upload', 'a.zip', lateUpload],
    ['a cover', '12.jpg', lateCover],
  ])('restores no previous file over a newer one after %s', async (_, name, change) => {
    const fixture = await useStore();
    await fixture.save(name, 'old');
    let isLost = false;
    const failures: unknown[] = [];
    const changes = await useChanges(fixture, {
      onChecked: () => (isLost ? lost() : undefined),
      onFailure: (error) => failures.push(error),
    });
    const late = await stageLate(fixture, async () => {
      isLost = true;
      await rm(join(fixture.data, 'store/games', name));
      await overtake(fixture, name);
    });
    await expect(changes.publish(change, late, actor)).rejects.toMatchObject({ kind: 'busy' });
    expect(await fixture.archive(name)).toBe('theirs');
    expect(failures).toHaveLength(1);
  });

  test('restores no removed archive over a newer one', async () => {
    const fixture = await useStore();
    await fixture.save('a.zip', 'old');
    let isLost = false;
    const failures: unknown[] = [];
    const changes = await useChanges(fixture, {
      async onRemoved() {
        isLost = true;
        await overtake(fixture);
        throw busy();
      },
      onChecked: () => (isLost ? lost() : undefined),
      onFailure: (error) => failures.push(error),
    });
    await expect(changes.remove(removalOf('a.zip'), actor)).rejects.toMatchObject({ kind: 'busy' });
    expect(await fixture.archive('a.zip')).toBe('theirs');
    expect(failures).toHaveLength(1);
    await expectAgreement(fixture);
  });
});

describe('a process that removes the files that a change replaced', () => {
  test.each([
    ['before it looked for the reservation', 'onFound'],
    ['after it had looked for the reservation', 'onChecked'],
  ])('removes no newer file if another process overtakes it %s', async (_, step) => {
    const fixture = await useStore();
    await fixture.save('12.jpg', 'old');
    await fixture.save('12.png', 'late');
    fixture.reserve(lateCover, liveOwner());
    const isOvertaken = Promise.withResolvers<void>();
    const overtakeOnce = once(async () => {
      await rm(join(fixture.data, 'store/games/12.jpg')); // as another process recovers the change
      await overtake(fixture, '12.jpg');
      isOvertaken.resolve();
    });
    const changes = await useChanges(fixture, {
      ...{ ownerState: 'ended', [step]: overtakeOnce },
      onFailure: () => undefined,
    });
    changes.startSweeping();
    await isOvertaken.promise;
    await changes.close();
    expect(await fixture.archive('12.jpg')).toBe('theirs');
    await expectAgreement(fixture);
  });

  test('removes files only under a reservation', async () => {
    const fixture = await useStore();
    await fixture.save('12.jpg', 'old');
    await fixture.save('12.png', 'late');
    fixture.reserve(lateCover, liveOwner());
    const under: (number | undefined)[] = [];
    const isRemoved = Promise.withResolvers<void>();
    const changes = await useChanges(fixture, {
      ownerState: 'ended',
      onRemoving() {
        under.push(currentReservation());
        if (under.length === 1) throw new Error('the disk failed');
      },
      onRemoved: () => isRemoved.resolve(),
      onFailure: () => undefined,
    });
    changes.startSweeping();
    await isRemoved.promise;
    await changes.close();
    expect(under).toEqual([expect.any(Number), expect.any(Number)]);
    await expectAgreement(fixture);
  });

  test('removes no leftover of its own change after another process has recovered it', async () => {
    const fixture = await useStore();
    await fixture.save('12.jpg', 'old');
    let removals = 0;
    const isReleased = Promise.withResolvers<void>();
    let isAfter = false;
    const changes = await useChanges(fixture, {
      async onReserved() {
        if (!isAfter) return;
        await releaseTargets(fixture);
        isReleased.resolve();
      },
      onRemoving() {
        removals += 1;
        if (removals === 1) throw new Error('the disk failed');
      },
      onFailure: () => undefined,
    });
    const staged = await stage(fixture, 'late', () => {
      isAfter = true;
    });
    expect(await changes.publish(lateCover, staged, actor)).toBe(true);
    await isReleased.promise;
    await changes.close();
    expect(removals).toBe(1);
    expect(await fixture.archive('12.jpg')).toBe('old');
  });
});
