import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { median } from '../../measure/median.ts';
import { runCatalog, startServer } from '../../measure/program.ts';
import type { BareWalk } from '../bare/bare-walk.ts';
import { runInChild } from '../child.ts';
import type { Bench, Row } from '../row.ts';

const folders = 100;
const filesPerFolder = 1000;
/** Number of alternating measurements. The result is their median. */
const turns = 7;
const singleRowDat =
  '<datafile><header><name>One</name></header><game name="One"><rom name="one" size="1"/></game></datafile>';

/**
 * Measures `GET /api/library?refresh=1` for 100,000 unchanged files. The reference is a bare walk
 * of the same folders. Also records the longest wait of another request during the refresh.
 */
export const libraryBench: Bench = {
  rows: ['refresh', 'refresh-blocking'],
  measure: async (work) => libraryRows(await work.folder('library')),
};

async function libraryRows(folder: string): Promise<Row[]> {
  const root = join(folder, 'discs');
  const data = join(folder, 'data');
  makeTree(root);
  const dat = join(folder, 'one.dat');
  writeFileSync(dat, singleRowDat);
  await runCatalog(['import', '--data', data, dat]); // a scan does not create a catalogue
  await runCatalog(['scan', '--no-hash', '--json', '--data', data, '--games-root', root]);
  const server = await startServer(data, ['--minimal', '--games-root', root]);
  try {
    await refresh(server.url); // warms up the OS cache for both
    const bare: BareWalk[] = [];
    const refreshes: Refresh[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      bare.push(await runInChild<BareWalk>('bare/bare-walk.ts', { root }));
      refreshes.push(await refresh(server.url));
    }
    const what = `refresh of ${folders * filesPerFolder} unchanged files`;
    const longestWaitMs = Math.max(...refreshes.map((one) => one.longestWaitMs));
    const catalog = median(refreshes.map(({ ms }) => ms));
    const common = { what, unit: 'ms', catalog, detail: { longestWaitMs } } as const;
    return [
      {
        ...common,
        name: 'refresh',
        reference: median(bare.map(({ nonBlockingMs }) => nonBlockingMs)),
        against: 'bare walk with lstat, not blocking',
        targets: [],
      },
      {
        ...common,
        name: 'refresh-blocking',
        reference: median(bare.map(({ blockingMs }) => blockingMs)),
        against: 'bare walk with lstat, blocking',
        targets: [{ of: 'ratio', most: 1.8 }],
      },
    ];
  } finally {
    await server.stop();
  }
}

function makeTree(root: string): void {
  for (let i = 0; i < folders; i += 1) {
    const folder = join(root, `folder ${i}`);
    mkdirSync(folder, { recursive: true });
    for (let j = 0; j < filesPerFolder; j += 1) {
      writeFileSync(join(folder, `Some game ${i}-${j} (Europe).iso`), `${j}`);
    }
  }
}

interface Refresh {
  readonly ms: number;
  /** The longest wait of another request during the refresh, in milliseconds. */
  readonly longestWaitMs: number;
}

async function refresh(url: string): Promise<Refresh> {
  const start = performance.now();
  let isDone = false;
  // The filter makes the response small, because writing its JSON must not be measured.
  const refreshing = fetch(`${url}/api/library?refresh=1&system=videos`).then((one) => one.text());
  void refreshing.finally(() => {
    isDone = true;
  });
  let longestWaitMs = 0;
  while (!isDone) {
    const sentAt = performance.now();
    await (await fetch(`${url}/api/releases?limit=1`)).text();
    longestWaitMs = Math.max(longestWaitMs, performance.now() - sentAt);
    await setTimeout(10); // without pauses, the client would use a whole processor
  }
  await refreshing;
  return { ms: performance.now() - start, longestWaitMs: Math.round(longestWaitMs) };
}
