import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CoverTags } from '../../src/core/covers/cover-tags.ts';
import { busy } from '../../src/core/shared/errors.ts';
import type { FileArea } from '../../src/core/shared/files/file-area.ts';
import { localArea } from '../../src/files/local/local-area.ts';
import { constantRevision } from '../support/data/revisions.ts';

let folder: string;
let tags: CoverTags;
let now = 0;
/** Names of the files that were looked up in the folder. */
let looked: string[] = [];
let listings = 0;
let isBusy = false;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-tags-'));
  now = 0;
  looked = [];
  listings = 0;
  const clock = { monotonic: () => now, now: () => now, timestamp: () => '' };
  tags = new CoverTags({
    area: counted(localArea({ folder, tmp: folder })),
    clock,
    revision: constantRevision,
  });
});
afterEach(async () => {
  await tags.close();
  await rm(folder, { recursive: true });
});

function counted(area: FileArea): FileArea {
  return {
    ...area,
    async find(name) {
      looked.push(name);
      if (isBusy) throw busy();
      return area.find(name);
    },
    names() {
      listings += 1;
      return area.names();
    },
  };
}

const put = (name: string, text = name) => writeFile(join(folder, name), text);
const idsOf = async (...ids: number[]) => [...(await tags.tagsOf(ids)).keys()].toSorted();
/**
 * Waits one second and reads the tags. Returns the names of the files that were looked up in the
 * folder.
 */
async function lookedAt(...ids: number[]): Promise<string[]> {
  now += 1_000;
  looked = [];
  await tags.tagsOf(ids);
  return looked.toSorted();
}
async function nextTurn(): Promise<void> {
  for (const _ of [1, 2, 3, 4, 5]) await lookedAt();
  await tags.close();
}

describe('the reader of cover tags', () => {
  test('looks up only requested files, at most once a second for all callers', async () => {
    for (const id of [1, 2, 3]) await put(`${id}.png`);
    await Promise.all([idsOf(1, 2), idsOf(2, 1), idsOf(1)]);
    await idsOf(1);
    expect(looked.toSorted()).toEqual(['1.jpg', '1.png', '1.webp', '2.jpg', '2.png', '2.webp']);
    expect(await lookedAt(1)).toEqual(['1.jpg', '1.png', '1.webp']);
  });

  test('lists an unchanged folder once and then looks up only files that exist', async () => {
    await put('1.png');
    await put('3.jpg');
    await put('3.webp');
    await put('cover.zip');
    await nextTurn();
    expect(listings).toBe(1);
    expect(await lookedAt(1, 2, 3)).toEqual(['1.png', '3.jpg', '3.webp']);
    await nextTurn();
    expect(listings).toBe(1);
  });

  test('returns the tag of the newest of several files of a cover', async () => {
    await put('1.png', 'same');
    await put('1.jpg', 'same');
    const [before] = (await tags.tagsOf([1])).values();
    await utimes(join(folder, '1.png'), 2_000_000_000, 2_000_000_000);
    now += 1_000;
    const [after] = (await tags.tagsOf([1])).values();
    expect(after).not.toBe(before);
  });

  test('notices files added or removed after the listing one second later', async () => {
    await put('1.png');
    await nextTurn();
    await put('2.png');
    expect(await idsOf(1, 2)).toEqual([1]);
    now += 1_000;
    expect(await idsOf(1, 2)).toEqual([1, 2]);
    await rm(join(folder, '1.png'));
    now += 1_000;
    expect(await idsOf(1, 2)).toEqual([2]);
    await nextTurn();
    expect(await idsOf(1, 2)).toEqual([2]);
    expect(listings).toBe(2);
  });

  test('looks up a file again for the next caller after a lookup failed', async () => {
    await put('1.png');
    isBusy = true;
    await expect(idsOf(1)).rejects.toThrow('busy');
    isBusy = false;
    expect(await idsOf(1)).toEqual([1]);
  });

  test('notices a change made by this process at once', async () => {
    expect(await idsOf(1)).toEqual([]);
    await put('1.png');
    tags.invalidate();
    expect(await idsOf(1)).toEqual([1]);
  });

  test('returns no covers without a folder and notices a folder that appears', async () => {
    await rm(folder, { recursive: true });
    await nextTurn();
    expect(await idsOf(1)).toEqual([]);
    await mkdir(folder);
    await put('1.png');
    now += 1_000;
    expect(await idsOf(1)).toEqual([1]);
  });
  test('lists the folder at most once a second if many releases are requested', async () => {
    await put('7.png');
    const many = Array.from({ length: 500 }, (_, index) => index + 1);
    expect(await idsOf(...many)).toEqual([7]);
    expect(await idsOf(...many.map((id) => id + 500))).toEqual([]);
    expect([listings, looked]).toEqual([1, ['7.png']]);
    await put('8.jpg');
    now += 1_000;
    expect(await idsOf(...many)).toEqual([7, 8]);
    expect(listings).toBe(2);
  });
});
