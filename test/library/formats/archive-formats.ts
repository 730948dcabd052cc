import { type ArchiveKind, archiveKinds } from '../../support/images/archives.ts';
import { makeCso, makeRaw } from '../../support/images/packed-images.ts';
import { ps2, psp, psx, slus, ulus } from '../numbered-discs.ts';
import { chdOfCd } from './chd-formats.ts';
import { type Format, inFolder, type Made, onPsp, packed, sony } from './format.ts';

/** A disc in each kind of archive. */
export const archives = archiveKinds.map(
  (kind): Format => ({
    ...sony(kind.label, slus, (n) => archive(kind, ps2(n)), ' 2'),
    tools: ['xorriso', ...kind.tools] as const,
    ...(kind.directoryContent === 'sums' ? { stated: 'crc32' as const } : {}),
    isLate: !kind.canReadStart,
  }),
);

/** CHDs of a CD in archives. A scan unpacks each CHD to a file before reading it. */
export const chdsInArchives = archiveKinds
  .filter(({ label }) => label === 'zip' || label === '7z, solid')
  .map((kind): Format => {
    const make = (n: number) => {
      const { files, image } = chdOfCd(makeRaw(psx(n), 2), 'MODE2/2352');
      return { ...archive(kind, files['.chd'] as Buffer), image, size: null };
    };
    const tools = ['xorriso', 'chdman', ...kind.tools] as const;
    return { ...sony(`CHD in a ${kind.label}`, slus, make), tools, isLate: !kind.canReadStart };
  });

/** CSOs in archives. DATs list the hashes of the image in the CSO, not of the CSO itself. */
export const csosInArchives = archiveKinds
  .filter(({ label }) => label === 'zip' || label === '7z, solid' || label === 'RAR 5')
  .map((kind): Format => {
    const make = (n: number) => {
      const iso = psp(n);
      return { ...archive(kind, makeCso(iso)), image: iso, size: null };
    };
    const tools = ['xorriso', ...kind.tools] as const;
    const format = { ...sony(`CSO in a ${kind.label}`, ulus, make, onPsp), tools };
    return { ...format, isLate: !kind.canReadStart };
  });

/**
 * One `.bin` with all tracks of a disc, which DATs list separately. The cue sheet is next to the
 * `.bin` or in the same archive.
 */
export const oneBin: readonly Format[] = [
  {
    ...sony('cue and one BIN', slus, (n, name) => {
      const { image, whole, sheet } = mergedDisc(n, `${name}.bin`);
      return { files: { '.cue': sheet, '.bin': whole }, image, size: whole.length };
    }),
    hasNoName: (file) => file.endsWith('.bin'),
  },
  ...archiveKinds
    .filter(
      ({ isSingle, container }) => !isSingle && ['zip', '7z', 'rar', 'gz'].includes(container),
    )
    .map((kind): Format => {
      const make = (n: number) => {
        const { image, whole, sheet } = mergedDisc(n, 'm.bin');
        const files = { 'm.bin': whole, 'm.cue': sheet };
        return {
          ...packed(image, () => inFolder((work) => kind.make(files, work)), '.xyz'),
          size: null,
        };
      };
      const tools = ['xorriso', ...kind.tools] as const;
      const label = `cue and one BIN in a ${kind.label}`;
      return { ...sony(label, slus, make), tools, isLate: !kind.canReadStart };
    }),
];

function mergedDisc(n: number, name: string) {
  const image = makeRaw(psx(n), 2);
  const second = Buffer.alloc(30 * 2352, `tune ${n}`);
  const at = (sector: number) => {
    const [minutes, seconds] = [Math.floor(sector / 4500), Math.floor(sector / 75) % 60];
    return [minutes, seconds, sector % 75].map((part) => `${part}`.padStart(2, '0')).join(':');
  };
  const start = image.length / 2352;
  const sheet =
    `FILE "${name}" BINARY\r\n  TRACK 01 MODE2/2352\r\n    INDEX 01 00:00:00\r\n` +
    `  TRACK 02 AUDIO\r\n    INDEX 00 ${at(start)}\r\n    INDEX 01 ${at(start + 10)}\r\n`;
  return { image, whole: Buffer.concat([image, second]), sheet: Buffer.from(sheet) };
}

/**
 * Returns an archive of an image and a typical extra file. Formats that contain a single file have
 * only the image.
 */
function archive({ make, isSingle }: ArchiveKind, image: Buffer): Made {
  const files = isSingle ? { image } : { 'read me.txt': Buffer.from('read me'), image };
  return packed(image, () => inFolder((work) => make(files, work)), '.xyz');
}
