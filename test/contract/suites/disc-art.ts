import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ReadDiscArt } from '../../../src/core/covers/ports.ts';
import { randomPng } from '../../support/images/disc-images.ts';
import { makePbp } from '../../support/images/packed-images.ts';

/** Contract of every `ReadDiscArt` adapter that reads files on this machine. */
export function discArtContract(readDiscArt: ReadDiscArt): void {
  function write(content: Buffer | string): string {
    const folder = mkdtempSync(join(tmpdir(), 'catalog-art-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'image');
    writeFileSync(path, content);
    return path;
  }

  test('returns the picture with its name in the image', async () => {
    const icon = randomPng(500);
    const art = await readDiscArt(write(makePbp([Buffer.from('sfo'), icon])));
    expect(art).toEqual({ name: 'ICON0.PNG', bytes: icon });
  });

  test.each([
    ['an empty file', ''],
    ['a text file', 'Nothing to see'],
    ['an image without a picture', makePbp([Buffer.from('sfo')])],
    ['a truncated image', makePbp([Buffer.from('sfo'), randomPng(500)]).subarray(0, 60)],
  ])('finds no picture in %s', async (_what, content) => {
    expect(await readDiscArt(write(content))).toBeNull();
  });

  test('rejects with the error code when the file cannot be read', async () => {
    await expect(readDiscArt(join(tmpdir(), 'catalog-no-such-image'))).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });
}
