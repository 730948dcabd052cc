import { createHash } from 'node:crypto';
import { romOf } from '../library/library-fixture.ts';

export const psx = 'Sony - PlayStation';

/** A disc of several tracks: the files of an archive, and the game that a DAT lists. */
export interface PackedDisc {
  /** The files in the archive, under names that no DAT has. */
  readonly files: Readonly<Record<string, Buffer>>;
  readonly row: { readonly name: string; readonly roms: ReturnType<typeof romOf>[] };
  /** The files of the tree below the folder of the platform. */
  readonly tree: Readonly<Record<string, string>>;
}

/** Returns a disc with this number of tracks. The last two have the same bytes, as silence has. */
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

/** Returns bytes that do not pack, and are always the same for a text. */
export function noise(text: string, length: number): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < length; at += 64) {
    pieces.push(createHash('sha512').update(`${text} ${at}`).digest());
  }
  // ASCII, so that tests can compare texts.
  return Buffer.from(Buffer.concat(pieces).toString('base64').slice(0, length));
}
