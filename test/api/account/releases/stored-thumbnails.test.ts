import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../../src/settings/config.ts';
import { openCatalog } from '../../../../src/wire/open-catalog.ts';
import { blue, inspectPicture, plainPicture } from '../../../support/images/pictures.ts';
import {
  app,
  get,
  id,
  immutable,
  put,
  request,
  serveCovers,
  stored,
  tagOf,
  thumbnails,
  token,
} from './covers-fixture.ts';

serveCovers();

describe('the folder of thumbnails', () => {
  test('holds at most three thumbnails per release, and none of a removed cover', async () => {
    for (const color of [undefined, blue]) {
      await put(await plainPicture({ width: 900, height: 900, ...(color && { color }) }));
      for (const width of [100, 200, 400]) await get(`width=${width}`);
      const names = [160, 320, 640].map((width) => `${id}-${width}.webp`);
      expect(await stored(3)).toEqual(names);
    }
    expect(await readdir(join(app.data, 'tmp'))).toEqual([]);
    await request('DELETE', `/api/cover/${id}`, { token });
    expect(await thumbnails()).toEqual([]);
  });

  test('holds pictures that other programs can read', async () => {
    await put(await plainPicture({ width: 900, height: 900 }));
    await get('width=100');
    await stored(1);
    const bytes = await readFile(join(app.data, 'thumbnails', `${id}-160.webp`));
    expect(await inspectPicture(bytes)).toMatchObject({ format: 'webp', width: 160, color: 'red' });
  });

  test('supplies no outdated thumbnail after the cover was replaced manually', async () => {
    const file = join(app.data, 'covers', `${id}.png`);
    await put(await plainPicture({ width: 900, height: 900 }));
    expect((await inspectPicture((await get('width=100')).body)).color).toBe('red');
    await stored(1);
    await writeFile(file, await plainPicture({ width: 900, height: 900, color: blue }));
    expect((await inspectPicture((await get('width=100')).body)).color).toBe('blue');
  });

  test('replaces a thumbnail whose file was cut or altered', async () => {
    await put(await plainPicture({ width: 900, height: 900 }));
    // The responses of the API are cached, so this test does not use them.
    const make = async () => Buffer.from((await app.catalog.covers.thumbnail(id, 100)).bytes);
    const picture = await make();
    await stored(1);
    const file = join(app.data, 'thumbnails', `${id}-160.webp`);
    const whole = await readFile(file);
    const altered = Buffer.from(whole);
    altered[100] = (altered[100] ?? 0) ^ 1;
    for (const bytes of [whole.subarray(0, 50), Buffer.alloc(0), altered]) {
      await writeFile(file, bytes);
      expect((await make()).equals(picture)).toBe(true);
      await expect.poll(async () => (await readFile(file)).equals(whole)).toBe(true);
    }
  });

  test('may be deleted while thumbnails are requested', async () => {
    await put(await plainPicture({ width: 900, height: 900 }));
    let over = false;
    const deleting = (async () => {
      while (!over)
        await rm(join(app.data, 'thumbnails'), { recursive: true, force: true }).catch(() => {});
    })();
    // The responses of the API are cached, so this test does not use them.
    const widths: number[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      const all = [100, 200, 400].map((width) => app.catalog.covers.thumbnail(id, width));
      for (const { bytes } of await Promise.all(all)) {
        widths.push((await inspectPicture(Buffer.from(bytes))).width);
      }
    }
    over = true;
    await deleting;
    expect(widths).toEqual(Array(10).fill([160, 320, 640]).flat());
  });

  test('is cleared of leftovers and shared when a second catalogue is opened', async () => {
    await put(await plainPicture({ width: 900, height: 900 }));
    await get('width=100');
    await stored(1);
    const file = join(app.data, 'thumbnails', `${id}-160.webp`);
    const { ino } = await stat(file);
    const left = join(app.data, 'thumbnails', '.catalog-tmp');
    await mkdir(left);
    await writeFile(join(left, 'left'), 'half');
    await utimes(join(left, 'left'), 1_000_000, 1_000_000);
    const config = readConfig({ data: app.data, 'log-level': 'silent', 'cover-source': '' }, {});
    const neighbour = await openCatalog(config, { warn: () => undefined });
    try {
      expect(await readdir(left)).toEqual([]);
      const [{ bytes }, second] = await Promise.all([
        neighbour.covers.thumbnail(id, 160),
        neighbour.covers.thumbnail(id, 640),
        app.catalog.covers.thumbnail(id, 640),
      ]);
      expect((await get('width=100')).body.equals(Buffer.from(bytes))).toBe(true);
      expect((await inspectPicture(Buffer.from(second.bytes))).width).toBe(640);
      expect((await stat(file)).ino).toBe(ino);
    } finally {
      await neighbour.close();
      await rm(left, { recursive: true });
    }
  });
});

const race = 'never serves two pictures under one tag while the cover is replaced';
describe('the server of thumbnails', () => {
  test(race, () => expectOnePerTag(4));
  test(`${race}, 24 times`, { tags: ['full'] }, () => expectOnePerTag(24));
});

async function expectOnePerTag(rounds: number): Promise<void> {
  const pictures = [
    await plainPicture({ width: 700, height: 700 }),
    await plainPicture({ width: 700, height: 700, color: blue }, 'webp'),
  ];
  let over = false;
  const shown = new Map<string, Set<string>>();
  const reader = async () => {
    while (!over) {
      const tag = (await tagOf()) ?? 'none';
      const response = await get(`width=300&tag=${tag}`);
      if (response.headers['cache-control'] !== immutable) continue;
      const { color } = await inspectPicture(response.body);
      shown.set(tag, (shown.get(tag) ?? new Set()).add(color));
    }
  };
  const readers = Promise.all([reader(), reader(), reader(), reader()]);
  for (let round = 0; round < rounds; round++) {
    const before = shown.size;
    await put(pictures[round % 2] ?? Buffer.alloc(0));
    await expect.poll(() => shown.size).toBeGreaterThan(before);
  }
  over = true;
  await readers;
  expect(shown.size).toBeGreaterThan(2);
  expect([...shown.values()].every((colors) => colors.size === 1)).toBe(true);
  // When a cover is replaced, its stored thumbnail is removed. The request uses another width, so
  // that the response does not come from memory.
  await get('width=299');
  await expect.poll(thumbnails).toEqual([`${id}-320.webp`]);
}
