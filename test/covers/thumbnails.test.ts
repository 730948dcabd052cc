import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Thumbnails } from '../../src/core/covers/thumbnails.ts';
import { systemClock } from '../../src/core/shared/clock.ts';
import { localArea } from '../../src/files/local/local-area.ts';
import { shrinkImage } from '../../src/images/shrink-image.ts';
import { hugePng, inspectPicture, plainPicture } from '../support/images/pictures.ts';

let folder: string;
let thumbnails: Thumbnails;
/** The widths to which pictures were reduced. */
let shrunk: number[] = [];
/** Number of conversions in progress. Those of large pictures are counted separately. */
let running = { any: 0, large: 0 };
let maxRunning = { any: 0, large: 0 };
let beforeShrinking: () => Promise<void> = async () => undefined;
let beforeStaging: () => Promise<void> = async () => undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-thumbnails-'));
  shrunk = [];
  running = { any: 0, large: 0 };
  maxRunning = { any: 0, large: 0 };
  beforeShrinking = async () => undefined;
  beforeStaging = async () => undefined;
  thumbnails = open();
});
afterEach(async () => {
  await thumbnails.close();
  await rm(folder, { recursive: true });
});

function open(): Thumbnails {
  const area = localArea({ folder: join(folder, 'thumbnails'), tmp: join(folder, 'tmp') });
  const stage = area.stage.bind(area);
  vi.spyOn(area, 'stage').mockImplementation(async (bytes) => {
    await beforeStaging();
    return stage(bytes);
  });
  return new Thumbnails({
    covers: localArea({ folder, tmp: join(folder, 'tmp') }),
    area,
    clock: systemClock,
    async shrink(bytes, width, options) {
      if (!options.evenIfLarge) shrunk.push(width);
      const kind = options.evenIfLarge ? 'large' : 'any';
      running[kind] += 1;
      maxRunning[kind] = Math.max(maxRunning[kind], running[kind]);
      await beforeShrinking();
      const picture = await shrinkImage(bytes, width, options);
      running[kind] -= 1;
      return picture;
    },
  });
}

const put = async (id: number, bytes?: Buffer) =>
  writeFile(join(folder, `${id}.png`), bytes ?? (await plainPicture({ width: 500, height: 500 })));
const made = () => readdir(join(folder, 'thumbnails')).catch(() => []);

describe('the maker of thumbnails', () => {
  test('makes a thumbnail once for fifty concurrent callers and never again', async () => {
    await put(1);
    const all = await Promise.all(Array.from({ length: 50 }, () => thumbnails.get(1, 100)));
    expect(shrunk).toEqual([160]);
    expect(new Set(all.map(({ file }) => file.etag)).size).toBe(1);
    await thumbnails.close();
    await thumbnails.get(1, 100);
    await open().get(1, 160);
    expect(shrunk).toEqual([160]);
  });

  test('makes at most two thumbnails at a time', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, at) => put(at + 1)));
    await Promise.all(Array.from({ length: 12 }, (_, at) => thumbnails.get(at + 1, 100)));
    expect([shrunk.length, maxRunning.any]).toEqual([12, 2]);
  });

  test('converts large covers one at a time, without delaying a small one', async () => {
    const large = hugePng(6_000, 6_000);
    for (const id of [1, 2, 3, 4]) await put(id, large);
    await put(5);
    const order: number[] = [];
    await Promise.all(
      [1, 2, 3, 4, 5].map(async (id) => {
        await thumbnails.get(id, 100);
        order.push(id);
      }),
    );
    expect(order.indexOf(5)).toBeLessThan(2);
    expect(maxRunning.large).toBe(1);
  });

  test('reports busy when too many callers wait', async () => {
    await put(1);
    await Promise.all(Array.from({ length: 600 }, (_, at) => put(at + 1, Buffer.from(`${at}`))));
    const responses = await Promise.allSettled(
      Array.from({ length: 600 }, (_, at) => thumbnails.get(at + 1, 100)),
    );
    const reasons = responses.map((each) =>
      each.status === 'rejected' ? each.reason.message : 'made',
    );
    expect(new Set(reasons)).toEqual(new Set(['busy', 'no cover available']));
  });

  test('does not retry a cover whose thumbnail cannot be made', async () => {
    await put(1, hugePng(9_000, 9_000));
    for (const width of [100, 200, 100]) {
      await expect(thumbnails.get(1, width)).rejects.toThrow('no cover available');
    }
    expect(shrunk).toEqual([160]);
    await put(1);
    expect((await thumbnails.get(1, 100)).bytes.length).toBeGreaterThan(0);
  });

  test.each(['converted', 'stored'])(
    'leaves no thumbnail of a cover removed while it is %s',
    async (when) => {
      await put(1);
      const remove = async () => {
        await rm(join(folder, '1.png'));
        await thumbnails.drop(1);
      };
      if (when === 'converted') beforeShrinking = remove;
      else beforeStaging = remove;
      await thumbnails.get(1, 100);
      await thumbnails.close();
      expect(await made()).toEqual([]);
      expect(await readdir(join(folder, 'tmp')).catch(() => [])).toEqual([]);
    },
  );

  test('makes a new thumbnail on the next request if the cover is replaced meanwhile', async () => {
    await put(1);
    let isFirst = true;
    beforeShrinking = async () => {
      if (isFirst) await put(1, await plainPicture({ width: 200, height: 900 }));
      isFirst = false;
    };
    const first = await thumbnails.get(1, 100);
    const second = await thumbnails.get(1, 100);
    expect(first.tag).not.toBe(second.tag);
    expect((await inspectPicture(Buffer.from(second.bytes))).height).toBe(720);
    await thumbnails.close();
    expect((await open().get(1, 100)).tag).toBe(second.tag);
    expect(shrunk).toEqual([160, 160]);
  });
});
