import { type Identity, noEdition } from '../../../src/core/library/identity.ts';
import type {
  IdentifiedFile,
  ImageHashes,
  LibraryRoot,
  ScannedFile,
} from '../../../src/core/library/library-file.ts';
import type { StoredScan } from '../../../src/core/library/ports.ts';

export const games: LibraryRoot = { path: '/games', system: 'games' };
export const videos: LibraryRoot = { path: '/videos', system: 'videos' };

const identity: Identity = {
  disc: 'psp',
  container: 'cso',
  serial: 'ULUS-10041',
  edition: { ...noEdition, disc: 2, version: '1.01', areas: ['japan'] },
  title: `It's "é" \u{1F600}`,
  imageSize: 5_000_000_000,
  sha1: null,
  statedSha1: null,
  members: [{ name: 'a.iso', size: 1, crc32: '0000abcd', hashes: null }],
  tracks: [{ number: 1, isAudio: false, size: 2352, hashes: null }],
  sheet: [],
  evidence: { 'PARAM.SFO DISC_ID': 'ULUS10041' },
  problem: null,
};

/** Returns hashes that begin with `seed`. */
export function hashesOf(seed: string, size = 7): ImageHashes {
  const padded = (length: number) => seed.padEnd(length, '0');
  return { size, crc32: padded(8), md5: padded(32), sha1: padded(40) };
}

/**
 * Returns a file as a scan would find it. Fields that allow large numbers have values above 2^53.
 */
export function fileOf(path: string, more: Partial<IdentifiedFile> = {}): IdentifiedFile {
  return {
    path,
    name: path.slice(path.lastIndexOf('/') + 1),
    size: 5_000_000_001,
    mtimeNs: 1_700_000_000_123_456_789n,
    inode: 2n ** 62n + 1n,
    identity,
    reader: 'cso 1, psp 1',
    hashes: null,
    ...more,
  };
}

/** Returns the file of `fileOf` as `ScannedFiles` returns it, without a release. */
export function scannedOf(path: string, more: Partial<IdentifiedFile> = {}): ScannedFile {
  return { ...fileOf(path, more), releaseId: null, method: null, setKey: null };
}

export function scanOf(path: string, more: Partial<IdentifiedFile> = {}): StoredScan {
  return { file: fileOf(path, more), match: null, tied: [], evidence: {} };
}
