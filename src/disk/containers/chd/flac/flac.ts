import { FlacBits } from './flac-bits.ts';
import { readSubframe } from './flac-subframe.ts';

const SYNC = 0x3ffe;
const BYTES_PER_SAMPLE = 4;
const LEFT_SIDE = 8;
const SIDE_RIGHT = 9;
const MID_SIDE = 10;

/**
 * Unpacks 16-bit stereo FLAC frames without a stream header, until there are `size` bytes of
 * samples. In `bytes`, left and right samples alternate, most significant byte first. `used` is the
 * number of packed bytes that were read.
 *
 * Throws a RangeError if the frames are damaged. The checksums in the frames are not compared,
 * because the map contains a checksum of each hunk.
 *
 * Source: RFC 9639 (FLAC), sections 4 and 9.
 */
export function unpackFlac(packed: Uint8Array, size: number): { bytes: Buffer; used: number } {
  const samples = Math.floor(size / BYTES_PER_SAMPLE);
  const bytes = Buffer.alloc(size);
  const bits = new FlacBits(packed);
  for (let done = 0; done < samples; ) {
    const { blockSize, channels } = readFrameHeader(bits);
    if (blockSize > samples - done) throw new RangeError('a FLAC frame that is too long');
    // A channel that stores the difference of left and right needs one more bit per sample.
    const first = readSubframe(bits, blockSize, channels === SIDE_RIGHT ? 17 : 16);
    const hasSide = channels === LEFT_SIDE || channels === MID_SIDE;
    const second = readSubframe(bits, blockSize, hasSide ? 17 : 16);
    bits.align();
    bits.read(16); // the frame's checksum
    separate(first, second, channels);
    write(first, second, bytes, done * BYTES_PER_SAMPLE);
    done += blockSize;
  }
  return { bytes, used: bits.bytesUsed };
}

function readFrameHeader(bits: FlacBits): { blockSize: number; channels: number } {
  if (bits.read(14) !== SYNC) throw new RangeError('no FLAC frame');
  bits.read(2);
  const sizeCode = bits.read(4);
  const rateCode = bits.read(4);
  const channels = bits.read(4);
  bits.read(4); // bits per sample
  // Skip the frame's number. Its length varies, because it is encoded like a character in UTF-8.
  for (let more = Math.clz32(~(bits.read(8) << 24)) - 1; more > 0; more -= 1) bits.read(8);
  const blockSize = readBlockSize(bits, sizeCode);
  bits.read(rateCode === 12 ? 8 : rateCode === 13 || rateCode === 14 ? 16 : 0);
  bits.read(8); // the header's checksum
  const isStereo = channels === 1 || (channels >= LEFT_SIDE && channels <= MID_SIDE);
  if (!isStereo || blockSize === 0) throw new RangeError('a FLAC frame that is not of a CD');
  return { blockSize, channels };
}

function readBlockSize(bits: FlacBits, code: number): number {
  if (code === 1) return 192;
  if (code === 6 || code === 7) return bits.read(code === 6 ? 8 : 16) + 1;
  if (code >= 8) return 256 << (code - 8);
  return code === 0 ? 0 : 576 << (code - 2);
}

/** Converts the two stored channels to left and right, in place. */
function separate(first: Int32Array, second: Int32Array, channels: number): void {
  for (let i = 0; i < first.length && channels >= LEFT_SIDE; i += 1) {
    const [a, b] = [first[i] as number, second[i] as number];
    if (channels === LEFT_SIDE) second[i] = a - b;
    else if (channels === SIDE_RIGHT) first[i] = a + b;
    else {
      const sum = (a << 1) | (b & 1);
      first[i] = (sum + b) >> 1;
      second[i] = (sum - b) >> 1;
    }
  }
}

function write(left: Int32Array, right: Int32Array, bytes: Buffer, from: number): void {
  for (let i = 0, at = from; i < left.length; i += 1, at += BYTES_PER_SAMPLE) {
    const [l, r] = [left[i] as number, right[i] as number];
    bytes[at] = l >> 8;
    bytes[at + 1] = l;
    bytes[at + 2] = r >> 8;
    bytes[at + 3] = r;
  }
}
