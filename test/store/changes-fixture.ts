import { AsyncLocalStorage } from 'node:async_hooks';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { systemClock } from '../../src/core/shared/clock.ts';
import type { FileArea, StagedFile } from '../../src/core/shared/files/file-area.ts';
import { FileChanges } from '../../src/core/shared/files/file-changes.ts';
import type { OwnerState } from '../../src/core/shared/processes/owner-state.ts';
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

/** The hooks of another program. A hook may reject, as if the step before it had failed. */
interface Program {
  /** Called after the step with the name of the file, if the step concerns one file. */
  readonly onFound?: (name: string) => unknown;
  readonly onRetained?: (name: string) => unknown;
  /** Called before a previous file is restored. */
  readonly onRestoring?: (name: string) => unknown;
  /** True if the file system has no hard links, so that no previous file can be kept. */
  readonly hasNoHardLinks?: boolean;
  /** Called before a file is removed. */
  readonly onRemoving?: (name: string) => unknown;
  readonly onRemoved?: (name: string) => unknown;
  readonly onReserved?: () => unknown;
  /** Called after the program checked whether its reservation still exists. */
  readonly onChecked?: () => unknown;
  readonly onRecovered?: () => unknown;
  readonly onFailure?: (error: unknown) => void;
  readonly ownerState?: OwnerState;
  readonly elapsed?: () => number;
}

/** Returns the file changes of another program that uses the same files. */
export async function useChanges({ data }: StoreFixture, program: Program = {}) {
  const engine = await openDatabase(join(data, 'catalog.db'));
  const area = localArea({ folder: join(data, 'store/games'), tmp: join(data, 'tmp') });
  const outside = AsyncLocalStorage.snapshot();
  /** Adds a hook to a step. The hook runs as in another process. */
  const then = <Args extends unknown[], R>(
    step: (...args: Args) => Promise<R>,
    hook: (...args: Args) => unknown = () => undefined,
  ) => {
    return async (...args: Args) => {
      const result = await step(...args);
      await outside(() => hook(...args));
      return result;
    };
  };
  const clock = systemClock;
  const records = archiveReservations({ engine, clock });
  records.reserve = then(records.reserve.bind(records), (..._) => program.onReserved?.());
  records.exists = then(records.exists.bind(records), (..._) => program.onChecked?.());
  const changes = new FileChanges({
    records,
    areaOf: (): FileArea => ({
      ...area,
      find: then(area.find, program.onFound),
      remove: then(async (name) => {
        await program.onRemoving?.(name);
        return area.remove(name);
      }, program.onRemoved),
      retain: then(async (name) => {
        const retained = await area.retain(name);
        const restore = async () => {
          await program.onRestoring?.(name);
          await retained.restore();
        };
        return { ...retained, restore, isRestorable: !program.hasNoHardLinks };
      }, program.onRetained),
    }),
    clock,
    owner: liveOwner(),
    ownerState: async () => program.ownerState ?? 'unknown',
    elapsed: program.elapsed ?? (() => performance.now()),
    onRecovered: () => program.onRecovered?.(),
    onFailure(error) {
      if (program.onFailure === undefined) throw error;
      program.onFailure(error);
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
