import { readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { chunks, png } from '../covers/covers-fixture.ts';
import { actor, deadOwner, type StoreFixture, useStore } from '../store/store-fixture.ts';
import { failFiles } from '../support/failing-files.ts';
import { pollOptions } from '../support/poll-options.ts';

const bytes = (text: string) => chunks(Buffer.from(text, 'latin1'));

interface Change {
  make(fixture: StoreFixture): Promise<unknown>;
  /** Restores the earlier state, whether the change succeeded or failed. */
  reset(fixture: StoreFixture): Promise<unknown>;
}

const saveArchive = async ({ catalog: { store } }: StoreFixture, name: string, text: string) =>
  store.save('games', name, await store.stage('games', bytes(text)), actor);
const putCover = async ({ catalog: { covers } }: StoreFixture, text: string) =>
  covers.put(1, await covers.stage(bytes(text)), actor);

const changes: Readonly<Record<string, Change>> = {
  'an upload over another': {
    make: (fixture) => saveArchive(fixture, 'a.zip', 'new'),
    reset: (fixture) => saveArchive(fixture, 'a.zip', 'old'),
  },
  'a first upload': {
    make: (fixture) => saveArchive(fixture, 'b.zip', 'new'),
    reset: ({ catalog: { store } }) => store.remove('games', 'b.zip', actor).catch(() => {}),
  },
  'a removal': {
    make: ({ catalog: { store } }) => store.remove('games', 'a.zip', actor),
    reset: (fixture) => saveArchive(fixture, 'a.zip', 'old'),
  },
  'a cover of another type': {
    make: (fixture) => putCover(fixture, '\xff\xd8\xffnew'),
    reset: (fixture) => putCover(fixture, png('old').toString('latin1')),
  },
  'the removal of a cover': {
    make: ({ catalog: { covers } }) => covers.remove(1, actor),
    reset: (fixture) => putCover(fixture, png('old').toString('latin1')),
  },
};

const seen = ['rename', 'unlink', 'sync'];

/** Returns the visible state: the files, their records, and the number of audit entries. */
async function readState(fixture: StoreFixture) {
  const files = await fixture.filesOnDisk();
  return { files, rows: fixture.rows(), audited: fixture.audit().length };
}

/** Waits until no file without a record is left. Returns the visible state. */
function waitUntilConsistent(fixture: StoreFixture) {
  return vi.waitFor(async () => {
    const found = await readState(fixture);
    expect(found.files).toHaveLength(found.rows.length);
    return found;
  }, pollOptions);
}

describe('the store on a failing disk', () => {
  // After an error, the old state is visible and no leftovers exist.
  for (const [name, it] of Object.entries(changes)) {
    test(`has the state before or after ${name} when any file system call fails`, {
      tags: name === 'an upload over another' ? [] : ['full'],
    }, async () => {
      const fixture = await useStore(['Game 1']);
      await fixture.save('a.zip', 'old');
      await it.reset(fixture);
      await putCover(fixture, png('old').toString('latin1'));
      const failed: string[] = [];
      for (let at = 1; ; at += 1) {
        await fixture.settled();
        const before = await readState(fixture);
        const failing = await failFiles(fixture.data, (call) => call === at);
        const isMade = await it.make(fixture).then(
          () => true,
          () => false,
        );
        failing.restore();
        await fixture.settled();
        // If an older file could not be removed, the next sweep removes it.
        const after = isMade ? await waitUntilConsistent(fixture) : await readState(fixture);
        if (isMade) {
          expect(after.files).toEqual(after.rows);
          expect(after.audited).toBe(before.audited + 1);
          expect(after.files).not.toEqual(before.files);
        } else {
          failed.push(`${failing.calls[at - 1]}`);
          expect(after, `call ${at}, ${failing.calls[at - 1]}`).toEqual(before);
        }
        const left = await readdir(join(fixture.data, 'tmp'));
        // Files that could not be removed are removed at the next start.
        if (failing.calls[at - 1] !== 'rm') expect(left, `${failing.calls}`).toEqual([]);
        for (const name of left) await rm(join(fixture.data, 'tmp', name));
        if (failing.calls.length < at) break;
        if (isMade) await it.reset(fixture);
      }
      // The failed calls include an fsync after a call that makes a change visible.
      expect(failed.filter((call) => call === 'sync').length).toBeGreaterThanOrEqual(1);
    });
  }

  // The disk fails permanently, starting at one of the calls that make a change visible. After the
  // next start, files and records must match.
  for (const [name, it] of Object.entries(changes)) {
    test(`has consistent files and records after ${name} on a permanently failing disk`, {
      tags: name === 'a removal' ? [] : ['full'],
    }, async () => {
      let from = 0; // nothing fails in the first round
      let steps: number[] = [];
      do {
        const fixture = await useStore(['Game 1']);
        await fixture.save('a.zip', 'old');
        await putCover(fixture, png('old').toString('latin1'));
        const failing = await failFiles(fixture.data, (call) => from > 0 && call >= from);
        await it.make(fixture).catch(() => {});
        failing.restore();
        fixture.db.prepare('UPDATE file_reservation SET owner = ?').run(deadOwner());
        await fixture.close();
        const again = await useStore([], fixture.data);
        await again.settled();
        const { files, rows } = await readState(again);
        expect(files, `from call ${from}, ${failing.calls[from - 1]}`).toEqual(rows);
        await again.close();
        if (from === 0) steps = indexesOf(failing.calls);
        from = steps.shift() ?? 0;
      } while (from > 0);
    });
  }

  // The new state is already visible, so a later failure is not an error.
  test('replaces a cover whose file cannot be removed yet, and removes that later', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const fixture = await useStore(['Game 1']);
    await putCover(fixture, png('old').toString('latin1'));
    const removes = (call: string) => call === 'unlink' || call === 'rm';
    const failing = await failFiles(fixture.data, (_at, call) => removes(call));
    try {
      await putCover(fixture, '\xff\xd8\xffnew');
      await fixture.settled();
      expect(await fixture.cover('Game 1')).toMatch(/new$/);
      expect((await readdir(join(fixture.data, 'covers'))).sort()).toEqual(['1.jpg', '1.png']);
      expect(fixture.audit()).toEqual(['cover.upload', 'cover.upload']);
    } finally {
      failing.restore();
    }
    vi.advanceTimersByTime(10_000);
    const { files, rows } = await waitUntilConsistent(fixture);
    expect(files).toEqual(rows);
    await fixture.settled();
    expect(fixture.audit()).toEqual(['cover.upload', 'cover.upload']);
  });

  test('refuses a cover if a newer file of another type cannot be removed', async () => {
    const fixture = await useStore(['Game 1']);
    const newer = join(fixture.data, 'covers', '1.webp');
    await writeFile(newer, 'newer');
    await utimes(newer, Date.now() / 1000 + 60, Date.now() / 1000 + 60);
    const failing = await failFiles(fixture.data, (_at, call) => call === 'unlink');
    try {
      await expect(putCover(fixture, '\xff\xd8\xffnew')).rejects.toThrow('EIO');
    } finally {
      failing.restore();
    }
    expect(await readdir(join(fixture.data, 'covers'))).toEqual(['1.webp']);
  });

  test('restores a cover whose removal is not recorded, even if no folder can be synced', async () => {
    const fixture = await useStore(['Game 1']);
    await putCover(fixture, png('old').toString('latin1'));
    fixture.db.exec(`CREATE TRIGGER no_audit BEFORE INSERT ON audit
      BEGIN SELECT RAISE(ABORT, 'no audit'); END`);
    let syncs = 0;
    const failing = await failFiles(fixture.data, (_at, call) => call === 'sync' && ++syncs > 1);
    try {
      await expect(fixture.catalog.covers.remove(1, actor)).rejects.toThrow('no audit');
    } finally {
      failing.restore();
      fixture.db.exec('DROP TRIGGER no_audit');
    }
    await fixture.settled();
    expect(syncs).toBe(2);
    expect(await fixture.cover('Game 1')).toMatch(/old$/);
    expect(fixture.audit()).toEqual(['cover.upload']);
  });

  test('removes an upload even if its file cannot be removed yet', async () => {
    const { catalog, data } = await useStore();
    const owner = { kind: 'user', userId: 1, username: 'tester', address: '' } as const;
    const declared = { system: 'games', filename: 'a.zip', size: 5, replaces: false, metadata: '' };
    const { id } = await catalog.uploads.begin({ ...declared, system: 'games' }, owner);
    const failing = await failFiles(data, (_at, call) => call === 'rm');
    try {
      await catalog.uploads.remove(id, { userId: 1, seesAll: true }, owner);
    } finally {
      failing.restore();
    }
    await expect(catalog.uploads.get(id, { userId: 1, seesAll: true })).rejects.toThrow(
      'not found',
    );
  });
});

/**
 * Returns the positions, counted from 1, of the calls that add or remove names and of the following
 * fsyncs.
 */
function indexesOf(calls: readonly string[]): number[] {
  const numbers = calls.map((call, at) => (seen.includes(call) ? at + 1 : 0));
  return numbers.filter((number) => number > 0);
}
