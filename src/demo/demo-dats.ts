import { type DemoRelease, demoReleases } from './demo-releases.ts';
import { romOf } from './demo-roms.ts';

const studios = ['Brightwater', 'Studio Kestrel', 'Low Table', 'Inkstone Works', 'Harbour Nine'];
const publishers = ['Northlight', 'Paper Crane', 'Orchard Media'];

/**
 * Returns the demo's DATs in import order. For each platform, the DAT with the releases comes
 * before the DAT with their metadata.
 */
export function demoDats(): { file: string; text: string }[] {
  const rows = demoReleases.map((release, index) => ({ release, index }));
  const platforms = Map.groupBy(rows, ({ release }) => release.platform);
  return [...platforms].flatMap(([{ name }, own]) => [
    { file: `${name}.dat`, text: datOf(name, own.map(rowOf)) },
    { file: `${name} (metadata).dat`, text: datOf(name, own.map(metadataOf)) },
  ]);
}

interface Row {
  readonly release: DemoRelease;
  /** Index in the list of all demo releases. */
  readonly index: number;
}

function datOf(platform: string, rows: readonly string[]): string {
  return `<?xml version="1.0"?>
<datafile><header><name>${escaped(platform)}</name><version>2026-11-21</version></header>
${rows.join('\n')}
</datafile>`;
}

function rowOf({ release, index }: Row): string {
  const { name, size, crc, md5, sha1 } = romOf(release, index);
  const serial = serialOf(release, index);
  return `<game name="${escaped(release.name)}"><description>${escaped(release.name)}</description>
<region>${release.region}</region>${serial === '' ? '' : `<serial>${serial}</serial>`}
<rom name="${escaped(name)}" size="${size}" crc="${crc}" md5="${md5}" sha1="${sha1}"/></game>`;
}

function metadataOf({ release: { name, genre }, index }: Row): string {
  return `<game name="${escaped(name)}"><genre>${genre}</genre>
<developer>${studios[(index * 3) % studios.length]}</developer><publisher>${publishers[index % publishers.length]}</publisher>
<releaseyear>${1994 + ((index * 7) % 16)}</releaseyear><releasemonth>${1 + ((index * 5) % 12)}</releasemonth></game>`;
}

function serialOf({ platform, region }: DemoRelease, index: number): string {
  const [first = ''] = region.split(', ');
  const beginning = platform.serials[first];
  return beginning === undefined ? '' : `${beginning}-${99_100 + index * 13}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
