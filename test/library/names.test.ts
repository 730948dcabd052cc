import { describe, expect, test } from 'vitest';
import type { RowText } from '../imports/support/dat-text.ts';
import { gamecube } from './discs.ts';
import { type LibraryFixture, romOf, useLibrary } from './library-fixture.ts';

describe('the matching by name', () => {
  const named = async (file: string, rows: readonly RowText[]) => {
    const library = await useLibrary();
    await library.write(file, 'noise that is no disc');
    await library.take(rows, 'Any - Platform');
    await library.scan();
    return library.matchOf(file);
  };

  test('accepts the release name, with or without an extension, and the ROM name', async () => {
    const rows = [{ name: 'Game 1.5 (USA)', roms: [{ name: 'g15.bin', size: 5 }] }];
    expect(await named('Game 1.5 (USA).xyz', rows)).toMatchObject({ method: 'name' });
    expect(await named('Game 1.5 (USA)', rows)).toMatchObject({ method: 'name' });
    expect(await named('g15.bin', rows)).toMatchObject({ canonical: 'g15.bin' });
    expect(await named('game 1.5 (usa).xyz', rows)).toBeNull();
    expect(await named('Game 1.5 (USA) (Rev 1).xyz', rows)).toBeNull();
  });

  test('does not accept a ROM name that several releases share as evidence', async () => {
    const both = ['One', 'Two'].map((name, index) => ({
      name,
      roms: [{ name: 'work.bin', size: index + 5, sha1: `${index}`.padStart(40, 'b') }],
    }));
    expect(await named('work.bin', both)).toBeNull();
    expect(await named('work.bin', both.slice(1))).toMatchObject({ release: 'Two' });
  });

  test('accepts the names that other sources give a release', async () => {
    const library = await useLibrary();
    await library.write('Other name (Europe).iso', 'noise');
    const roms = [romOf('dump', 'dump.iso')];
    await library.take([{ name: 'First name (Europe)', roms }], 'Any - Platform', 'first');
    await library.take([{ name: 'Other name (Europe)', roms }], 'Any - Platform', 'second');
    await library.scan();
    expect(await library.matchOf('Other name (Europe).iso')).toEqual({
      release: 'First name (Europe)',
      method: 'name',
      canonical: 'dump.iso',
    });
  });
});

describe('the canonical name of a file without a matching ROM', () => {
  const canonical = async (library: LibraryFixture, sizes: readonly number[]) => {
    await library.write('x.iso', gamecube);
    const roms = sizes.map((size) => ({ name: `of ${size}.iso`, size }));
    await library.take([{ name: 'Found', serial: 'GW7E69', roms }]);
    await library.scan();
    return (await library.matchOf('x.iso'))?.canonical;
  };

  test('is that of the ROM with the size of the image', async () => {
    const { length } = gamecube;
    expect(await canonical(await useLibrary(), [5, length, 7])).toBe(`of ${length}.iso`);
  });

  test('is that of the first ROM if none has the size of the image', async () => {
    expect(await canonical(await useLibrary(), [9, 5, 7])).toBe('of 9.iso');
  });
});
