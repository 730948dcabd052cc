import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { defaultLimits, download } from '../../src/core/imports/catalogue/download.ts';
import { partialFile } from '../../src/files/partial-file.ts';
import { HttpRemoteZip } from '../../src/remote/remote-zip.ts';
import { useSource } from '../covers/covers-fixture.ts';

const MIB = 1024 * 1024;
const disk = mkdtempSync(join(tmpdir(), 'catalog-download-'));
const isMounted =
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', disk]).status === 0;
const why = isMounted ? '' : ' (skipped: only root can mount a small disk)';
const filler = join(disk, 'filler');

afterEach(() => rmSync(filler, { force: true }));
afterAll(() => {
  if (isMounted) spawnSync('umount', [disk]);
  rmdirSync(disk);
});

const free = () => {
  const { bavail, bsize } = statfsSync(disk);
  return bavail * bsize;
};

/** Sends the start of a zip and then zeros, until the client has `total` bytes or closes. */
async function send(response: ServerResponse, total: number): Promise<void> {
  const bytes = function* () {
    yield Buffer.from('PK\x03\x04');
    for (let left = total - 4; left > 0; left -= MIB) yield Buffer.alloc(Math.min(left, MIB));
  };
  await pipeline(bytes, response).catch(() => undefined);
}

/** Downloads a zip onto the small disk. */
async function fetchOnto(base: string, onBytes: (done: number) => void): Promise<number> {
  const url = `${base}/master.zip`;
  const { signal } = new AbortController();
  const file = partialFile(join(disk, 'tmp'), url);
  return download(new HttpRemoteZip({ url }), file, { signal, onBytes }, defaultLimits);
}

const full = { kind: 'storage-full' };

describe.skipIf(!isMounted)(`a download onto a small disk${why}`, () => {
  test('leaves room for other writes if the server states no length', async () => {
    const source = await useSource((_request, response) => void send(response, 1024 * MIB));
    let least = free();
    const fetched = fetchOnto(source.base, () => {
      least = Math.min(least, free());
    });
    await expect(fetched).rejects.toMatchObject(full);
    expect(least).toBeLessThan(80 * MIB);
    expect(least).toBeGreaterThan(40 * MIB);
    expect(readdirSync(join(disk, 'tmp'))).toEqual([]);
  });

  test('does not begin if the stated length leaves no room for other writes', async () => {
    const source = await useSource((_request, response) => {
      response.writeHead(200, { 'content-length': free() - 60 * MIB });
      void send(response, free());
    });
    let done = 0;
    const fetched = fetchOnto(source.base, (now) => {
      done = now;
    });
    await expect(fetched).rejects.toMatchObject(full);
    expect(done).toBe(0);
  });

  test('leaves no file when the disk becomes full meanwhile', async () => {
    const length = 40 * MIB;
    const source = await useSource((_request, response) => {
      response.writeHead(200, { 'content-length': length });
      void send(response, length);
    });
    const fetched = fetchOnto(source.base, (done) => {
      if (done < MIB || existsSync(filler)) return;
      writeFileSync(filler, Buffer.alloc(free()));
    });
    await expect(fetched).rejects.toMatchObject(full);
    expect(readdirSync(join(disk, 'tmp'))).toEqual([]);
  });
});
