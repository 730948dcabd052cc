/**
 * Returns CD audio as 16-bit little-endian samples: tones with some noise, the same on every call.
 */
export function sound(sectors: number): Buffer {
  const track = Buffer.alloc(sectors * 2352);
  let noise = 1;
  for (let at = 0, i = 0; at < track.length; at += 4, i += 1) {
    noise = (Math.imul(noise, 1103515245) + 12345) & 0x7fffffff;
    const tone = 9000 * Math.sin(i / 37) + 4000 * Math.sin(i / 11);
    track.writeInt16LE(Math.round(tone + (noise % 200)), at);
    track.writeInt16LE(Math.round(tone / 2 - (noise % 90)), at + 2);
  }
  return track;
}

/** Writes the error correction of raw sectors, byte by byte, as ECMA-130 annex A describes. */
export function withCorrection(track: Buffer): Buffer {
  const out = Buffer.from(track);
  for (let at = 0; at < out.length; at += 2352) {
    const sector = out.subarray(at, at + 2352);
    const body = Buffer.from(sector.subarray(12));
    if (sector[15] === 2) body.fill(0, 0, 4);
    const q = (step: number, code: number) => {
      const word = (43 * (code >> 1) + 44 * step) % 1118;
      return 2 * word + (code & 1);
    };
    addParities(body, { codes: 86, length: 24, place: (step, code) => 86 * step + code, to: 2064 });
    addParities(body, { codes: 52, length: 43, place: q, to: 2236 });
    body.copy(sector, 2076, 2064);
  }
  return out;
}

interface Code {
  codes: number;
  length: number;
  place(step: number, code: number): number;
  to: number;
}

/**
 * Calculates both parity bytes of each code. In each code, the sum of all bytes is zero. The sum
 * with the weights 2^n, 2^(n-1) and so on down to 1 is also zero.
 */
function addParities(body: Buffer, { codes, length, place, to }: Code): void {
  for (let code = 0; code < codes; code += 1) {
    let sum = 0;
    let weighted = 0;
    for (let step = 0; step < length; step += 1) {
      const byte = body[place(step, code)] as number;
      sum ^= byte;
      weighted ^= multiplyInField(byte, powers[length + 1 - step] as number);
    }
    // solves p0 * 2 + p1 = weighted and p0 + p1 = sum, in the Galois field
    const p0 = divideByThree(weighted ^ sum);
    body[to + code] = p0;
    body[to + codes + code] = p0 ^ sum;
  }
}

function multiplyInField(a: number, b: number): number {
  let product = 0;
  for (let bit = 0; bit < 8; bit += 1) {
    if (b & (1 << bit)) product ^= a << bit;
  }
  for (let bit = 14; bit >= 8; bit -= 1) if (product & (1 << bit)) product ^= 0x11d << (bit - 8);
  return product;
}

const powers = Array.from({ length: 64 }, () => 1);
for (let i = 1; i < powers.length; i += 1) powers[i] = multiplyInField(powers[i - 1] as number, 2);
const thirds = new Map(Array.from({ length: 256 }, (_, byte) => [multiplyInField(byte, 3), byte]));
const divideByThree = (byte: number) => thirds.get(byte) ?? 0;
