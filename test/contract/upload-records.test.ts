import { expect, test } from 'vitest';
import type { NewUpload } from '../../src/core/uploads/ports.ts';
import type { Upload } from '../../src/core/uploads/upload.ts';
import { SqlUploadRecords } from '../../src/sql/uploads/upload-records.ts';
import { describeEngines } from './fixtures/engines.ts';
import { stamp, steppingClock, useEngine } from './fixtures/use-engine.ts';
import { lastAudit } from './suites/stored-files.ts';

const actorOf = (userId: number) => {
  return { kind: 'user', userId, username: `user ${userId}`, address: '::1' } as const;
};
const system = { kind: 'system' } as const;
let made = 0;

function newUpload(change: Partial<NewUpload> = {}): NewUpload {
  made += 1;
  return {
    system: 'games',
    folder: `folder ${made}`,
    filename: '大神.zip',
    size: 2 ** 40,
    state: 'receiving',
    expiresAt: stamp(100),
    replaces: false,
    metadata: 'filename eA==',
    actor: actorOf(1),
    ...change,
  };
}

const chunk = { size: 10, sha256: 'a'.repeat(64) };
const receiving = { state: 'receiving', owner: null, expiresAt: stamp(200) } as const;
const checking = { state: 'checking', owner: 'me', expiresAt: null } as const;

describeEngines('$name: the table of uploads', ({ open }) => {
  async function useUploads() {
    const engine = await useEngine(open);
    const records = new SqlUploadRecords({ engine, clock: steppingClock() });
    const create = (change: Partial<NewUpload> = {}) => records.create(newUpload(change), null, 9);
    return { engine, records, create };
  }

  test('creates and audits an upload, returns it, and removes it with its chunks', async () => {
    const { engine, records, create } = await useUploads();
    const upload = await create({ replaces: true });
    const rest = { offset: 0, detail: null, sha256: null };
    expect(upload).toEqual({
      ...newUpload({ replaces: true }),
      ...rest,
      id: 1,
      folder: upload.folder,
    });
    expect(await records.find(1)).toEqual(upload);
    expect(await lastAudit(engine)).toMatchObject({
      action: 'upload.begin',
      target: 'upload/1',
      username: 'user 1',
      detail: { system: 'games', filename: '大神.zip', size: 2 ** 40 },
    });
    await records.addChunk(1, 0, chunk, { after: receiving, actor: system });
    await records.remove(1, { kind: 'system' });
    expect([await records.find(1), await records.listChunks(1)]).toEqual([null, []]);
    expect(await lastAudit(engine)).toMatchObject({ action: 'upload.remove', user_id: null });
    await records.remove(1, { kind: 'system' });
    expect((await create()).id).toBe(2);
  });

  test('accepts a chunk only at the offset of an upload that is being received', async () => {
    const { records, create } = await useUploads();
    const { id } = await create();
    expect(await records.addChunk(id, 0, chunk, { after: receiving, actor: system })).toBe(true);
    expect(await records.addChunk(id, 0, chunk, { after: receiving, actor: system })).toBe(false);
    expect(await records.find(id)).toMatchObject({ offset: 10, expiresAt: stamp(200) });
    const last = { size: 5, sha256: 'b'.repeat(64) };
    expect(await records.addChunk(id, 10, last, { after: checking, actor: system })).toBe(true);
    expect(await records.addChunk(id, 15, last, { after: checking, actor: system })).toBe(false);
    expect(await records.addChunk(id + 1, 0, last, { after: checking, actor: system })).toBe(false);
    expect(await records.listChunks(id)).toEqual([chunk, last]);
    const whole = { offset: 15, state: 'checking', expiresAt: null };
    expect(await records.find(id)).toMatchObject(whole);
  });

  test('gives the check of an upload one owner, who alone can finish it', async () => {
    const { records, create } = await useUploads();
    const { id } = await create();
    await create();
    await records.addChunk(id, 0, chunk, { after: checking, actor: system });
    const checked = async () => (await records.listChecked()).map(({ owner }) => owner);
    expect(await checked()).toEqual(['me']);
    expect(await records.takeOverCheck(id, 'other', 'third')).toBe(false);
    expect(await records.takeOverCheck(id, 'me', 'third')).toBe(true);
    expect(await checked()).toEqual(['third']);
    await records.recordSha256(id, 'c'.repeat(64));
    const end = { state: 'failed', detail: 'archive exists', expiresAt: stamp(300) } as const;
    expect(await records.finish(id, 'me', end)).toBe(false);
    expect(await checked()).toEqual(['third']);
    expect(await records.finish(id, 'third', end)).toBe(true);
    expect(await records.finish(id, 'third', { ...end, state: 'done' })).toBe(false);
    expect(await records.find(id)).toMatchObject({
      state: 'failed',
      detail: 'archive exists',
      sha256: 'c'.repeat(64),
      expiresAt: stamp(300),
    });
    expect(await checked()).toEqual([]);
  });

  test('limits the open uploads of each user, without counting ended ones', async () => {
    const { records, create } = await useUploads();
    const { id } = await create();
    await records.addChunk(id, 0, chunk, { after: checking, actor: system });
    await create({ actor: actorOf(2) });
    await create();
    const more = () => records.create(newUpload(), null, 2);
    await expect(more()).rejects.toMatchObject({ message: 'too many uploads' });
    await records.finish(id, 'me', { state: 'done', detail: null, expiresAt: stamp(300) });
    await more();
  });

  test('lists unexpired uploads by user, state and page, newest first', async () => {
    const { records, create } = await useUploads();
    const ids = async (filter: Partial<Parameters<typeof records.list>[0]>, now = stamp(0)) =>
      (await records.list({ userId: null, now, ...filter })).map(({ id }: Upload) => id);
    await create();
    await create({ actor: actorOf(2) });
    await create({ expiresAt: stamp(50) });
    await create({ state: 'checking', expiresAt: null });
    expect(await ids({})).toEqual([4, 3, 2, 1]);
    expect(await ids({ userId: 1 })).toEqual([4, 3, 1]);
    expect(await ids({ userId: 1, state: 'receiving' })).toEqual([3, 1]);
    expect(await ids({ page: { limit: 2, offset: 1 } })).toEqual([3, 2]);
    expect(await ids({}, stamp(50))).toEqual([4, 2, 1]);
    expect((await records.listExpired(stamp(50))).map(({ id }) => id)).toEqual([3]);
    await records.setExpiry(3, stamp(60));
    expect(await records.listExpired(stamp(50))).toEqual([]);
    expect((await records.listFolders()).size).toBe(4);
  });
});
