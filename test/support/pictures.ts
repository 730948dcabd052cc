import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

type Rgb = readonly [red: number, green: number, blue: number];
export const red: Rgb = [220, 30, 30];
export const blue: Rgb = [30, 30, 220];

/** A picture of one colour. */
export function plainPicture(
  { width, height, color = red }: { width: number; height: number; color?: Rgb },
  type: 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff' = 'png',
): Promise<Buffer> {
  const [r, g, b] = color;
  const create = { width, height, channels: 3 as const, background: { r, g, b } };
  return sharp({ create }).toFormat(type).toBuffer();
}

/** What a picture is, and which of the two colours its middle has. */
export async function lookAt(bytes: Buffer) {
  const { format, width, height, pages = 1 } = await sharp(bytes).metadata();
  const { data } = await sharp(bytes)
    .resize(1, 1, { kernel: 'nearest' })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const isRed = (data[0] ?? 0) > (data[2] ?? 0);
  return { format, width, height, pages, color: isRed ? 'red' : 'blue' };
}

/** A black PNG of any size, of one bit per pixel: 20,000 x 20,000 pixels are 50 kB. */
export function hugePng(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 1;
  const rows = Buffer.alloc((Math.ceil(width / 8) + 1) * height);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', head),
    pngChunk('IDAT', deflateSync(rows)),
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
