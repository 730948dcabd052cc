import { describe, expect, test } from 'vitest';
import { zipOf } from '../imports/support/zip-file.ts';
import { romOf, useLibrary } from './library-fixture.ts';

describe('the matching of a zip', () => {
  const [readme, track, sheet] = ['read me', 'the track', 'the sheet'];
  const rows = [
    { name: 'Sheet', roms: [romOf(sheet, 's.cue')] },
    { name: 'Disc', roms: [romOf('more', 'd.cue'), romOf(track, 'd.bin')] },
  ];
  const zip = (...members: string[]) =>
    zipOf(members.map((content, index) => ({ name: `${index}.xyz`, content })));

  test('finds the release of a member, but none if members belong to two releases', async () => {
    const library = await useLibrary();
    await library.take(rows, 'Any - Platform');
    await library.write('a.zip', zip(readme, track));
    await library.write('b.zip', zip(readme, sheet, track));
    await library.write('c.zip', zip(readme));
    await library.write('d.zip', zip('more', readme, track));
    const disc = { release: 'Disc', method: 'crc32', canonical: 'd.bin' };
    const sure = { release: 'Disc', method: 'sha1', canonical: 'd.bin' };
    for (const hash of [false, true]) {
      await library.scan({ hash });
      expect(await library.matchOf('a.zip')).toEqual(hash ? sure : disc);
      expect(await library.matchOf('b.zip')).toBeNull();
      expect(await library.matchOf('c.zip')).toBeNull();
      expect(await library.matchOf('d.zip')).toMatchObject({ release: 'Disc' });
    }
  });

  test('takes the canonical name of the first matching member', async () => {
    const library = await useLibrary();
    await library.take(rows, 'Any - Platform');
    await library.write('a.zip', zip(track, 'more'));
    await library.scan();
    expect(await library.matchOf('a.zip')).toMatchObject({ canonical: 'd.bin' });
  });
});
