import type { Page } from 'playwright-core';

export interface Picture {
  readonly type: 'png' | 'jpeg' | 'webp';
  readonly width: number;
  readonly height: number;
  /** Seed that determines the colours. */
  readonly seed: number;
}

/**
 * Images that this process has drawn, by their description. The test files of a process share them.
 */
const drawn = new Map<string, Buffer>();

/** Draws a cover in the browser, once per process. Returns the bytes of the image. */
export async function drawCover(page: Page, picture: Picture): Promise<Buffer> {
  const key = JSON.stringify(picture);
  const bytes = drawn.get(key) ?? Buffer.from(await page.evaluate(draw, picture), 'base64');
  drawn.set(key, bytes);
  return bytes;
}

/** Draws a sky in two colours, a sun and some hills. Runs in the page. */
async function draw({ type, width, height, seed }: Picture): Promise<string> {
  const canvas = new OffscreenCanvas(width, height);
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('no canvas');
  const hue = (seed * 137) % 360;
  const sky = pen.createLinearGradient(0, 0, 0, height);
  sky.addColorStop(0, `hsl(${hue} 55% ${25 + (seed % 3) * 18}%)`);
  sky.addColorStop(1, `hsl(${(hue + 50) % 360} 60% 65%)`);
  pen.fillStyle = sky;
  pen.fillRect(0, 0, width, height);
  pen.fillStyle = `hsl(${(hue + 180) % 360} 70% 75%)`;
  pen.beginPath();
  pen.arc(width * (0.3 + (seed % 5) * 0.1), height * 0.38, width * 0.17, 0, 7);
  pen.fill();
  for (const layer of [0, 1, 2]) {
    pen.fillStyle = `hsl(${(hue + 20 * layer) % 360} 40% ${34 - layer * 11}%)`;
    pen.beginPath();
    pen.moveTo(0, height);
    for (let x = 0; x <= width; x += 4) {
      const wave = Math.sin(x / (width * 0.13) + seed + layer * 2) * height * 0.06;
      pen.lineTo(x, height * (0.6 + layer * 0.12) + wave);
    }
    pen.lineTo(width, height);
    pen.fill();
  }
  const blob = await canvas.convertToBlob({ type: `image/${type}`, quality: 0.85 });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
