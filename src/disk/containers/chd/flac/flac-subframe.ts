import type { FlacBits } from './flac-bits.ts';

const FIXED: readonly (readonly number[])[] = [[], [1], [2, -1], [3, -3, 1], [4, -6, 4, -1]];

/**
 * Returns the samples of one channel of a FLAC frame. Throws a RangeError if the channel is
 * damaged.
 *
 * Source: RFC 9639 (FLAC), section 9.2 (subframes).
 */
export function readSubframe(bits: FlacBits, blockSize: number, sampleBits: number): Int32Array {
  const samples = new Int32Array(blockSize);
  const type = bits.read(7);
  const wasted = bits.read(1) === 0 ? 0 : bits.readUnary() + 1;
  const width = sampleBits - wasted;
  if (width < 1) throw new RangeError('a FLAC subframe without bits');
  if (type === 0) samples.fill(bits.readSigned(width));
  else if (type === 1) readPlain(bits, samples, blockSize, width);
  else if (type >= 8 && type <= 12) {
    const order = type - 8;
    readPlain(bits, samples, order, width);
    readResidual(bits, samples, order);
    addPrediction(samples, FIXED[order] as number[], 0, 32);
  } else if (type >= 32 && type < 64) {
    readPredicted(bits, samples, type - 31, width);
  } else throw new RangeError('a FLAC subframe of a kind that is not known');
  for (let i = 0; i < blockSize && wasted > 0; i += 1) {
    samples[i] = (samples[i] as number) << wasted;
  }
  return samples;
}

function readPlain(bits: FlacBits, samples: Int32Array, count: number, width: number): void {
  if (count > samples.length) throw new RangeError('a FLAC subframe that is too short');
  for (let i = 0; i < count; i += 1) samples[i] = bits.readSigned(width);
}

function readPredicted(bits: FlacBits, samples: Int32Array, order: number, width: number): void {
  readPlain(bits, samples, order, width);
  const precision = bits.read(4) + 1;
  const shift = bits.readSigned(5);
  if (precision === 16 || shift < 0) throw new RangeError('a FLAC predictor that cannot be');
  const factors = Array.from({ length: order }, () => bits.readSigned(precision));
  readResidual(bits, samples, order);
  addPrediction(samples, factors, shift, width + precision + Math.floor(Math.log2(order)));
}

/**
 * Reads the differences between the samples and their predictions. The differences are stored in
 * partitions. Each partition has its own Rice parameter.
 */
function readResidual(bits: FlacBits, samples: Int32Array, order: number): void {
  const method = bits.read(2);
  if (method > 1) throw new RangeError('FLAC differences of a kind that is not known');
  const parameterBits = method === 0 ? 4 : 5;
  const partitions = 1 << bits.read(4);
  const size = samples.length / partitions;
  if (!Number.isInteger(size) || size < order) throw new RangeError('a FLAC partition too many');
  for (let i = 0; i < partitions; i += 1) {
    const from = i === 0 ? order : i * size;
    const to = (i + 1) * size;
    const parameter = bits.read(parameterBits);
    if (parameter < (1 << parameterBits) - 1) {
      if (parameter > 24) throw new RangeError('a FLAC parameter that cannot be');
      bits.readRice(samples, from, to, parameter);
      continue;
    }
    const width = bits.read(5);
    if (width > 25) throw new RangeError('a FLAC difference that is too long');
    for (let at = from; at < to; at += 1) samples[at] = bits.readSigned(width);
  }
}

/**
 * Adds the predictions to `samples`, which contains the differences. `sumBits` is the number of
 * bits that a prediction may need before the shift. Above 32 bits, the sum is calculated with
 * doubles, which are exact here.
 */
function addPrediction(
  samples: Int32Array,
  factors: readonly number[],
  shift: number,
  sumBits: number,
): void {
  const order = factors.length;
  const divisor = 2 ** shift;
  const isShort = sumBits <= 32;
  for (let i = order; i < samples.length; i += 1) {
    let sum = 0;
    if (isShort) {
      for (let j = 0; j < order; j += 1) {
        sum = (sum + Math.imul(factors[j] as number, samples[i - 1 - j] as number)) | 0;
      }
      samples[i] = (samples[i] as number) + (sum >> shift);
    } else {
      for (let j = 0; j < order; j += 1) {
        sum += (factors[j] as number) * (samples[i - 1 - j] as number);
      }
      samples[i] = (samples[i] as number) + Math.floor(sum / divisor);
    }
  }
}
