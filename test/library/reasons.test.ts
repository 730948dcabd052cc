import { describe, expect, test } from 'vitest';
import { LibraryFiles } from '../../src/core/library/library-files.ts';
import type { RowText } from '../imports/support/dat-text.ts';
import { nintendoImage } from '../support/images/disc-images.ts';
import { data, release, saturn, writeDisc } from './discs.ts';
import { romOf, useLibrary } from './library-fixture.ts';

const size = nintendoImage('GW7E69', '', 'gamecube').length;
/** Dumps with the same size and serial. */
const sharing = (...names: string[]): RowText[] =>
  names.map((name, index) => ({
    name,
    serial: 'GW7E69',
    roms: [{ name: `${name}.iso`, size, sha1: `${index}`.padStart(40, 'd') }],
  }));
const image = (form: { disc?: number; revision?: number } = {}) =>
  nintendoImage('GW7E69', '', 'gamecube', { revision: 0, ...form });

async function useReasons() {
  const library = await useLibrary();
  const files = new LibraryFiles({ records: library.records, roots: [library.games] });
  const explained = async (name: string) => {
    const filter = { search: name, system: '', state: '' } as const;
    const [file] = await files.list(filter, { limit: 1, offset: 0 });
    return files.get(file?.id ?? 0);
  };
  /**
   * Returns a line for each rule and release. `revision A` means that the rule held for the
   * release; `revision not A` means that it did not hold.
   */
  const why = async (name: string) =>
    (await explained(name)).why.map(({ rule, release: { name: of }, held }) =>
      [rule, ...(held ? [] : ['not']), of].join(' '),
    );
  return { ...library, files, explained, why };
}

describe('the reasons for a match', () => {
  test('consist of the matching hash, and are empty for a file without evidence', async () => {
    const { take, write, scan, why } = await useReasons();
    await take([{ name: 'A', roms: [romOf('content', 'A.iso')] }]);
    await write('x.iso', 'content');
    await write('y.iso', 'other');
    await scan({ hash: true });
    expect(await why('x')).toEqual(['sha1 A']);
    expect(await why('y')).toEqual([]);
  });

  test('name the rule that decides between releases with the same evidence', async () => {
    const { take, write, scan, why, explained } = await useReasons();
    await take(sharing('A (USA)', 'A (USA) (Rev 1)', 'A (USA) (Rev 2)'));
    await write('x.iso', image({ revision: 1 }));
    await write('y.iso', image({ revision: 9 }));
    await scan();
    const all = ['serial A (USA)', 'serial A (USA) (Rev 1)', 'serial A (USA) (Rev 2)'];
    expect(await why('x')).toEqual([
      ...all,
      'revision A (USA) (Rev 1)',
      'revision not A (USA)',
      'revision not A (USA) (Rev 2)',
    ]);
    expect(await why('y')).toEqual(all);
    const { candidates, releasesByMethod } = await explained('y');
    expect(candidates.map(({ name }) => name)).toEqual(
      releasesByMethod[0]?.releases.map((one) => one.name),
    );
  });

  test('name the rule that excludes the only release that the evidence matches', async () => {
    const { take, write, scan, why, explained } = await useReasons();
    await take(sharing('A (USA) (Disc 2)'));
    await write('x.iso', image());
    await scan();
    expect(await why('x')).toEqual(['serial A (USA) (Disc 2)', 'disc not A (USA) (Disc 2)']);
    expect(await explained('x')).toMatchObject({ state: 'unknown', candidates: [] });
  });

  test('state that the first of several releases with the same content is taken', async () => {
    const { take, write, scan, why } = await useReasons();
    await take([
      { name: 'A', roms: [romOf('content', 'A.iso')] },
      { name: 'B', roms: [romOf('content', 'B.iso')] },
    ]);
    await write('x.iso', 'content');
    await scan({ hash: true });
    expect(await why('x')).toEqual(['sha1 A', 'sha1 B', 'same-content A', 'same-content not B']);
  });

  test('are the same for each file of a disc', async () => {
    const library = await useReasons();
    const { take, scan, why, explained } = library;
    const tracks = [data('A', 'T-1')];
    await take([release('A', tracks, { serial: 'T-1' })], saturn);
    await writeDisc(library, 'a', 'x.cue', [['x.bin', tracks[0] as (typeof tracks)[number]]]);
    await scan();
    expect(await why('x.bin')).toEqual(['serial A']);
    expect(await why('x.cue')).toEqual(['serial A']);
    expect(await explained('x.cue')).toMatchObject({ decidedBy: 'x.bin' });
  });

  test('are empty for a manually chosen release, and return when it is withdrawn', async () => {
    const { take, write, scan, why, files, explained } = await useReasons();
    await take(sharing('A (USA)', 'A (USA) (Rev 1)'));
    await write('x.iso', image({ revision: 1 }));
    await scan();
    const before = await why('x');
    const { id, releaseId } = await explained('x');
    await files.choose(id, releaseId, { kind: 'system' });
    expect(await why('x')).toEqual([]);
    await files.choose(id, null, { kind: 'system' });
    expect(await why('x')).toEqual(before);
  });

  test('name at most twenty releases for each rule, the matched one among them', async () => {
    const { take, write, scan, explained } = await useReasons();
    const names = Array.from({ length: 30 }, (_, at) => `A ${at}`);
    await take(sharing(...names, 'A (Rev 3)'));
    await write('x.iso', image({ revision: 3 }));
    await scan();
    const { why, releaseId } = await explained('x');
    expect(why.filter(({ rule, held }) => rule === 'serial' && held)).toHaveLength(20);
    expect(why.find(({ release: { id } }) => id === releaseId)).toMatchObject({ rule: 'serial' });
  });
});
