import { describe, expect, test } from 'vitest';
import { convertPicture } from '../../src/images/convert-picture.ts';
import { blue, hugePng, inspectPicture, plainPicture } from '../support/images/pictures.ts';

const png = { format: 'png', maxWidth: 320, maxHeight: 480 } as const;
const jpg = { ...png, format: 'jpg' } as const;
const converted = async (bytes: Uint8Array, to: Parameters<typeof convertPicture>[1]) => {
  const made = await convertPicture(bytes, to);
  return made === null ? null : inspectPicture(Buffer.from(made));
};

describe('convertPicture', () => {
  test.each(['png', 'jpeg', 'webp', 'gif'] as const)('converts and reduces a %s', async (type) => {
    const picture = await plainPicture({ width: 640, height: 1_280, color: blue }, type);
    const size = { width: 240, height: 480, color: 'blue' };
    expect(await converted(picture, png)).toMatchObject({ ...size, format: 'png' });
    expect(await converted(picture, jpg)).toMatchObject({ ...size, format: 'jpeg' });
  });

  test('never enlarges a picture, and returns one that fits as it is', async () => {
    const small = await plainPicture({ width: 100, height: 50 }, 'png');
    expect(await convertPicture(small, png)).toBe(small);
    expect(await converted(small, jpg)).toMatchObject({ width: 100, height: 50, format: 'jpeg' });
  });

  test('returns null for bytes that are not a picture, and for huge pictures', async () => {
    expect(await convertPicture(Buffer.from('text'), png)).toBeNull();
    expect(
      await convertPicture(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), png),
    ).toBeNull();
    expect(await convertPicture(hugePng(20_000, 20_000), png)).toBeNull();
  });
});
