import { describe, expect, test } from 'vitest';
import { LibraryScanner } from '../../../src/core/library/scan/scanner.ts';
import { game } from '../../imports/support/dat-text.ts';
import { realDisk, touch, useLibrary } from '../library-fixture.ts';

/**
 * Returns a library with a known file, and a scan that matches the file with another catalogue.
 * Between reading the record of the file and storing the match, the scan waits for `meanwhile`.
 */
async function useRematch(duringScan: (path: string) => Promise<unknown>) {
  const library = await useLibrary();
  const path = await library.write('One.iso', 'old');
  await touch(path, 1_700_000_000);
  await library.scan({ hash: true });
  await library.take([game('One', 'one')], 'Sony - PlayStation');
  const { catalogue } = library.records;
  let isFirst = true;
  const records = {
    ...library.records,
    catalogue: {
      find: async (lookups: Parameters<typeof catalogue.find>[0]) => {
        const found = await catalogue.find(lookups);
        if (isFirst && lookups.length > 0) {
          isFirst = false;
          await duringScan(path);
        }
        return found;
      },
      candidate: (id: number) => catalogue.candidate(id),
      version: () => catalogue.version(),
    },
  };
  const scanner = new LibraryScanner({ disk: realDisk, records });
  const rematch = () =>
    scanner.scan({
      roots: [library.games],
      ...{ hash: false, full: false, forget: false, jobs: 1, retriesWhenBusy: false },
      signal: new AbortController().signal,
      onProgress() {},
    });
  return { library, rematch };
}

describe('the rematching of files', () => {
  test('keeps the new record of a file that another scan reads meanwhile', async () => {
    const { library, rematch } = await useRematch(async () => {
      await library.write('One.iso', 'the new content');
      await library.scan({ hash: true });
    });
    await rematch();
    expect(await library.stored('One.iso', 'size')).toBe('the new content'.length);
    expect(await library.stored('One.iso', 'sha1')).not.toBeNull();
  });

  test('does not restore the record of a file that is deleted meanwhile', async () => {
    const { library, rematch } = await useRematch(async () => {
      const ids = library.sql.read.selectFrom('library_file').select('id');
      await library.records.store.forget((await ids.execute()).map(({ id }) => id));
    });
    await rematch();
    expect(await library.items()).toEqual([]);
  });

  test('keeps a release that an editor chooses meanwhile', async () => {
    const { library, rematch } = await useRematch(async () => {
      const { id } = await library.sql.read
        .selectFrom('library_file')
        .select('id')
        .executeTakeFirstOrThrow();
      const release = await library.sql.read
        .selectFrom('release')
        .select('id')
        .executeTakeFirstOrThrow();
      await library.catalog.libraryFiles.choose(id, release.id, { kind: 'system' });
    });
    await rematch();
    expect(await library.stored('One.iso', 'method')).toBe('manual');
  });
});
