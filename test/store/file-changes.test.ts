import { readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { busy } from '../../src/core/shared/errors.ts';
import type { StagedFile } from '../../src/core/shared/files/file-area.ts';
import { withClient } from '../../src/core/shared/requests/client-context.ts';
import { chunks, png } from '../covers/covers-fixture.ts';
import { expectAgreement, releaseTargets, stage, useChanges } from './changes-fixture.ts';
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

describe('the archive store', () => {
  test('accepts concurrent uploads of one name, and keeps file and row consistent', async () => {
    const fixture = await useStore();
    const texts = Array.from({ length: 20 }, (_, at) => `version ${at}`);
    await Promise.all(texts.map((text) => fixture.save('a.zip', text)));
    expect(texts).toContain(await fixture.archive('a.zip'));
    expect(fixture.audit()).toEqual(texts.map(() => 'archive.upload'));
    await expectAgreement(fixture);
  });

  test('does not make uploads of different names wait for one another', async () => {
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

  test('has no open transaction while a file gets its name', async () => {
    const fixture = await useStore();
    const staged = await stage(fixture, 'text', () => {
      fixture.db.exec('BEGIN IMMEDIATE');
      fixture.db.exec('ROLLBACK');
    });
    await fixture.catalog.store.save('games', 'a.zip', staged, actor);
    await expectAgreement(fixture);
  });
});

describe('a change of stored files', () => {
  test.each([
    ['other bytes', 'new'],
    ['the same bytes', 'old'],
  ])('keeps the old file if the user is demoted during an upload of %s', async (_, text) => {
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
  });

  describe('a save or removal while the database is busy', () => {
    test('changes nothing if it fails before it places its file', {
      tags: ['full'],
    }, async () => {
      const fixture = await useStore();
      await fixture.save('a.zip', 'old');
      fixture.db.exec('BEGIN IMMEDIATE');
      await expect(fixture.save('a.zip', 'new')).rejects.toMatchObject({ kind: 'busy' });
      fixture.db.exec('ROLLBACK');
      expect(await fixture.archive('a.zip')).toBe('old');
      await expectAgreement(fixture);
    });

    test('restores the old file if it fails after it placed the new one', () =>
      expectRestoredAfter('a.zip'));

    test(
      'removes the new file if it fails after it placed that file and there was no old one',
      {
        tags: ['full'],
      },
      () => expectRestoredAfter('b.zip'),
    );

    test('restores the file if it fails after the removal', { tags: ['full'] }, async () => {
      const fixture = await useStore();
      await fixture.save('a.zip', 'old');
      const changes = await useChanges(fixture, {
        onRemoved: () => fixture.db.exec('BEGIN IMMEDIATE'),
      });
      const removed = changes.remove(removalOf('a.zip'), actor);
      await expect(removed).rejects.toMatchObject({ kind: 'busy' });
      expect(await fixture.archive('a.zip')).toBe('old');
      fixture.db.exec('ROLLBACK');
      await fixture.settled();
      expect(fixture.audit()).toEqual(['archive.upload']);
      await expectAgreement(fixture);
    });

    test('allows the same upload to succeed afterwards', { tags: ['full'] }, async () => {
      const fixture = await useStore();
      const staged = await stage(fixture, 'new', () => fixture.db.exec('BEGIN IMMEDIATE'));
      const saved = fixture.catalog.store.save('games', 'a.zip', staged, actor);
      await expect(saved).rejects.toMatchObject({ kind: 'busy' });
      fixture.db.exec('ROLLBACK');
      await fixture.save('a.zip', 'newer');
      expect(fixture.audit()).toEqual(['archive.upload']);
      await expectAgreement(fixture);
    });

    test('fails without making the client wait until the old file is restored', {
      tags: ['full'],
    }, async () => {
      const fixture = await useStore();
      const { catalog } = fixture;
      await fixture.save('a.zip', 'old');
      const isBack = Promise.withResolvers<void>();
      const steps: string[] = [];
      const staged = await catalog.store.stage('games', chunks(Buffer.from('new')));
      const failing: StagedFile = {
        ...staged,
        publish: async () => {
          throw busy();
        },
        async takeBack() {
          steps.push('take back');
          await isBack.promise; // like a database server that does not respond
          await staged.takeBack();
        },
        async discard() {
          steps.push('discard');
          await staged.discard();
        },
      };
      const client = { network: '192.0.2.1', signal: new AbortController().signal };
      const saved = withClient(client, () => catalog.store.save('games', 'a.zip', failing, actor));
      await expect(saved).rejects.toMatchObject({ kind: 'busy', outcomeUnknown: true });
      expect(steps).toEqual(['take back']);
      isBack.resolve();
      await expect.poll(() => steps).toEqual(['take back', 'discard']);
      await fixture.settled();
      expect(await fixture.archive('a.zip')).toBe('old');
      await expectAgreement(fixture);
      await fixture.save('a.zip', 'newer');
      await expectAgreement(fixture);
    });
  });

  test('keeps the old file and allows uploads if a new file cannot get its name', async () => {
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
});

describe('a target that another process has reserved', () => {
  test('makes a save wait until it is released', async () => {
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

  test('makes changes fail as busy after a long wait, and keeps the file', {
    tags: ['full'],
  }, async () => {
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
    ['an hour ago', () => liveOwner(), hourAgo()],
  ] as const)(
    'is recovered before a save if it was reserved by a process %s',
    async (_which, owner, reservedAt) => {
      const fixture = await useStore();
      await fixture.save('a.zip', 'theirs');
      fixture.db.exec('DELETE FROM stored_file');
      fixture.reserve(uploadOf('a.zip', 'theirs'), owner(), reservedAt);
      await fixture.save('a.zip', 'ours');
      expect(fixture.audit()).toEqual(['archive.upload', 'archive.upload', 'archive.upload']);
      await expectAgreement(fixture);
    },
  );
});

describe('the recovery at startup of changes by a process that ended', () => {
  /** Closes the catalogue and opens it again with the same files. */
  async function restart(first: StoreFixture): Promise<StoreFixture> {
    await first.close();
    const again = await useStore([], first.data);
    await again.settled();
    return again;
  }

  test('confirms a change whose file exists, with its actor and time', async () => {
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

  test('drops a change whose file is missing or another version of the same size', async () => {
    const fixture = await useStore();
    await fixture.save('a.zip', 'one');
    fixture.reserve(uploadOf('a.zip', 'two'), deadOwner());
    fixture.reserve(uploadOf('none.zip', 'two'), deadOwner());
    const again = await restart(fixture);
    expect(again.audit()).toEqual(['archive.upload']);
    await expectAgreement(again);
  });

  test('confirms a removal if the file is missing, and drops it if the file exists', async () => {
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

  test('removes older cover files of other types and keeps a newer one', async () => {
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

  test('keeps the reservation of a process that is still running', async () => {
    const fixture = await useStore();
    fixture.reserve(uploadOf('a.zip', 'theirs'), liveOwner());
    fixture.reserve(uploadOf('b.zip', 'theirs'), deadOwner());
    await fixture.close();
    const again = await useStore([], fixture.data);
    await expect.poll(again.reserved).toEqual(['store/games/a.zip']);
  });
});

/** Saves a file that gets its name but cannot be recorded. `a.zip` exists before. */
async function expectRestoredAfter(name: string): Promise<void> {
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
