import { readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/core/shared/clock.ts';
import type { FileArea, StagedFile } from '../../src/core/shared/file-area.ts';
import { FileChanges } from '../../src/core/shared/file-changes.ts';
import { localArea } from '../../src/files/local-area.ts';
import { openDatabase } from '../../src/sql/open.ts';
import { archiveReservations } from '../../src/sql/store.ts';
import { chunks, png } from '../covers/covers-fixture.ts';
import { eventually } from '../support/eventually.ts';
import {
  actor,
  deadOwner,
  liveOwner,
  removalOf,
  type StoreFixture,
  sha256,
  uploadOf,
  useStore,
} from './store-fixture.ts';

const hourAgo = () => new Date(Date.now() - 3_600_000).toISOString();

/** Stages an archive; `before` runs when it is about to get its name. */
async function stage({ catalog }: StoreFixture, text: string, before: () => unknown) {
  const staged = await catalog.store.stage('games', chunks(Buffer.from(text)));
  const publish: StagedFile['publish'] = async (name) => {
    await before();
    return staged.publish(name);
  };
  return { ...staged, publish };
}

/** Those of another program on the same files; `onRemoved` runs when a file is gone. */
async function useChanges({ data }: StoreFixture, onRemoved: () => unknown) {
  const engine = await openDatabase(join(data, 'catalog.db'));
  const area = localArea({ folder: join(data, 'store/games'), tmp: join(data, 'tmp') });
  const remove: FileArea['remove'] = async (name) => {
    const isRemoved = await area.remove(name);
    onRemoved();
    return isRemoved;
  };
  const clock = systemClock;
  const changes = new FileChanges({
    records: archiveReservations({ engine, clock }),
    areaOf: () => ({ ...area, remove }),
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

/** Never waits for the lock: whoever has it may need this thread to give it back. */
async function releaseTargets({ db }: StoreFixture): Promise<void> {
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

async function expectAgreement(fixture: StoreFixture): Promise<void> {
  expect(await fixture.filesOnDisk()).toEqual(fixture.rows());
  expect(fixture.reserved()).toEqual([]);
  expect(await readdir(join(fixture.data, 'tmp'))).toEqual([]);
}

describe('uploads', () => {
  test('of one name at the same time: each is answered, the file and its row agree', async () => {
    const fixture = await useStore();
    const texts = Array.from({ length: 20 }, (_, at) => `version ${at}`);
    await Promise.all(texts.map((text) => fixture.save('a.zip', text)));
    expect(texts).toContain(await fixture.archive('a.zip'));
    expect(fixture.audit()).toEqual(texts.map(() => 'archive.upload'));
    await expectAgreement(fixture);
  });

  test('of different names do not wait for one another', async () => {
    const fixture = await useStore();
    const slow = Promise.withResolvers<void>();
    const staged = await stage(fixture, 'slow', () => slow.promise);
    const saved = fixture.catalog.store.save('games', 'slow.zip', staged, actor);
    await fixture.save('quick.zip', 'quick');
    expect(fixture.reserved()).toEqual(['store/games/slow.zip']);
    slow.resolve();
    await saved;
    await expectAgreement(fixture);
  });

  test('no transaction is open while a file gets its name', async () => {
    const fixture = await useStore();
    const staged = await stage(fixture, 'text', () => {
      fixture.db.exec('BEGIN IMMEDIATE');
      fixture.db.exec('ROLLBACK');
    });
    await fixture.catalog.store.save('games', 'a.zip', staged, actor);
    await expectAgreement(fixture);
  });
});

test.each([
  ['other bytes', 'new'],
  ['the same bytes', 'old'],
])(
  'an upload of %s whose user is demoted while the file gets its name leaves the old file',
  async (_, text) => {
    const fixture = await useStore();
    const { catalog } = fixture;
    await fixture.save('a.zip', 'old');
    const account = { username: 'editor', password: 'p', role: 'editor' };
    const { id, username } = await catalog.accounts.createUser(account, actor);
    const right = { role: 'editor', tokenId: null } as const;
    const user = { kind: 'user', userId: id, username, address: '', right } as const;
    const before = fixture.db.prepare('SELECT * FROM stored_file').all();
    const staged = await stage(fixture, text, () =>
      catalog.accounts.updateUser(id, { role: 'user' }, actor),
    );
    const saved = catalog.store.save('games', 'a.zip', staged, user);
    await expect(saved).rejects.toMatchObject({ kind: 'forbidden' });
    expect(await fixture.archive('a.zip')).toBe('old');
    await fixture.settled();
    expect(fixture.audit().filter((action) => action.startsWith('archive'))).toHaveLength(1);
    expect(fixture.db.prepare('SELECT * FROM stored_file').all()).toEqual(before);
    await expectAgreement(fixture);
  },
);

describe('a busy database', () => {
  test('before the file has its name: nothing has happened', async () => {
    const fixture = await useStore();
    await fixture.save('a.zip', 'old');
    fixture.db.exec('BEGIN IMMEDIATE');
    await expect(fixture.save('a.zip', 'new')).rejects.toMatchObject({ kind: 'busy' });
    fixture.db.exec('ROLLBACK');
    expect(await fixture.archive('a.zip')).toBe('old');
    await expectAgreement(fixture);
  });

  test('after it: the client is told, and the old file is back', () => isToldAfter('a.zip'));

  test(
    'after it, where there was no file: the client is told, and there is none',
    {
      tags: ['full'],
    },
    () => isToldAfter('b.zip'),
  );

  test('after a removal: so it is with that', { tags: ['full'] }, async () => {
    const fixture = await useStore();
    await fixture.save('a.zip', 'old');
    const changes = await useChanges(fixture, () => fixture.db.exec('BEGIN IMMEDIATE'));
    const removed = changes.remove(removalOf('a.zip'), actor);
    await expect(removed).rejects.toMatchObject({ kind: 'busy' });
    expect(await fixture.archive('a.zip')).toBe('old');
    fixture.db.exec('ROLLBACK');
    await fixture.settled();
    expect(fixture.audit()).toEqual(['archive.upload']);
    await expectAgreement(fixture);
  });

  test('the same again succeeds, and takes over what was left', { tags: ['full'] }, async () => {
    const fixture = await useStore();
    const staged = await stage(fixture, 'new', () => fixture.db.exec('BEGIN IMMEDIATE'));
    const saved = fixture.catalog.store.save('games', 'a.zip', staged, actor);
    await expect(saved).rejects.toMatchObject({ kind: 'busy' });
    fixture.db.exec('ROLLBACK');
    await fixture.save('a.zip', 'newer');
    expect(fixture.audit()).toEqual(['archive.upload']);
    await expectAgreement(fixture);
  });
});

test('a file that cannot get its name leaves the old one, and the name free', async () => {
  const fixture = await useStore();
  await fixture.save('a.zip', 'old');
  const staged = await stage(fixture, 'new', async () => {
    for (const name of await readdir(join(fixture.data, 'tmp'))) {
      await rm(join(fixture.data, 'tmp', name));
    }
  });
  await expect(fixture.catalog.store.save('games', 'a.zip', staged, actor)).rejects.toThrow(
    'ENOENT',
  );
  await fixture.settled();
  expect(await fixture.archive('a.zip')).toBe('old');
  expect(fixture.audit()).toEqual(['archive.upload']);
  await expectAgreement(fixture);
  await fixture.save('a.zip', 'newer');
  await expectAgreement(fixture);
});

describe('a target that another process has', () => {
  test('is waited for', async () => {
    const fixture = await useStore();
    fixture.reserve(uploadOf('a.zip', 'theirs'), liveOwner());
    const saved = fixture.save('a.zip', 'ours');
    await setTimeout(300);
    expect(await fixture.archive('a.zip')).toBeNull();
    await releaseTargets(fixture);
    await saved;
    expect(await fixture.archive('a.zip')).toBe('ours');
    await expectAgreement(fixture);
  });

  test('for long is busy, and nothing has happened', { tags: ['full'] }, async () => {
    const fixture = await useStore();
    await fixture.save('a.zip', 'old');
    fixture.reserve(uploadOf('a.zip', 'theirs'), liveOwner());
    const writes = [
      fixture.save('a.zip', 'ours'),
      fixture.catalog.store.remove('games', 'a.zip', actor),
    ];
    const busy = (write: Promise<unknown>) => expect(write).rejects.toMatchObject({ kind: 'busy' });
    await Promise.all(writes.map(busy));
    expect(await fixture.archive('a.zip')).toBe('old');
    expect(await readdir(join(fixture.data, 'tmp'))).toEqual([]);
  });

  test.each([
    ['that has ended', () => deadOwner(), undefined],
    ['and kept it for a minute', () => liveOwner(), hourAgo()],
  ] as const)('%s is settled first', async (_which, owner, reservedAt) => {
    const fixture = await useStore();
    await fixture.save('a.zip', 'theirs');
    fixture.db.exec('DELETE FROM stored_file');
    fixture.reserve(uploadOf('a.zip', 'theirs'), owner(), reservedAt);
    await fixture.save('a.zip', 'ours');
    expect(fixture.audit()).toEqual(['archive.upload', 'archive.upload', 'archive.upload']);
    await expectAgreement(fixture);
  });
});

describe('a start settles what a process that ended left', () => {
  /** Leaves a reservation, with these files on disk, and starts again. */
  async function restart(first: StoreFixture): Promise<StoreFixture> {
    await first.close();
    const again = await useStore([], first.data);
    await again.settled();
    return again;
  }

  test('the reserved version is there: confirmed, with its actor and time', async () => {
    const fixture = await useStore();
    await fixture.save('a.zip', 'one');
    fixture.db.exec('DELETE FROM stored_file; DELETE FROM audit');
    const at = hourAgo();
    fixture.reserve(uploadOf('a.zip', 'one'), deadOwner(), at);
    const again = await restart(fixture);
    const [entry] = again.db.prepare('SELECT at, username, action FROM audit').all();
    expect(entry).toEqual({ at, username: 'tester', action: 'archive.upload' });
    await expectAgreement(again);
  });

  test('another version of the same size is there: dropped', async () => {
    const fixture = await useStore();
    await fixture.save('a.zip', 'one');
    fixture.reserve(uploadOf('a.zip', 'two'), deadOwner());
    fixture.reserve(uploadOf('none.zip', 'two'), deadOwner());
    const again = await restart(fixture);
    expect(again.audit()).toEqual(['archive.upload']);
    await expectAgreement(again);
  });

  test('a removal that was made is confirmed, one that was not is dropped', async () => {
    const fixture = await useStore();
    for (const name of ['gone.zip', 'there.zip']) {
      await fixture.save(name, name);
      fixture.reserve(removalOf(name), deadOwner());
    }
    await rm(join(fixture.data, 'store/games/gone.zip'));
    const again = await restart(fixture);
    expect(again.rows()).toMatchObject([{ name: 'there.zip' }]);
    expect(again.audit()).toEqual(['archive.upload', 'archive.upload', 'archive.remove']);
    await expectAgreement(again);
  });

  test('of a cover older files of other types go, a newer one stays', async () => {
    const fixture = await useStore(['Game 1']);
    await fixture.upload('Game 1', png('new'));
    const covers = join(fixture.data, 'covers');
    const [older, newer] = [join(covers, '1.jpg'), join(covers, '1.webp')];
    await writeFile(older, 'older');
    await utimes(older, 1_000, 1_000);
    await writeFile(newer, 'newer');
    await utimes(newer, Date.now() / 1000 + 60, Date.now() / 1000 + 60);
    const file = { name: '1.png', size: png('new').length, sha256: sha256(png('new')) };
    const cover = { releaseId: 1, origin: { kind: 'disc', from: 'x.iso' } };
    const change = { target: 'cover/1', area: 'covers', file, gone: ['1.jpg', '1.webp'], cover };
    fixture.reserve(change, deadOwner());
    const again = await restart(fixture);
    expect((await readdir(covers)).sort()).toEqual(['1.png', '1.webp']);
    expect(await again.cover('Game 1')).toBe('newer');
    await rm(newer);
    expect(await again.catalog.covers.originOf(1)).toBe('disc');
  });

  test('what another process is at stays', async () => {
    const fixture = await useStore();
    fixture.reserve(uploadOf('a.zip', 'theirs'), liveOwner());
    fixture.reserve(uploadOf('b.zip', 'theirs'), deadOwner());
    await fixture.close();
    const again = await useStore([], fixture.data);
    const left = await eventually(again.reserved, ({ length }) => length === 1);
    expect(left).toEqual(['store/games/a.zip']);
  });
});

/** A save that cannot be recorded, after its file is in place; `a.zip` was there before. */
async function isToldAfter(name: string): Promise<void> {
  const fixture = await useStore();
  await fixture.save('a.zip', 'old');
  const staged = await stage(fixture, 'new', () => fixture.db.exec('BEGIN IMMEDIATE'));
  const saved = fixture.catalog.store.save('games', name, staged, actor);
  await expect(saved).rejects.toMatchObject({ kind: 'busy' });
  fixture.db.exec('ROLLBACK');
  await fixture.settled();
  expect(await fixture.archive('a.zip')).toBe('old');
  expect(await fixture.archive('b.zip')).toBeNull();
  expect(fixture.audit()).toEqual(['archive.upload']);
  await expectAgreement(fixture);
}
