import { nintendoImage } from './disc-images.ts';

const DOL = 0x20000;
const FST = 0x40000;
const FILE = 0x100000;

/** Returns incompressible bytes. The same seed always yields the same bytes. */
export function noise(size: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(size);
  let state = seed;
  for (let at = 0; at < size; at += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

/**
 * Makes a GameCube disc that tools accept. The disc has a file of 64 KiB at 1 MiB, followed by
 * `padding` up to `size` bytes. Source: hitmen.c02.at "GCM" (yagcd, chapter 13), which has the
 * positions of the program and the file table at 0x420.
 */
export function gameCubeDisc(
  id: string,
  { size = 0x480000, padding }: { size?: number; padding?: Buffer } = {},
): Buffer {
  const disc = Buffer.alloc(size);
  nintendoImage(id, 'A game', 'gamecube', { disc: 1, revision: 2 }).copy(disc);
  for (const [i, number] of [DOL, FST, 0x40, 0x40].entries()) {
    disc.writeUInt32BE(number, 0x420 + 4 * i);
  }
  // a program with one section
  disc.writeUInt32BE(0x100, DOL);
  disc.writeUInt32BE(0x80003100, DOL + 0x48);
  disc.writeUInt32BE(0x100, DOL + 0x90);
  disc.writeUInt32BE(0x80003100, DOL + 0xe0);
  // entries of the root folder and of one file
  for (const [i, number] of [0x01000000, 0, 2, 0, FILE, 0x10000].entries()) {
    disc.writeUInt32BE(number, FST + 4 * i);
  }
  disc.write('a.bin\0', FST + 24, 'latin1');
  noise(0x10000).copy(disc, FILE);
  padding?.copy(disc, FILE + 0x10000);
  return disc;
}
