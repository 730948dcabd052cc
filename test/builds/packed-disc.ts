import { createHash } from 'node:crypto';
import { romOf } from '../library/library-fixture.ts';

export const psx = 'Sony - PlayStation';

/** A disc with several tracks: the files in an archive, and the game in a DAT. */
export interface PackedDisc {
  /** The files in the archive, by name. The names do not occur in the DAT. */
  readonly files: Readonly<Record<string, Buffer>>;
  readonly row: { readonly name: string; readonly roms: ReturnType<typeof romOf>[] };
  /** Expected contents of the tree below the platform's folder, by path. */
  readonly tree: Readonly<Record<string, string>>;
}

/**
 * Returns a disc with this number of tracks. The last two tracks have the same content, like silent
 * tracks.
 */
export function packedDisc(name: string, tracks = 3, sectors = 4): PackedDisc {
  const numbers = Array.from({ length: tracks }, (_, index) => index + 1);
  const contents = numbers.map((number) =>
    noise(`${name} ${Math.min(number, tracks - 1)}`, 2352 * sectors),
  );
  const ownName = (number: number) => `t${number}.bin`;
  const datName = (number: number) => `${name} (Track ${number}).bin`;
  const sheet = (nameOf: (number: number) => string) =>
    numbers
      .map((number) => {
        const mode = number === 1 ? 'MODE2/2352' : 'AUDIO';
        return `FILE "${nameOf(number)}" BINARY\n  TRACK 0${number} ${mode}\n    INDEX 01 00:00:00\n`;
      })
      .join('');
  const content = (number: number) => contents[number - 1] ?? Buffer.alloc(0);
  return {
    files: {
      'disc.cue': Buffer.from(sheet(ownName)),
      ...Object.fromEntries(numbers.map((number) => [ownName(number), content(number)])),
    },
    row: {
      name,
      roms: [
        romOf(sheet(datName), `${name}.cue`),
        ...numbers.map((number) => romOf(content(number), datName(number))),
      ],
    },
    tree: {
      [`${name}.cue`]: sheet(datName),
      ...Object.fromEntries(
        numbers.map((number) => [datName(number), content(number).toString('utf8')]),
      ),
    },
  };
}

/** Returns bytes that hardly compress. The same text always yields the same bytes. */
export function noise(text: string, length: number): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < length; at += 64) {
    pieces.push(createHash('sha512').update(`${text} ${at}`).digest());
  }
  // ASCII, so that tests can compare texts.
  return Buffer.from(Buffer.concat(pieces).toString('base64').slice(0, length));
}
