import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { JournalFile } from '../../src/files/builds/journal-file.ts';

describe('the journal of a build', () => {
  test('defers some lines on a full disk until there is space', async ({ skip }) => {
    const folder = await mkdtemp(join(tmpdir(), 'catalog-full-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]);
    if (mount.status !== 0) return skip('skipped: mounting needs root');
    onTestFinished(() => void spawnSync('umount', [folder]));
    const file = await JournalFile.read(folder);
    await file.openForWriting();
    const header = { setId: 1, set: 'All', profile: 'batocera' };
    await file.append([{ do: 'begin', header }]);
    const filler = join(folder, 'filler');
    await expect(writeFile(filler, Buffer.alloc(2 ** 20))).rejects.toThrow('ENOSPC');
    const names = Array.from({ length: 300 }, (_, index) => `folder ${index}`);
    for (const path of names) {
      await file.append([{ do: 'folder', path }], { mayBeFull: true });
      await file.append([{ do: 'done' }], { mayBeFull: true });
    }
    await expect(file.append([{ do: 'forget', path: 'x' }])).rejects.toThrow('ENOSPC');
    expect([...file.journal.folders]).toEqual(names);
    await rm(filler);
    await file.append([{ do: 'folder', path: 'last' }]);
    await file.append([{ do: 'done' }]);
    await file.close();
    const { journal } = await JournalFile.read(folder);
    expect([...journal.folders]).toEqual([...names, 'last']);
  });
});
