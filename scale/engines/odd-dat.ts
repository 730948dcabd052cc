import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRandom } from '../../measure/dats.ts';
import { oddTitles } from '../../test/support/data/dats.ts';

const letters = [...'aAeEzZéÉßİıøØ%_\\\'"&<>[]().,- 0159', '大', '神', 'ゼ', '\u{1F600}', '\uFF5A'];
const regions = ['Japan', 'USA', 'usa', 'Europe', '', 'Österreich', '日本'];

/**
 * Writes a DAT with names that are difficult to search, sort or escape. Some names repeat. Returns
 * the path of the DAT.
 */
export async function writeOddDat(folder: string, seed: number): Promise<string> {
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const names = [
    ...oddTitles,
    ...Array.from({ length: 400 }, () => {
      return Array.from({ length: 2 + Math.floor(random() * 30) }, () => pick(letters)).join('');
    }),
  ];
  const games = names.map((name, at) => {
    const sha1 = at.toString(16).padStart(40, '0');
    const serial = random() < 0.5 ? `ODD_${at % 90}.${at}` : '';
    const attributes = `name="${escaped(name.trim() || 'x')}"`;
    return `<game ${attributes}><description>${escaped(`of ${name}`)}</description>
      ${serial && `<serial>${serial}</serial>`}<release ${attributes} region="${pick(regions)}"/>
      <rom name="${escaped(`${name} \\ % _`)}.bin" size="${2 ** (at % 54) - 1}" crc="${sha1.slice(-8)}" sha1="${sha1}"/></game>`;
  });
  const header = '<header><name>Odd - Console %_\\</name><version>1</version></header>';
  const file = join(folder, 'odd.dat');
  await writeFile(file, `<?xml version="1.0"?><datafile>${header}${games.join('\n')}</datafile>`);
  return file;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}
