import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { systemClock } from '../../src/core/shared/clock.ts';
import type { FileArea, StagedFile } from '../../src/core/shared/files/file-area.ts';
import { FileChanges } from '../../src/core/shared/files/file-changes.ts';
import { localArea } from '../../src/files/local/local-area.ts';
import { openDatabase } from '../../src/sql/engine/open.ts';
import { archiveReservations } from '../../src/sql/store/store-records.ts';
import { chunks } from '../covers/covers-fixture.ts';
import { liveOwner, type StoreFixture } from './store-fixture.ts';

/** Stages an archive. Calls `before` directly before the archive gets its name. */
export async function stage({ catalog }: StoreFixture, text: string, before: () => unknown) {
  const staged = await catalog.store.stage('games', chunks(Buffer.from(text)));
  const publish: StagedFile['publish'] = async (name) => {
    await before();
    return staged.publish(name);
  };
  return { ...staged, publish };
}

/**
 * Returns the file changes of another program that uses the same files. Calls `onRemoved` after a
 * file is removed, and `onRetained` after the previous file was retained.
 */
export async function useChanges(
  { data }: StoreFixture,
  onRemoved: () => unknown,
  onRetained: () => unknown = () => undefined,
) {
  const engine = await openDatabase(join(data, 'catalog.db'));
  const area = localArea({ folder: join(data, 'store/games'), tmp: join(data, 'tmp') });
  const remove: FileArea['remove'] = async (name) => {
    const isRemoved = await area.remove(name);
    onRemoved();
    return isRemoved;
  };
  const retain: FileArea['retain'] = async (name) => {
    const file = await area.retain(name);
    await onRetained();
    return file;
  };
  const clock = systemClock;
  const changes = new FileChanges({
    records: archiveReservations({ engine, clock }),
    areaOf: () => ({ ...area, remove, retain }),
    clock,
    owner: liveOwner(),
    ownerState: async () => 'unknown',
    onSettled() {},
    onFailure(error) {
      throw error;
    },
  });
  onTestFinished(async () => {
    await changes.close();
    await engine.close();
  });
  return changes;
}

/** Does not wait for the lock, because the lock's holder may need this thread to release it. */
export async function releaseTargets({ db }: StoreFixture): Promise<void> {
  db.pragma('busy_timeout = 0');
  for (;;) {
    try {
      db.exec('DELETE FROM file_reservation');
      return;
    } catch {
      await setTimeout(1);
    }
  }
}

export async function expectAgreement(fixture: StoreFixture): Promise<void> {
  expect(await fixture.filesOnDisk()).toEqual(fixture.rows());
  expect(fixture.reserved()).toEqual([]);
  expect(await readdir(join(fixture.data, 'tmp'))).toEqual([]);
}
