import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runTool } from '../tools.ts';

export const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

/** Returns `bytes` bytes that start like a PNG and continue with incompressible bytes. */
export const randomPng = (bytes: number) => Buffer.concat([PNG, randomBytes(bytes - PNG.length)]);

/**
 * Makes an image of the files with xorriso. The keys of `files` are paths on the disc. `system` is
 * written to the first sectors.
 */
export function makeIso(
  files: Readonly<Record<string, Buffer | string>>,
  { sysid = '', volid = 'DISC', system }: { sysid?: string; volid?: string; system?: Buffer } = {},
): Buffer {
  const work = mkdtempSync(join(tmpdir(), 'catalog-iso-'));
  try {
    mkdirSync(join(work, 'disc'));
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(work, 'disc', path)), { recursive: true });
      writeFileSync(join(work, 'disc', path), content);
    }
    const options = [
      '-as',
      'mkisofs',
      '-quiet',
      '-no-pad',
      '-iso-level',
      '3',
      '-sysid',
      sysid,
      '-V',
      volid,
    ];
    if (system) {
      writeFileSync(join(work, 'system'), system);
      options.push('-G', join(work, 'system'));
    }
    const out = join(work, 'out.iso');
    const run = () => runTool('xorriso', [...options, '-o', out, join(work, 'disc')]);
    try {
      run();
    } catch (error) {
      // xorriso 1.5.4 occasionally crashes, so run it again.
      if (!/SIGSEGV/.test(String((error as { stderr?: unknown }).stderr))) throw error;
      rmSync(out, { force: true });
      run();
    }
    return readFileSync(join(work, 'out.iso'));
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** Makes a PARAM.SFO with these texts (psdevwiki.com "PARAM.SFO"). */
export function paramSfo(texts: Readonly<Record<string, string>>): Buffer {
  const names = Object.keys(texts).sort();
  const keys: Buffer[] = [];
  const data: Buffer[] = [];
  const entries = names.map((name) => {
    const text = Buffer.from(`${texts[name]}\0`);
    const entry = Buffer.alloc(16);
    entry.writeUInt16LE(Buffer.concat(keys).length, 0);
    entry.writeUInt16LE(0x0204, 2);
    entry.writeUInt32LE(text.length, 4);
    entry.writeUInt32LE(text.length, 8);
    entry.writeUInt32LE(Buffer.concat(data).length, 12);
    keys.push(Buffer.from(`${name}\0`));
    data.push(text);
    return entry;
  });
  const header = Buffer.alloc(20);
  header.write('\0PSF', 0, 'latin1');
  header.writeUInt32LE(0x101, 4);
  const keysAt = 20 + 16 * entries.length;
  header.writeUInt32LE(keysAt, 8);
  header.writeUInt32LE(keysAt + Buffer.concat(keys).length, 12);
  header.writeUInt32LE(entries.length, 16);
  return Buffer.concat([header, ...entries, ...keys, ...data]);
}

/**
 * Makes the image of a PSP game. The picture is incompressible, so packed images have both
 * compressed and stored blocks.
 */
export function pspIso({ icon = randomPng(40_000) }: { icon?: Buffer } = {}): Buffer {
  return makeIso(
    {
      'UMD_DATA.BIN': 'ULUS-10041|0123456789ABCDEF|0001|G               |',
      'PSP_GAME/PARAM.SFO': paramSfo({
        DISC_ID: 'ULUS10041',
        TITLE: 'A game\nof "two" lines™',
        CATEGORY: 'UG',
      }),
      'PSP_GAME/ICON0.PNG': icon,
      'PSP_GAME/USRDIR/DATA.BIN': Buffer.alloc(100_000, 'some data that repeats. '),
      'PSP_GAME/SYSDIR/EBOOT.BIN': Buffer.alloc(3000),
    },
    { sysid: 'PSP GAME', volid: 'ULUS10041' },
  );
}

/** Returns the first sectors of a Sega disc with texts at the given offsets. */
export function systemArea(fields: Readonly<Record<number, string>>): Buffer {
  const area = Buffer.alloc(2048, ' ');
  for (const [at, text] of Object.entries(fields)) area.write(text, Number(at), 'latin1');
  return area;
}

/** Returns the first bytes of a GameCube or Wii disc, padded to 32 KiB. `disc` counts from 0. */
export function nintendoImage(
  id: string,
  title: Buffer | string,
  kind: 'gamecube' | 'wii',
  { disc = 0, revision = 2 }: { disc?: number; revision?: number } = {},
): Buffer {
  const image = Buffer.alloc(0x8000);
  image.write(id, 0, 'latin1');
  image[6] = disc;
  image[7] = revision;
  if (kind === 'wii') image.writeUInt32BE(0x5d1c9ea3, 0x18);
  else image.writeUInt32BE(0xc2339f3d, 0x1c);
  Buffer.from(title).copy(image, 0x20);
  return image;
}
