import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPreference } from '../core/sets/preference.ts';
import { readRule } from '../core/sets/read-rule.ts';
import { forEachAtMost } from '../core/shared/concurrency/for-each-at-most.ts';
import { oneChunk } from '../core/shared/files/one-chunk.ts';
import type { Actor } from '../core/shared/requests/actor.ts';
import { drawSvgs } from '../images/draw-svg.ts';
import type { Catalog } from '../wire/catalog.ts';
import { writeZip } from '../zip/write-zip.ts';
import { demoAccounts } from './demo-accounts.ts';
import { demoDats } from './demo-dats.ts';
import { demoReleases } from './demo-releases.ts';
import { romOf } from './demo-roms.ts';
import { drawCover } from './draw-cover.ts';

const actor: Actor = { kind: 'system' };
const maxConcurrent = 8;

/**
 * Fills a catalogue with the demo: releases, covers, archives, a library, sets, and the accounts.
 * Does nothing if the catalogue already has accounts, so that users' changes are not overwritten.
 * The accounts are created last, so calling this function again completes an interrupted fill.
 */
export async function fillDemo(catalog: Catalog): Promise<void> {
  if ((await catalog.accounts.listUsers()).length > 0) return;
  await importDats(catalog);
  await storeCovers(catalog);
  await storeArchives(catalog);
  await fillLibrary(catalog);
  await saveSets(catalog);
  for (const { username, password } of demoAccounts) {
    await catalog.accounts.createUser({ username, password, role: username }, actor);
  }
}

/** The shared sets of the demo. */
const demoSets = [
  {
    name: 'For the PSP',
    rule: {
      all: [
        { field: 'platform', is: 'Sony - PlayStation Portable' },
        { field: 'library', is: 'have' },
      ],
    },
    prefer: { regions: ['Europe', 'USA', 'Japan'] },
  },
  {
    name: 'Missing from Japan',
    rule: {
      all: [
        { field: 'region', is: 'Japan' },
        { field: 'library', is: 'missing' },
      ],
    },
    prefer: null,
  },
];

async function saveSets({ sets }: Catalog): Promise<void> {
  const known = new Set((await sets.list('everybody')).map(({ name }) => name));
  for (const { name, rule, prefer } of demoSets.filter((set) => !known.has(set.name))) {
    const checked = { rule: readRule(rule), prefer: readPreference(prefer) };
    await sets.create({ name, ownerId: null, isShared: true, ...checked }, 'everybody', actor);
  }
}

async function importDats({ imports }: Catalog): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-demo-'));
  try {
    for (const { file, text } of demoDats()) await writeFile(join(folder, file), text);
    const files = demoDats().map(({ file }) => join(folder, file));
    await imports.importPaths(files, silentOptions(), actor);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function storeCovers({ covers, releases }: Catalog): Promise<void> {
  const pictures = await drawSvgs(demoReleases.map(drawCover));
  const filter = { system: '', q: '', search: '', platform: '', region: '' };
  const items = await releases.list({ ...filter, limit: 500, offset: 0 });
  const storeCover = async (picture: Uint8Array, index: number) => {
    const release = items.find(({ name }) => name === demoReleases[index]?.name);
    if (release === undefined) return;
    await covers.put(release.id, await covers.stage(oneChunk(picture)), actor);
  };
  await forEachAtMost(maxConcurrent, pictures.entries(), ([index, picture]) =>
    storeCover(picture, index),
  );
}

/**
 * Stores an archive for download for each cartridge release, and for each other release whose index
 * is divisible by four.
 */
async function storeArchives({ store }: Catalog): Promise<void> {
  for (const [index, release] of demoReleases.entries()) {
    const { name, kind, bytes } = romOf(release, index);
    if (kind === 'disc' && index % 4 !== 0) continue;
    const isWhole = kind === 'cartridge' && bytes !== null;
    const content = isWhole ? bytes : Buffer.from(`This is the demo: ${name} is made up.\n`);
    const member = { name: isWhole ? name : 'read me.txt', open: async () => oneChunk(content) };
    const area = release.platform.system;
    const zip = await store.stage(area, writeZip([member]));
    await store.save(area, `${release.name}.zip`, zip, actor);
  }
}

/** Folders of the library, by the platform's name. */
const folders: Readonly<Record<string, string>> = {
  'Sony - PlayStation Portable': 'PSP',
  'Sony - PlayStation': 'PlayStation',
  'Nintendo - Super Nintendo Entertainment System': 'SNES',
  'Sega - Mega Drive - Genesis': 'Mega Drive',
};

/**
 * Writes most of the images into the library roots, and scans the library. Some files get informal
 * names (lower case, without the region), as users' files often have.
 */
async function fillLibrary({ scanner, libraryRoots }: Catalog): Promise<void> {
  for (const [index, release] of demoReleases.entries()) {
    const { name, bytes } = romOf(release, index);
    const root = libraryRoots.find(({ system }) => system === release.platform.system);
    if (root === undefined || bytes === null || index % 4 === 3) continue;
    const folder = join(root.path, folders[release.platform.name] ?? '');
    await mkdir(folder, { recursive: true });
    await writeFile(
      join(folder, index % 2 ? name : name.toLowerCase().replace(/(?: \([^()]*\))+/, '')),
      bytes,
    );
  }
  await scanner.scan({
    ...silentOptions(),
    roots: libraryRoots,
    hash: true,
    full: false,
    forget: false,
    jobs: 1,
    retriesWhenBusy: true,
  });
}

function silentOptions() {
  const nothing = () => undefined;
  return { signal: new AbortController().signal, onProgress: nothing, onFile: nothing };
}
