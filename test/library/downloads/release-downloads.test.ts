import { describe, expect, test } from 'vitest';
import { LibraryDownloads } from '../../../src/core/library/library-downloads.ts';
import type { RootHosts } from '../../../src/core/library/root-hosts.ts';
import { openPath } from '../../../src/files/local/open-file.ts';
import { storedZip } from '../../../src/zip/stored-zip.ts';
import { game } from '../../imports/support/dat-text.ts';
import { type LibraryFixture, realDisk, useLibrary } from '../library-fixture.ts';

/** Returns the downloads of a server. The root for videos belongs to the host `attic`. */
function downloadsOf(library: LibraryFixture): LibraryDownloads {
  const hosts: Pick<RootHosts, 'list'> = {
    list: async () => [
      { path: library.games.path, host: 'here', isOwn: true },
      { path: library.videos.path, host: 'attic', isOwn: false },
    ],
  };
  return new LibraryDownloads({
    isOn: true,
    files: library.records.files,
    scanned: library.records.scanned,
    records: { recordLibraryDownload() {} },
    roots: [library.games, library.videos],
    hosts: hosts as RootHosts,
    disk: realDisk,
    openPath: (path) => openPath(path, undefined),
    packFiles: storedZip,
  });
}

async function useTwoHosts(files: readonly string[]) {
  const library = await useLibrary();
  await library.take([game('One', 'one')], 'Sony - PlayStation');
  for (const file of files) await library.write(file, 'content');
  await library.scan();
  const rows = await library.sql.read.selectFrom('library_file').select('id').execute();
  const { id } = await library.sql.read
    .selectFrom('release')
    .select('id')
    .executeTakeFirstOrThrow();
  for (const row of rows) await library.catalog.libraryFiles.choose(row.id, id, { kind: 'system' });
  return { downloads: downloadsOf(library), release: { id, name: 'One' } };
}

describe('the download of a release', () => {
  test('contains the copy on its own host if another host has the file, too', async () => {
    const { downloads, release } = await useTwoHosts(['a.bin', '../videos/a.bin']);
    const { file, system } = await downloads.openRelease(release);
    expect([file.name, system]).toEqual(['One.zip', 'games']);
    await file.close();
  });

  test('fails with the name of the host that alone has one of the files', async () => {
    const { downloads, release } = await useTwoHosts(['a.bin', '../videos/b.bin']);
    await expect(downloads.openRelease(release)).rejects.toThrow('the file is on the host attic');
  });
});
