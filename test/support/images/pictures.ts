import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32, createDeflate, deflateSync } from 'node:zlib';
import sharp from 'sharp';

type Rgb = readonly [red: number, green: number, blue: number];
export const red: Rgb = [220, 30, 30];
export const blue: Rgb = [30, 30, 220];

/** Makes a picture of one colour. */
export function plainPicture(
  { width, height, color = red }: { width: number; height: number; color?: Rgb },
  type: 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff' = 'png',
): Promise<Buffer> {
  const [r, g, b] = color;
  const create = { width, height, channels: 3 as const, background: { r, g, b } };
  return sharp({ create }).toFormat(type).toBuffer();
}

/** Returns the properties of a picture. `color` is the colour in the centre, red or blue. */
export async function inspectPicture(bytes: Buffer) {
  const { format, width, height, pages = 1 } = await sharp(bytes).metadata();
  const { data } = await sharp(bytes)
    .resize(1, 1, { kernel: 'nearest' })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const isRed = (data[0] ?? 0) > (data[2] ?? 0);
  return { format, width, height, pages, color: isRed ? 'red' : 'blue' };
}

/**
 * Makes a black PNG of any size, with one bit per pixel. A PNG of 20,000 x 20,000 pixels has 50 kB.
 */
export function hugePng(width: number, height: number): Buffer {
  const rows = Buffer.alloc((Math.ceil(width / 8) + 1) * height);
  return png({ width, height, depth: 1, color: 0 }, deflateSync(rows));
}

/**
 * Makes a transparent PNG of 16 bits per sample that is slow to decode. The PNG has 49 megapixels,
 * each predicted from three neighbours (Paeth).
 */
export function slowPng(): Promise<Buffer> {
  const side = 7_000;
  const rows = Buffer.alloc((side * 8 + 1) * 100);
  for (let start = 0; start < rows.length; start += side * 8 + 1) rows[start] = 4;
  const deflate = createDeflate({ level: 1 });
  Readable.from(Array.from({ length: side / 100 }, () => rows)).pipe(deflate);
  return buffer(deflate).then((data) =>
    png({ width: side, height: side, depth: 16, color: 6 }, data),
  );
}

interface Form {
  readonly width: number;
  readonly height: number;
  /** Number of bits per sample. */
  readonly depth: number;
  /** Colour type: 0 is greyscale, 6 is colour with alpha (PNG, 11.2.1). */
  readonly color: 0 | 6;
}

function png({ width, height, depth, color }: Form, data: Buffer): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = depth;
  head[9] = color;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', head),
    pngChunk('IDAT', data),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
