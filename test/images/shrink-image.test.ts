/** @module-tag full */
import { describe, expect, test } from 'vitest';
import { maxSeconds, shrinkImageWithin } from '../../src/images/shrink-image.ts';
import { inspectPicture, slowPng } from '../support/images/pictures.ts';

describe('shrinkImage', () => {
  test('stops working on an image at the time limit, which is 10 s', async () => {
    const slow = await slowPng();
    const options = { evenIfLarge: true };
    expect(await shrinkImageWithin(1)(slow, 640, options)).toBeNull();
    const made = await shrinkImageWithin(600)(slow, 640, options);
    expect((await inspectPicture(Buffer.from(made as Uint8Array))).width).toBe(640);
    expect(maxSeconds).toBe(10);
  });
});
