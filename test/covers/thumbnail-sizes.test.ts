import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { thumbnailWidthFor, thumbnailWidths } from '../../src/core/covers/thumbnail-sizes.ts';

// A static import of the page is forbidden outside of the page.
const ofPage = join(import.meta.dirname, '../../page/src/api/thumbnail-sizes.ts');

describe('the choice of a thumbnail size', () => {
  test('uses the same sizes in the server and the page', async () => {
    const page = await import(ofPage);
    expect(page.thumbnailWidths).toEqual(thumbnailWidths);
    expect(page.smallestCoverWidth).toBe(Math.min(...thumbnailWidths));
  });

  test.each([
    [1, 160],
    [160, 160],
    [161, 320],
    [640, 640],
    [641, 640],
  ])('returns for %i pixels the width %i', async (pixels, width) => {
    expect(thumbnailWidthFor(pixels)).toBe(width);
    expect((await import(ofPage)).coverWidthFor(pixels)).toBe(width);
  });
});
