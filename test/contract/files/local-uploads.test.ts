import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { UploadFiles } from '../../../src/core/uploads/ports.ts';
import type { UploadPlace } from '../../../src/core/uploads/upload.ts';
import { areaTmpFolder } from '../../../src/files/local/local-area.ts';
import { sweepTmp } from '../../../src/files/sweep-tmp.ts';
import { localUploads } from '../../../src/files/uploads/upload-files.ts';
import { failFiles } from '../../support/failing-files.ts';

const top = fs.mkdtempSync(join(tmpdir(), 'catalog-uploads-'));
afterAll(() => fs.rmSync(top, { recursive: true, force: true }));

function create() {
  const data = join(top, randomUUID());
  const tmp = join(data, 'tmp');
  const areas = { games: join(data, 'store/games'), videos: join(data, 'store/videos') };
  return { tmp, areas, files: localUploads({ tmp, areas }) };
}

const placeOf = (system: UploadPlace['system'] = 'games'): UploadPlace => {
  return { system, folder: randomUUID(), filename: 'a b.zip' };
};

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('half');
  throw new Error('broken');
}

async function textOf(files: UploadFiles, place: UploadPlace): Promise<string | null> {
  const { signal } = new AbortController();
  const file = await files.fetch(place, { size: 0, sha256: '' }, signal); // any version
  return file && fs.readFileSync(file.path, 'utf8');
}

describe('the bytes of an upload', () => {
  test('are appended, and replace the leftovers of an interrupted chunk', async () => {
    const { files, tmp } = create();
    const place = placeOf();
    expect(await files.open(place)).toBeNull();
    await files.append(place, 0, pieces('one ', 'two '));
    await expect(files.append(place, 8, broken())).rejects.toThrow('broken');
    expect(await textOf(files, place)).toBe('one two ');
    fs.appendFileSync(join(tmp, 'uploads', place.folder, place.filename), 'left by a crash');
    await files.append(place, 8, pieces('three'));
    expect(await textOf(files, place)).toBe('one two three');
    await files.append(place, 0, pieces('anew'));
    expect(await textOf(files, place)).toBe('anew');
  });

  test('are passed to the observer in order and dropped when it refuses them', async () => {
    const { files } = create();
    const place = placeOf();
    let shown = '';
    const onBytes = async (bytes: Uint8Array) => {
      shown += Buffer.from(bytes).toString();
    };
    const check = async () => undefined;
    const beforeWrite = () => undefined;
    const refuse = async () => {
      throw new Error('refused');
    };
    await files.append(place, 0, pieces('one ', 'two '), { onBytes, check, beforeWrite });
    expect([shown, await textOf(files, place)]).toEqual(['one two ', 'one two ']);
    for (const watch of [
      { onBytes, beforeWrite, check: refuse },
      { onBytes: refuse, beforeWrite, check },
    ]) {
      await expect(files.append(place, 8, pieces('three'), watch)).rejects.toThrow('refused');
      expect(await textOf(files, place)).toBe('one two ');
    }
  });

  test('are synced while they arrive, and dropped when a sync fails', async () => {
    const { files, tmp } = create();
    const place = placeOf();
    const mebibytes = (count: number) => pieces(...Array(count).fill('x'.repeat(1_048_576)));
    await files.append(place, 0, pieces('one '));
    for (const failing of [1, 2, 3]) {
      let syncs = 0;
      const failed = (_at: number, call: string) => call === 'datasync' && ++syncs === failing;
      const faults = await failFiles(tmp, failed);
      try {
        await expect(files.append(place, 4, mebibytes(9))).rejects.toThrow('EIO');
      } finally {
        faults.restore();
      }
      expect(syncs).toBe(failing);
      expect(await textOf(files, place)).toBe('one ');
    }
    await files.append(place, 4, mebibytes(9));
    expect((await textOf(files, place))?.length).toBe(4 + 9 * 1_048_576);
  });

  test('are refused if bytes before their offset are missing', async () => {
    const { files } = create();
    const [short, gone] = [placeOf(), placeOf()];
    await files.append(short, 0, pieces('one'));
    const refused = { message: 'damaged upload' };
    await expect(files.append(short, 4, pieces('x'))).rejects.toMatchObject(refused);
    await expect(files.append(gone, 4, pieces('x'))).rejects.toMatchObject(refused);
    expect(await textOf(files, short)).toBe('one');
  });

  test('become a file of their area, even after a discarded stage, and are removed', async () => {
    const { files, areas } = create();
    const place = placeOf('videos');
    await files.append(place, 0, pieces('whole'));
    const staged = await files.stage(place, { size: 5, sha256: '' });
    await staged.discard();
    expect(await textOf(files, place)).toBe('whole');
    expect(await staged.publish('b.zip')).toMatchObject({ name: 'b.zip', size: 5 });
    expect(fs.readFileSync(join(areas.videos, 'b.zip'), 'utf8')).toBe('whole');
    expect(await textOf(files, place)).toBeNull();
    expect(await files.listFolders()).toEqual([place.folder]);
    await files.remove(place);
    await files.remove(place);
    expect(await files.listFolders()).toEqual([]);
  });

  test('are not removed by the sweep of temporary files, however old they are', async () => {
    const { files, tmp } = create();
    const place = placeOf('dats');
    await files.append(place, 0, pieces('x'));
    fs.writeFileSync(join(tmp, 'old'), '');
    const old = new Date(Date.now() - 1e9);
    for (const path of ['old', 'uploads', `uploads/${place.folder}`]) {
      fs.utimesSync(join(tmp, path), old, old);
    }
    expect(await sweepTmp(tmp)).toBe(1);
    expect(await textOf(files, place)).toBe('x');
  });
});

describe('the store of local uploads', () => {
  test('stores uploads on the file system of their area and knows its free space', async ({
    skip,
  }) => {
    const { files, tmp, areas } = create();
    fs.mkdirSync(areas.games, { recursive: true });
    const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', areas.games]);
    if (mount.status !== 0) return skip('skipped: mounting a tmpfs needs root');
    try {
      expect(await files.hasSpaceFor('games', 1_048_577)).toBe(false);
      expect(await files.hasSpaceFor('games', 500_000)).toBe(true);
      expect(await files.hasSpaceFor('dats', 1_048_577)).toBe(true);
      const place = placeOf();
      await files.append(place, 0, pieces('one '));
      expect(fs.readdirSync(join(areaTmpFolder(areas.games), 'uploads'))).toEqual([place.folder]);
      const full = pieces('x'.repeat(600_000), 'y'.repeat(600_000));
      const refused = { message: 'insufficient storage' };
      await expect(files.append(place, 4, full)).rejects.toMatchObject(refused);
      expect(await textOf(files, place)).toBe('one ');
      await files.append(place, 4, pieces('two'));
      expect(await sweepTmp(areaTmpFolder(areas.games))).toBe(0);
      await (await files.stage(place, { size: 7, sha256: '' })).publish('a.zip');
      expect(fs.readFileSync(join(areas.games, 'a.zip'), 'utf8')).toBe('one two');
      expect(fs.existsSync(join(tmp, 'uploads', place.folder))).toBe(false);
    } finally {
      spawnSync('umount', [areas.games]);
    }
    return undefined;
  });
});
