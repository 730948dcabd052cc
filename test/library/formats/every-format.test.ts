/** @module-tag full */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ScanReport } from '../../../src/core/library/scan/scan-report.ts';
import type { RomText, RowText } from '../../imports/support/dat-text.ts';
import { xml } from '../../imports/support/dat-text.ts';
import { sendRequest } from '../../support/http/client.ts';
import { openSandbox, type Sandbox, waitForUrl } from '../../support/process.ts';
import { toolsSkipReason } from '../../support/tools.ts';
import { romOf } from '../library-fixture.ts';
import { type WrongReleaseCase, wrongReleaseCases } from '../wrong-releases.ts';
import { formats } from './every-format.ts';
import type { Format } from './format.ts';

/** The match that the API must show for a file, before or after hashing. */
interface Expected {
  readonly release: string | null;
  readonly method: string | null;
  readonly canonical: string | null;
}

type ByFile = Map<string, Expected>;

const nothing: Expected = { release: null, method: null, canonical: null };
const kinds = ['sha1', 'md5', 'crc32'] as const;
/**
 * Expected matches by file name. `first` is after the first pass, and `second` is after hashing.
 */
const first: ByFile = new Map();
const second: ByFile = new Map();
const filesOf = new Map<Format, string[]>();
const rows = new Map<string, RowText[]>();

let sandbox: Sandbox;
let root: string;
const reports: ScanReport[] = [];
const shown: ByFile[] = [];

beforeAll(async () => {
  sandbox = await openSandbox();
  root = join(sandbox.folder, 'discs');
  mkdirSync(root);
  const made = formats.filter((format) => toolsSkipReason(...format.tools) === null);
  for (const [index, format] of made.entries()) {
    const n = 100 + 2 * index;
    if (format.serial !== null) addKnownBySerial(format, n, format.serial(n));
    addKnownByDump(format, n + 1, kinds[index % kinds.length] ?? 'sha1');
  }
  for (const one of wrongReleaseCases) addWrongReleaseCase(one);
  const dats = [...rows].map(([platform, games], index) => {
    const path = join(sandbox.folder, `${index}.dat`);
    writeFileSync(path, xml(games, platform));
    return path;
  });
  const imported = await sandbox.run(['import', ...dats]);
  expect(imported, imported.stderr).toMatchObject({ code: 0 });
  reports.push(await scan('--no-hash'));
  const show = await serve();
  shown.push(await show());
  for (let i = 0; i < 2; i += 1) {
    reports.push(await scan());
    shown.push(await show('?refresh=1'));
  }
}, 120_000);
afterAll(() => sandbox.close());

describe('the library scan', () => {
  for (const format of formats) {
    const skipReason = toolsSkipReason(...format.tools);
    test.skipIf(skipReason !== null)(
      `matches each file as expected, before and after hashing: ${format.label} ${skipReason ?? ''}`,
      () => {
        const files = filesOf.get(format) ?? [];
        expect(files.length).toBeGreaterThan(0);
        const all = (found: ByFile | undefined) => files.map((name) => [name, found?.get(name)]);
        expect(all(shown[0])).toEqual(all(first));
        expect(all(shown[1])).toEqual(all(second));
        expect(all(shown[2])).toEqual(all(second));
      },
    );
  }

  test.each(wrongReleaseCases)(
    'assigns no wrong release, before or after hashing: $what',
    ({ files }) => {
      const all = (found: ByFile | undefined) => Object.keys(files).map((name) => found?.get(name));
      expect(all(shown[0])).toEqual(all(first));
      expect(all(shown[1])).toEqual(all(second));
      expect(all(shown[2])).toEqual(all(second));
    },
  );

  test('identifies only in the first and hashes only in the second of three scans', () => {
    const files = first.size;
    const same = {
      files,
      unreadable: [],
      damaged: [],
      postponed: [],
      problems: [],
      moved: 0,
      gone: 0,
    };
    const bySerial = [...first.values()].filter(({ method }) => method === 'serial').length;
    expect(bySerial).toBeGreaterThan(files / 3);
    expect(reports[0]).toMatchObject({ ...same, looked: files, hashed: 0 });
    const byName = [...first.values()].filter(({ method }) => method === 'name').length;
    expect(reports[0]?.recognised).toMatchObject({ serial: bySerial, name: byName });
    expect(reports[1]?.recognised).toMatchObject({ name: 0 });
    const ties = [0, 1].map((pass) =>
      wrongReleaseCases.reduce((sum, { tied = [0, 0] }) => sum + (tied[pass] ?? 0), 0),
    );
    expect([reports[0]?.tied, reports[1]?.tied]).toEqual(ties);
    // files that match by the hash in their container are not hashed
    const stated = [...first.values()].filter(({ method }) => method === 'sha1').length;
    expect(stated).toBeGreaterThan(0);
    const never = formats.reduce(
      (sum, format) => sum + (filesOf.has(format) ? (format.neverHashed ?? 0) : 0),
      0,
    );
    expect(reports[1]).toMatchObject({ ...same, looked: 0, hashed: files - stated - never });
    expect(reports[2]).toMatchObject({ ...same, looked: 0, hashed: 0 });
  });
});

