import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPlatform } from '../../src/core/exports/profiles/platform-names.ts';
import { Profiles } from '../../src/core/exports/profiles/profiles.ts';
import { readProfileFiles } from '../../src/files/exports/profile-files.ts';
import { shippedProfiles } from '../support/exports/releases.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-profiles-'));
});
afterAll(() => rm(folder, { recursive: true }));

const psx = 'Sony - PlayStation';
const good = {
  title: 'Mine',
  tree: 'roms/{folder}',
  platforms: { [psx]: { folder: 'psx', extensions: ['chd'] } },
};

/** Returns the reason why a profile in the data folder is refused; undefined if it is not. */
async function refusal(content: unknown, name = 'mine'): Promise<string | undefined> {
  const own = await mkdtemp(join(folder, 'own-'));
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  await writeFile(join(own, `${name}.json`), text);
  const { refused } = new Profiles(await readProfileFiles(own));
  expect(refused.map(({ path }) => path)).toEqual(refused.map(() => join(own, `${name}.json`)));
  return refused[0]?.reason;
}

describe('the profiles of the program', () => {
  test('are all valid, with a sentence on where to put an export', async () => {
    const profiles = await shippedProfiles();
    expect(profiles.refused).toEqual([]);
    expect(profiles.list().map(({ id }) => id)).toEqual(
      'arkos batocera es-de knulli minui muos nextui onion pegasus retroarch rocknix'.split(' '),
    );
    for (const { title, placement, platforms } of profiles.list()) {
      expect([title, placement]).toEqual([
        expect.stringMatching(/./),
        expect.stringMatching(/\.$/),
      ]);
      expect(platforms.size).toBeGreaterThan(10);
    }
  });

  test('keep the fields of their base profile, except those that they override', async () => {
    const profiles = await shippedProfiles();
    const [base, variant] = [profiles.get('batocera'), profiles.get('rocknix')];
    expect(variant).toMatchObject({ basedOn: 'batocera', romsPath: '/storage/roms' });
    expect(variant.metadata).toEqual(base.metadata);
    const neogeo = 'SNK - Neo Geo CD';
    expect(base.platforms.get(neogeo)).toMatchObject({ folder: 'neogeocd' });
    expect(variant.platforms.get(neogeo)).toMatchObject({
      folder: 'neocd',
      extensions: base.platforms.get(neogeo)?.extensions,
    });
    expect(variant.platforms.has('Microsoft - Xbox 360')).toBe(false);
  });

  test('list no zso, no dax and no playlists for PSP discs on ES-DE', async () => {
    const platform = (await shippedProfiles()).get('es-de').platforms.get(`${psx} Portable`);
    expect(platform).toMatchObject({ folder: 'psp', hasPlaylists: false });
    expect(platform?.extensions).toEqual(['chd', 'iso', 'cso', 'pbp']);
  });
});

describe('a profile of the data folder', () => {
  test('is listed after the profiles of the program, and may be based on one of them', async () => {
    const own = join(folder, 'good');
    await mkdir(own);
    await writeFile(join(own, 'b.json'), JSON.stringify(good));
    const based = { based_on: 'es-de', title: 'My ES-DE', platforms: { [psx]: null } };
    await writeFile(join(own, 'a.json'), JSON.stringify(based));
    const profiles = new Profiles(await readProfileFiles(own));
    expect(profiles.refused).toEqual([]);
    expect(profiles.list().slice(-2)).toMatchObject([
      { id: 'a', isOwn: true, title: 'My ES-DE', basedOn: 'es-de', gameFolder: 'entry' },
      { id: 'b', isOwn: true, title: 'Mine', basedOn: null, metadata: null, fileSystem: 'posix' },
    ]);
    expect(profiles.get('a').platforms.has(psx)).toBe(false);
    expect(() => profiles.get('c')).toThrow('no such profile');
  });

  test.each([
    ['invalid JSON', '{', 'it is not valid JSON'],
    ['JSON that is not an object', '[]', 'it must be a JSON object'],
    ['no title', { ...good, title: undefined }, 'title must be a text'],
    ['a misspelt field', { ...good, titel: 'x' }, 'titel is not a field of a profile'],
    [
      'an unknown file system',
      { ...good, file_system: 'ntfs' },
      /^file_system must be one of posix/,
    ],
    [
      'a path to a parent folder',
      { ...good, tree: '../{folder}' },
      /^tree must be a relative path/,
    ],
    ['an absolute path', { ...good, tree: '/roms' }, /^tree must be a relative path/],
    ['a backslash', { ...good, tree: 'a\\b' }, 'tree must have "/" between folders'],
    ['an unknown field of paths', { ...good, tree: '{name}' }, 'tree has the unknown field {name}'],
    ['an unknown base', { based_on: 'none' }, 'based_on: there is no profile none'],
    ['itself as its base', { based_on: 'mine' }, /^based_on names too many/],
    [
      'a platform that is a path',
      { ...good, platforms: { '../x': { folder: 'psx', extensions: ['chd'] } } },
      'platforms: "../x" cannot be part of a path',
    ],
    [
      'no extensions',
      { ...good, platforms: { [psx]: { folder: 'psx', extensions: [] } } },
      `platforms.${psx}.extensions must be a list of 1 to 100 texts`,
    ],
    [
      'an extension with a dot',
      { ...good, platforms: { [psx]: { folder: 'psx', extensions: ['.chd'] } } },
      new RegExp(`^platforms.${psx}.extensions must have texts of the form`),
    ],
    [
      'pictures without a size',
      { ...good, art: [{ kind: 'box', path: '{stem}.png', format: 'png' }] },
      'art[0].max_width must be a whole number from 1 to 4096',
    ],
    [
      'an unknown form of metadata',
      { ...good, metadata: { form: 'launchbox', path: 'x.xml' } },
      'metadata.form must be one of es-de, batocera, pegasus, retroarch',
    ],
  ])('is refused with %s, by name and reason', async (_what, content, reason) => {
    expect(await refusal(content)).toEqual(
      typeof reason === 'string' ? reason : expect.stringMatching(reason),
    );
  });

  test('is refused if its name is taken by the program or has forbidden characters', async () => {
    expect(await refusal(good, 'es-de')).toBe('its name is that of a profile of the program');
    expect(await refusal(good, 'My Device')).toMatch(/^its name must have lower-case letters/);
    expect(await refusal(good)).toBeUndefined();
  });
});

describe('the platform of a profile', () => {
  const platforms = new Map(
    [psx, `${psx} Portable`, 'SNK - Neo Geo CD'].map((name) => [name, name]),
  );
  test.each([
    [psx, psx],
    ['sony playstation', psx],
    [`${psx} Portable (PSN) (Decrypted)`, `${psx} Portable`],
    [`${psx} Portable (UMD Video)`, undefined],
    [`${psx} Portable (UMD Music)`, undefined],
    ['SNK - NeoGeo CD', 'SNK - Neo Geo CD'],
    [`${psx} 2`, undefined],
  ])('is found by its name in DATs: %s, %s', (name, found) => {
    expect(findPlatform(platforms, name)).toBe(found);
  });
});
