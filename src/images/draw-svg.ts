import { loadSharp } from './load-sharp.ts';

const loader = ['VipsForeignLoadSvgBuffer'];

/**
 * Draws the program's own SVGs as PNG, which encodes faster than WebP. The SVG loader is blocked
 * before and after, so that uploaded SVGs are not read.
 */
export async function drawSvgs(svgs: readonly string[]): Promise<Uint8Array[]> {
  const sharp = await loadSharp();
  sharp.unblock({ operation: loader });
  try {
    return await Promise.all(svgs.map((svg) => sharp(Buffer.from(svg)).png().toBuffer()));
  } finally {
    sharp.block({ operation: loader });
  }
}
