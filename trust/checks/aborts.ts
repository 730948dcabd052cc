import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { generateDats } from '../../measure/dats.ts';
import { timeImport } from '../../measure/timed-import.ts';
import { openUserClient } from '../../measure/user-client.ts';
import { type Abort, abortKinds, archiveLimit } from '../aborts.ts';
import type { Check } from '../check.ts';
import { openFiles, procSkipReason, waitUntilAtMost } from '../tools/process-state.ts';

const aborts = 500;
const concurrency = 20;
/** Time limit for the server to remove the leftovers of an abort. */
const cleanupTimeoutMs = 10_000;

/** Checks that aborted uploads and downloads leave no leftovers, and no errors in the log. */
export const clientAborts: Check = {
  name: 'aborts',
  control: {
    what: 'an incomplete file is kept when its upload ends early',
    changes: [
      {
        file: 'src/files/local/stage-file.ts',
        from: '    await discard(path);\n    throw asStorageError(error);',
        to: '    throw asStorageError(error);',
      },
    ],
  },
  skipReason: procSkipReason,
  async measure(trial) {
    const data = join(trial.folder, 'data');
    const log = join(trial.folder, 'log.txt');
    await timeImport(await generateDats(join(trial.folder, 'dats'), [1]), data);
    const options = ['--max-archive-bytes', String(archiveLimit)];
    const server = await trial.startServer(data, options, {}, log);
    try {
      const admin = await openUserClient(server.url);
      await admin.upload('kept.zip', new Uint8Array(archiveLimit));
      await Promise.all(Array.from({ length: concurrency }, () => admin.request('/api/releases')));
      await setTimeout(500);
      const before = await waitUntilAtMost(0, () => openFiles(server.pid), 1_000);
      let [next, begun, failed] = [0, 0, 0];
      const worker = async () => {
        for (let i = next++; i < aborts; i = next++) {
          const kind = abortKinds[i % abortKinds.length] as Abort;
          if (!(await kind.abort(server.url, admin, i))) failed += 1;
          else if (kind.isDownload === true) begun += 1;
        }
      };
      await Promise.all(Array.from({ length: concurrency }, worker));
      const leftovers = await waitUntilAtMost(
        0,
        () => filesIn(join(data, 'tmp')),
        cleanupTimeoutMs,
      );
      const open = await waitUntilAtMost(before, () => openFiles(server.pid), cleanupTimeoutMs);
      const { downloads } = (await admin.request('/api/stats')).json as { downloads: number };
      const store = (await admin.request('/api/store')).json as { count: number };
      const covers = await filesIn(join(data, 'covers'));
      const logged = (await readFile(log, 'utf8')).split('\n');
      const errors = logged.filter((line) => /internal error|"level":(50|60)/.test(line));
      for (const line of errors.slice(0, 3)) process.stderr.write(`trust: ${line.slice(0, 400)}\n`);
      const none = { max: 0, unit: '' };
      return [
        { what: 'unfinished files', value: leftovers, ...none },
        { what: 'additional file descriptors', value: Math.max(0, open - before), ...none },
        { what: 'errors in the log', value: errors.length, ...none },
        {
          what: 'downloads too many or too few',
          value: Math.abs(downloads - begun),
          unit: `of ${begun}`,
          max: 0,
        },
        {
          what: 'archives and covers of aborted uploads',
          value: store.count - 1 + covers,
          ...none,
        },
        { what: 'aborts that did not happen', value: failed, unit: `of ${aborts}`, max: 0 },
      ];
    } finally {
      await server.stop();
    }
  },
};

async function filesIn(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}
