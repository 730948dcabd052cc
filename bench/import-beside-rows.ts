import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { generatedDats } from './dats.ts';
import { timedImport } from './import-rows.ts';
import { type Bench, quantile, type Row } from './row.ts';
import { openUploader } from './uploading.ts';
import { adminPassword, runCatalog, startServer } from './work.ts';

/** Of a measurement without import. */
const quietMs = 8_000;
const before = 100_000;
const added = 60_000;

interface Waits {
  readonly logins: readonly number[];
  readonly pages: readonly number[];
}

/**
 * What logins and list pages of a server wait while `catalog import` fills its catalogue with `dat`, and while an import
 * of `sent` does that was started as the page starts one, against when nothing does.
 */
export const importBesideBench: Bench = {
  rows: ['logins-beside-import', 'lists-beside-import', 'lists-beside-import-job'],
  measure: async (work) => {
    const folder = await work.folder('beside');
    const data = join(folder, 'data');
    await timedImport(await work.dats(before), data);
    const [dat = ''] = await generatedDats(join(folder, 'dats'), [added], 10);
    const [sent = ''] = await generatedDats(join(folder, 'sent'), [added], 11);
    return rowsBeside({ data, dat, sent });
  },
};

async function rowsBeside({ data, dat, sent }: Record<'data' | 'dat' | 'sent', string>) {
  const server = await startServer(data);
  try {
    await watch(server.url, setTimeout(1_000)); // the first ones compile
    const quiet = await watch(server.url, setTimeout(quietMs));
    const busy = await watch(server.url, runCatalog(['import', '--json', '--data', data, dat]));
    const uploader = await openUploader(server.url);
    const chunk = await readFile(sent);
    const file = { filename: 'sent.dat', system: 'dats', chunk, times: 1 } as const;
    const upload = await uploader.upload(file);
    const byPage = await watch(server.url, uploader.run('import', { uploads: [upload] }));
    return [
      rowOf('logins-beside-import', 'logins during an import, p99', busy.logins, quiet.logins),
      rowOf('lists-beside-import', 'list pages during an import, p99', busy.pages, quiet.pages),
      rowOf(
        'lists-beside-import-job',
        'list pages during an import by page, p99',
        byPage.pages,
        quiet.pages,
      ),
    ];
  } finally {
    await server.stop();
  }
}

/** Logs in and asks for list pages, side by side and one after the other, until the work ends. */
async function watch(url: string, work: Promise<unknown>): Promise<Waits> {
  let isDone = false;
  const ended = work.finally(() => {
    isDone = true;
  });
  const repeat = async (ask: () => Promise<Response>, pauseMs: number) => {
    const waits: number[] = [];
    while (!isDone) {
      const asked = performance.now();
      const answer = await ask();
      await answer.text();
      waits.push(performance.now() - asked);
      if (answer.status !== 200) throw new Error(`${answer.url} answered ${answer.status}`);
      await setTimeout(pauseMs);
    }
    return waits;
  };
  const body = JSON.stringify({ username: 'admin', password: adminPassword });
  const headers = { 'content-type': 'application/json' };
  const [logins, pages] = await Promise.all([
    repeat(() => fetch(`${url}/api/auth/login`, { method: 'POST', headers, body }), 50),
    repeat(() => fetch(`${url}/api/releases`), 10),
    ended,
  ]);
  return { logins, pages };
}

function rowOf(name: string, what: string, busy: readonly number[], quiet: readonly number[]): Row {
  return {
    name,
    what,
    unit: 'ms',
    catalog: quantile(busy, 0.99),
    reference: quantile(quiet, 0.99),
    against: 'the same without an import',
    targets: [{ of: 'catalog', most: 100 }],
    detail: { longestMs: Math.round(Math.max(...busy)), count: busy.length },
  };
}
