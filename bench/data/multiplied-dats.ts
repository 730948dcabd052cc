import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Folders of libretro's DATs that list dumps. The other folders only add metadata to the same
 * releases.
 */
const kinds = ['no-intro', 'redump'];
const game = /^game \(\n\tname "(.*)"\n([\s\S]*?)^\)\n/gm;
const hash = /\b(crc|md5|sha1) ([0-9A-F]{8})/gi;

/**
 * Writes libretro's DATs to `to`, with about `releases` releases. Writes only a part of the DATs,
 * or all of them several times. Copies have different hashes and a suffix such as "(Copy 2)" after
 * the name. The order of the releases does not change. Returns the paths of the files.
 */
export async function multiplyDats(
  folder: string,
  releases: number,
  to: string,
): Promise<string[]> {
  const texts = new Map<string, string>();
  for (const kind of kinds) {
    for (const file of await readdir(join(folder, kind))) {
      texts.set(`${kind} ${file}`, await readFile(join(folder, kind, file), 'utf8'));
    }
  }
  const total = [...texts.values()].reduce((sum, text) => sum + (text.match(game)?.length ?? 0), 0);
  const factor = releases / total;
  let seen = 0;
  const files: string[] = [];
  for (const [name, text] of texts) {
    const end = text.indexOf('game (');
    const rows: string[] = [end === -1 ? text : text.slice(0, end)];
    for (const [, title = '', rest = ''] of text.matchAll(game)) {
      const copies = Math.floor((seen + 1) * factor) - Math.floor(seen * factor);
      seen += 1;
      for (let copy = 1; copy <= copies; copy += 1) {
        const suffix = copy === 1 ? '' : ` (Copy ${copy})`;
        const content =
          copy === 1
            ? rest
            : rest.replace(
                hash,
                (_, key, firstDigits) => `${key} ${changeHash(firstDigits, copy)}`,
              );
        rows.push(`game (\n\tname "${title}${suffix}"\n${content})\n`);
      }
    }
    const file = join(to, name);
    await writeFile(file, rows.join(''));
    files.push(file);
  }
  return files;
}

function changeHash(firstDigits: string, copy: number): string {
  const changed = (Number.parseInt(firstDigits, 16) ^ Math.imul(copy, 0x9e3779b1)) >>> 0;
  return changed.toString(16).padStart(8, '0');
}
