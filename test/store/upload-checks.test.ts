import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock as clock } from '../../src/core/shared/clock.ts';
import type { UploadFiles } from '../../src/core/uploads/ports.ts';
import type { UploadPlace } from '../../src/core/uploads/upload.ts';
import { Uploads } from '../../src/core/uploads/uploads.ts';
import { HashThread } from '../../src/files/hashes/hash-thread.ts';
import { ownerMark } from '../../src/files/process-mark.ts';
import { localUploads } from '../../src/files/uploads/upload-files.ts';
import { openDatabase } from '../../src/sql/engine/open.ts';
import { SqlUploadRecords } from '../../src/sql/uploads/upload-records.ts';
import { chunks } from '../covers/covers-fixture.ts';
import { leasesIn } from '../support/data/leases.ts';
import { pollOptions } from '../support/poll-options.ts';
import { sha256, useStore } from './store-fixture.ts';

const viewer = { userId: 1, seesAll: true };
const user = { kind: 'user', userId: 1, username: 'admin', address: '' } as const;
const archive = { system: 'games', filename: 'a.zip', size: 3, metadata: '' } as const;

/**
 * Returns uploads that a second process checks at the same time. The second process publishes the
 * archive first.
 */
async function useUploads() {
  const fixture = await useStore();
  const { catalog, data } = fixture;
  await catalog.accounts.ensureAdmin('admin-password');
  const engine = await openDatabase(join(data, 'catalog.db'));
  const areas = { games: join(data, 'store/games'), videos: join(data, 'store/videos') };
  const local = localUploads({ tmp: join(data, 'tmp'), areas });
  let beforeAppending = async (_place: UploadPlace) => {};
  const append: UploadFiles['append'] = async (place, ...rest) => {
    await beforeAppending(place);
    return local.append(place, ...rest);
  };
  const files = { ...local, append };
  const records = new SqlUploadRecords({ engine, clock });
  const [hashes, failures] = [new HashThread(), [] as unknown[]];
  let before = async () => {};
  const { store } = catalog;
  const uploads = new Uploads({
    ...{ records, files, hashes, clock, leases: leasesIn(engine), owner: ownerMark() },
    archives: {
      has: (...args) => store.has(...args),
      hasVersion: (...args) => store.hasVersion(...args),
      async save(...args) {
        await before();
        return store.save(...args);
      },
    },
    ownerState: async () => 'alive',
    maxArchiveBytes: undefined,
    days: 1,
    onFailure: (error) => void failures.push(error),
  });
  onTestFinished(async () => {
    await uploads.close();
    await hashes.close();
    await engine.close();
  });
  const other = async () => {
    const [upload] = await uploads.list(viewer);
    if (upload === undefined) throw new Error('no upload');
    const staged = await files.stage(upload, { size: 3, sha256: sha256('new') });
    await store.save('games', 'a.zip', staged, user, { replaces: upload.replaces });
    return upload.id;
  };
  const send = async (replaces: boolean, beforeSaving: () => Promise<unknown>) => {
    before = async () => void (await beforeSaving());
    const { id } = await uploads.begin({ ...archive, replaces }, user);
    const bytes = chunks(Buffer.from('new'));
    const whole = { offset: 0, checksum: null, length: 3, bytes, isWhole: () => true };
    await uploads.receive(id, viewer, whole, user);
    return id;
  };
  const onAppending = (work: typeof beforeAppending) => {
    beforeAppending = work;
  };
  return { ...fixture, uploads, records, files, failures, other, send, onAppending };
}

describe('the check of an upload', () => {
  test.each([true, false])(
    'marks an upload as done whose archive another process published first (replaces: %s)',
    async (replaces) => {
      const { uploads, failures, other, send, archive: textOf } = await useUploads();
      const id = await send(replaces, other);
      await expect
        .poll(() => uploads.get(id, viewer))
        .toMatchObject({ state: 'done', detail: null });
      expect(failures).toEqual([]);
      expect(await textOf('a.zip')).toBe('new');
    },
  );

  test('leaves its record and files to another process that took it over', async () => {
    const { uploads, records, files, failures, send } = await useUploads();
    const refused = Promise.withResolvers<void>();
    const id = await send(false, async () => {
      const [checked] = await records.listChecked();
      expect(await records.takeOverCheck(id, checked?.owner ?? '', 'the other')).toBe(true);
      refused.resolve();
      throw new Error('cannot');
    });
    await refused.promise;
    await expect.poll(() => failures).not.toEqual([]);
    await uploads.close();
    expect(failures).toMatchObject([{ message: 'cannot' }]);
    const [checked] = await records.listChecked();
    expect(checked).toMatchObject({ owner: 'the other', upload: { state: 'checking' } });
    expect(checked && (await files.has(checked.upload))).toBe(true);
  });

  test('records an empty upload before its folder, and fails it without a folder', async () => {
    const { uploads, records, onAppending } = await useUploads();
    const empty = { ...archive, size: 0, replaces: false };
    const ended = (id: number) =>
      vi.waitFor(async () => {
        const upload = await uploads.get(id, viewer);
        expect(upload.state).not.toBe('checking');
        return upload;
      }, pollOptions);
    const known: boolean[] = [];
    onAppending(async ({ folder }) => void known.push((await records.listFolders()).has(folder)));
    const { id } = await uploads.begin(empty, user);
    expect([known, (await ended(id)).state]).toEqual([[true], 'done']);
    onAppending(async () => {
      throw new Error('cannot');
    });
    const refused = uploads.begin({ ...empty, filename: 'b.zip' }, user);
    await expect(refused).rejects.toThrow('cannot');
    expect(await ended(id + 1)).toMatchObject({ state: 'failed', detail: 'damaged upload' });
  });
});
