import { csvOf } from './csv.ts';

/** The data of a ROM as a DAT states it; a missing text is "". */
export interface RomTexts {
  readonly name: string;
  /** Size in bytes; 0 if the DAT does not state it. */
  readonly size: number;
  readonly crc32: string;
  readonly md5: string;
  readonly sha1: string;
  readonly serial: string;
}

/** The texts of a release in a list of missing releases. */
export interface ReleaseTexts {
  readonly name: string;
  readonly region: string;
  readonly serial: string;
  readonly description: string;
  readonly roms: readonly RomTexts[];
}

type Batches = AsyncIterable<readonly ReleaseTexts[]>;

/** Yields releases as CSV, with the size and SHA-1 of the largest ROM of each release. */
export function missingCsv(batches: Batches): AsyncGenerator<string> {
  return csvOf(['name', 'region', 'serial', 'size', 'sha1'], batches, csvCells);
}

function csvCells({ name, region, serial, roms }: ReleaseTexts): string[] {
  const largest = roms.reduce<RomTexts | null>(
    (best, rom) => (best === null || rom.size > best.size ? rom : best),
    null,
  );
  return [name, region, serial, largest ? `${largest.size}` : '', largest?.sha1 ?? ''];
}

/**
 * Yields releases as a DAT in Logiqx XML (http://www.logiqx.com/Dats/datafile.dtd). A serial of the
 * game is an element, as in Redump's DATs. A serial of a ROM is an attribute, as in No-Intro's
 * DATs.
 */
export async function* missingDat(
  batches: Batches,
  { name, day }: { name: string; day: string },
): AsyncGenerator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE datafile PUBLIC "-//Logiqx//DTD ROM Management Datafile//EN" "http://www.logiqx.com/Dats/datafile.dtd">
<datafile>
\t<header>
\t\t<name>${escaped(name)}</name>
\t\t<description>${escaped(name)}: missing in the library</description>
\t\t<version>${day}</version>
\t\t<author>Catalog</author>
\t</header>
`;
  for await (const batch of batches) yield batch.map(game).join('');
  yield '</datafile>\n';
}

function game({ name, region, serial, description, roms }: ReleaseTexts): string {
  const lines = [
    `\t<game${attributes({ name })}>`,
    `\t\t<description>${escaped(description || name)}</description>`,
    ...(serial === '' ? [] : [`\t\t<serial>${escaped(serial)}</serial>`]),
    ...(region === '' ? [] : [`\t\t<release${attributes({ name, region })}/>`]),
    ...roms.map(({ size, crc32: crc, ...rom }) => {
      const { name: file, md5, sha1, serial: own } = rom;
      return `\t\t<rom${attributes({ name: file, size: `${size}`, crc, md5, sha1, serial: own })}/>`;
    }),
    '\t</game>',
  ];
  return `${lines.join('\n')}\n`;
}

function attributes(values: Readonly<Record<string, string>>): string {
  const given = Object.entries(values).filter(([name, value]) => value !== '' || name === 'name');
  return given.map(([name, value]) => ` ${name}="${escaped(value)}"`).join('');
}

/** Escapes text for XML 1.0. Removes characters that XML does not allow. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replace(/[\t\n\r]/g, (blank) => `&#${blank.charCodeAt(0)};`);
}