/** Adds a disc for which the DAT lists another dump, so that only the serial matches. */
function addKnownBySerial(format: Format, n: number, serial: string): void {
  const { files, size } = write(format, n);
  const release = `${format.label} by serial`;
  const other = { crc: '0badcafe', md5: `${n}`.padStart(32, '0'), sha1: `${n}`.padStart(40, '0') };
  const roms: RomText[] = [
    { name: `${release}, another.rom`, size: 1, ...other },
    { name: `${release}.rom`, size: size ?? 2, ...other },
  ];
  addRow(format, { name: release, serial, roms });
  const canonical = size === null ? `${release}, another.rom` : `${release}.rom`;
  for (const name of files) {
    // the DAT lists only the tracks, not a sheet or a part
    const found = { release, method: 'serial', canonical: isSheet(name) ? null : canonical };
    first.set(name, format.isLate ? nothing : found);
    second.set(name, found);
  }
}

/** Adds a disc with a serial that is in no DAT. One hash of the image is the only evidence. */
function addKnownByDump(format: Format, n: number, kind: (typeof kinds)[number]): void {
  const { files, image } = write(format, n);
  const release = `${format.label} by dump`;
  const dump = files.find((name) => !isSheet(name)) ?? '';
  for (const name of files) {
    first.set(name, nothing);
    second.set(name, nothing);
  }
  if (image === null) return;
  const { crc, md5, sha1, size } = romOf(image, '');
  const known = format.stated ?? kind;
  const canonical = `${release}.rom`;
  const hash = known === 'crc32' ? { crc } : known === 'md5' ? { md5 } : { sha1 };
  addRow(format, { name: release, roms: [{ name: canonical, size, ...hash }] });
  const found = {
    release,
    method: known,
    canonical: format.hasNoName?.(dump) ? null : canonical,
  };
  if (format.stated) first.set(dump, found);
  second.set(dump, found);
  for (const name of files.filter(isSheet)) second.set(name, { ...found, canonical: null });
}

function addWrongReleaseCase({ platform, rows: own, files }: WrongReleaseCase): void {
  for (const row of own) addRow({ platform }, row);
  for (const [name, [content, ...found]] of Object.entries(files)) {
    writeFileSync(join(root, name), content);
    for (const [pass, is] of found.entries()) {
      const [release, method, canonical] = is ?? [null, null, null];
      (pass === 0 ? first : second).set(name, { release, method, canonical });
    }
  }
}

const isSheet = (name: string) => /\.(?:cue|gdi|ccd|mds|sub|00[2-9])$/.test(name);

function write(format: Format, n: number) {
  const base = `qq${n}`;
  const { files, ...made } = format.make(n, base);
  const written = Object.entries(files).map(([ending, content]) => {
    writeFileSync(join(root, base + ending), content);
    return base + ending;
  });
  filesOf.set(format, [...(filesOf.get(format) ?? []), ...written]);
  return { ...made, files: written };
}

function addRow({ platform }: Pick<Format, 'platform'>, row: RowText): void {
  rows.set(platform, [...(rows.get(platform) ?? []), row]);
}

async function scan(...more: string[]): Promise<ScanReport> {
  const ended = await sandbox.run(['scan', '--games-root', root, '--json', ...more]);
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  return JSON.parse(ended.stdout);
}

/** Starts a minimal server. Returns a function that lists the library by file name. */
async function serve() {
  const options = ['--minimal', '--host', '127.0.0.1', '--port', '0', '--games-root', root];
  const server = sandbox.start(['serve', ...options]);
  const url = await waitForUrl(server);
  const releases = (await sendRequest(`${url}/api/releases?limit=-1`)).json.items;
  const nameOf = new Map<number, string>(
    releases.map((one: { id: number; name: string }) => [one.id, one.name]),
  );
  return async (query = '') => {
    const { items } = (await sendRequest(`${url}/api/library${query}`)).json;
    const found = (item: { release_id: number } & Expected): Expected => ({
      release: nameOf.get(item.release_id) ?? null,
      method: item.method,
      canonical: item.canonical,
    });
    return new Map<string, Expected>(
      items.map((item: Parameters<typeof found>[0] & { name: string }) => [item.name, found(item)]),
    );
  };
}
