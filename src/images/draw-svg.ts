import { loadSharp } from './load-sharp.ts';

const loader = ['VipsForeignLoadSvgBuffer'];

/**
 * Converts the program's own SVGs to PNGs, in order. PNG is encoded faster than WebP. The SVG
 * loader is enabled only during this call, so that uploaded SVGs are never read.
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
