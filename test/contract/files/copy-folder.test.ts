import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CopyFolder, refuseUnfinishedCopy } from '../../../src/files/copies/copy-folder.ts';

const use = { takesDatabase: true, takesFiles: true, isOwn: true };

function dataFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-copy-folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const games = join(folder, 'store/games');
  mkdirSync(games, { recursive: true });
  return { folder, archive: join(games, 'a.zip') };
}

describe('a copy of the data folder', () => {
  test('refuses archives that no copy wrote, even after an aborted copy', async () => {
    const { folder, archive } = dataFolder();
    writeFileSync(archive, 'of somebody');
    const refused = { message: expect.stringContaining('already contains covers or archives') };
    await expect(CopyFolder.begin(folder, use)).rejects.toMatchObject(refused);
    // The state after a copy of the database was killed.
    mkdirSync(join(folder, '.catalog-copy'));
    writeFileSync(join(folder, '.catalog-copy/catalog.db'), '');
    await expect(CopyFolder.begin(folder, use)).rejects.toMatchObject(refused);
    expect(existsSync(archive)).toBe(true);
  });

  test('continues an earlier copy that was aborted after its first files', async () => {
    const { folder, archive } = dataFolder();
    const brokenOff = await CopyFolder.begin(folder, use);
    writeFileSync(archive, 'copied');
    await brokenOff.abandon();
    await CopyFolder.begin(folder, use);
    expect(existsSync(archive)).toBe(true);
  });

  test("names what to remove if a catalogue's own folder has an unfinished copy", async () => {
    const { folder } = dataFolder();
    await CopyFolder.begin(folder, { ...use, takesDatabase: false });
    const aside = join(folder, '.catalog-copy');
    const start = (keepsFilesInFolder: boolean) =>
      refuseUnfinishedCopy(folder, { keepsDatabaseInFolder: false, keepsFilesInFolder });
    await expect(start(false)).rejects.toThrow(
      `; if a catalogue uses the folder, remove only ${aside}`,
    );
    await expect(start(true)).rejects.toThrow(/ or empty the folder$/);
    rmSync(aside, { recursive: true });
    await start(false);
  });
});
