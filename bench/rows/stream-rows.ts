import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { request as sendRequest } from 'node:http';
import { join } from 'node:path';
import { median } from '../../measure/median.ts';
import { adminPassword, runCatalog, startServer } from '../../measure/program.ts';
import { startChild } from '../child.ts';
import type { Bench, Row } from '../row.ts';

const mib = 1024 * 1024;
const game = { name: 'Bench (Europe).iso', mib: 512 };
/** Size of one read, in bytes. PPSSPP reads up to 16 blocks of 64 KiB at once. */
const readBytes = mib;
const readsPerTurn = 256;
const turns = 5;

/**
 * Measures reads of parts of a game from a device's URL. Each read uses a new connection, as PPSSPP
 * does. The reference is a bare node:http server for the same file.
 */
export const streamBench: Bench = {
  rows: ['stream'],
  measure: async (work) => {
    const folder = await work.folder('stream');
    const games = join(folder, 'games');
    await mkdir(games, { recursive: true });
    const sha1 = await writeRandom(join(games, game.name), game.mib);
    const data = join(folder, 'data');
    const dat = join(folder, 'bench.dat');
    await writeFile(dat, datOf(sha1));
    await runCatalog(['import', '--data', data, dat]);
    await runCatalog(['scan', '--data', data, '--games-root', games]);
    const server = await startServer(data, ['--games-root', games]);
    const bare = await startChild<{ url: string }>('bare/bare-files.ts', { folder: games });
    try {
      const ours = `${server.url}${await connect(server.url)}`;
      return [await measureStream(ours, `${bare.reply.url}/`)];
    } finally {
      await server.stop();
      await bare.stop();
    }
  },
};

/** Creates a device, and returns the path of the folder with its games. */
async function connect(url: string): Promise<string> {
  const call = async (path: string, body: object, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${url}/api/${path}`, init);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { token: string; id: number; path: string };
  };
  const { token } = await call('auth/login', { username: 'admin', password: adminPassword });
  const { id } = await call('sets', { name: 'Bench', rule: { all: [] } }, token);
  const device = { name: 'Bench', set_id: id, profile: 'es-de' };
  return `${(await call('devices', device, token)).path}ROMs/psp/`;
}

/** Measures both servers alternately; each rate is the median of several turns. */
async function measureStream(ours: string, theirs: string): Promise<Row> {
  const rates: [number[], number[]] = [[], []];
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [i, folder] of [ours, theirs].entries()) {
      const url = folder + encodeURIComponent(game.name);
      const start = performance.now();
      for (let read = 0; read < readsPerTurn; read += 1) {
        await readPart(url, ((read * 31) % game.mib) * mib);
      }
      const seconds = (performance.now() - start) / 1000;
      rates[i]?.push((readsPerTurn * readBytes) / 1e6 / seconds);
    }
  }
  return {
    name: 'stream',
    what: 'parts of 1 MiB of a game, each on a new connection',
    unit: 'MB/s',
    catalog: median(rates[0]),
    reference: median(rates[1]),
    against: 'bare file server',
    targets: [{ of: 'ratio', least: 0.8 }],
  };
}

function readPart(url: string, start: number): Promise<void> {
  const headers = { range: `bytes=${start}-${start + readBytes - 1}` };
  return new Promise((resolve, reject) => {
    const request = sendRequest(url, { agent: false, headers }, (response) => {
      let bytes = 0;
      response.on('data', (piece: Buffer) => {
        bytes += piece.byteLength;
      });
      response.on('end', () => {
        if (response.statusCode === 206 && bytes === readBytes) resolve();
        else reject(new Error(`${url}: ${response.statusCode}, ${bytes} bytes`));
      });
      response.on('error', reject);
    });
    request.on('error', reject).end();
  });
}

/** Writes a file with random bytes, and returns its SHA-1. */
async function writeRandom(path: string, size: number): Promise<string> {
  const piece = randomBytes(mib);
  const sha1 = createHash('sha1');
  const file = await open(path, 'w');
  for (let i = 0; i < size; i += 1) {
    await file.write(piece);
    sha1.update(piece);
  }
  await file.close();
  return sha1.digest('hex');
}

function datOf(sha1: string): string {
  const rom = `<rom name="${game.name}" size="${game.mib * mib}" sha1="${sha1}"/>`;
  const platform = 'Sony - PlayStation Portable';
  return `<?xml version="1.0"?>
<datafile><header><name>${platform}</name></header><game name="Bench (Europe)">${rom}</game></datafile>
`;
}
