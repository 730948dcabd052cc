import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { generateDats } from '../../measure/dats.ts';
import { runCatalog } from '../../measure/program.ts';
import { timeImport } from '../../measure/timed-import.ts';
import type { Bench, BenchWork, Row } from '../row.ts';
import { responseTimeRowNames, responseTimeRows, ServerInUse } from '../server-in-use.ts';
import { openUploader, type Uploader } from '../uploading.ts';

const initialReleases = 100_000;
/**
 * Rows of each DAT. Enough for about 200 logins during the import, so that the 99th percentile of
 * their durations is not the maximum.
 */
const addedDatRows = [60_000, 60_000, 60_000];
const scannedTree = { folders: 40, files: 250, bytes: 20_000 };

/**
 * Measures how long users of a server wait during `catalog import`, an import job as the page
 * starts it, and `catalog scan` with hashes. The reference is the same server without other work.
 */
export const busyServerBench: Bench = {
  rows: ['beside-import', 'beside-import-job', 'beside-scan'].flatMap(responseTimeRowNames),
  async measure(work, isWanted) {
    const folder = await work.folder('beside');
    const data = join(folder, 'data');
    await timeImport(await work.dats(initialReleases), data);
    const used = await ServerInUse.start(data, initialReleases);
    const wanted = (name: string) => responseTimeRowNames(name).some(isWanted);
    try {
      // After many logins, each further login invalidates the tokens of earlier logins. The
      // uploader therefore uses an API token.
      const uploader = await openUploader(used.server.url);
      const quiet = await used.measureBaseline();
      const rows: Row[] = [];
      if (wanted('beside-import')) {
        const dats = await generateDats(join(folder, 'dats'), addedDatRows, 10);
        const busy = await used.measureDuring(
          runCatalog(['import', '--json', '--data', data, ...dats]),
        );
        rows.push(...responseTimeRows('beside-import', 'during an import', busy, quiet));
      }
      if (wanted('beside-import-job')) {
        const upload = await uploadDats(uploader, join(folder, 'sent'));
        const busy = await used.measureDuring(upload.run());
        rows.push(
          ...responseTimeRows('beside-import-job', 'during an import by page', busy, quiet),
        );
      }
      if (wanted('beside-scan')) {
        const root = await fillRoot(work);
        const args = ['scan', '--json', '--data', data, '--games-root', root];
        const busy = await used.measureDuring(runCatalog(args));
        rows.push(...responseTimeRows('beside-scan', 'during a scan', busy, quiet));
      }
      return rows;
    } finally {
      await used.server.stop();
    }
  },
};

/** Uploads DATs to a server. The returned `run` imports the DATs as a job. */
async function uploadDats(uploader: Uploader, folder: string) {
  const uploads: number[] = [];
  for (const sent of await generateDats(folder, addedDatRows, 20)) {
    const chunk = await readFile(sent);
    const file = { filename: basename(sent), system: 'dats', chunk, times: 1 } as const;
    uploads.push(await uploader.upload(file));
  }
  return { run: () => uploader.run('import', { uploads }) };
}

async function fillRoot(work: BenchWork): Promise<string> {
  const root = await work.folder('beside-scan');
  const { folders, files, bytes } = scannedTree;
  for (let i = 0; i < folders; i += 1) {
    const folder = join(root, `folder ${i}`);
    await mkdir(folder);
    for (let j = 0; j < files; j += 1) {
      await writeFile(join(folder, `Game ${i}-${j} (Europe).iso`), randomBytes(bytes));
    }
  }
  return root;
}
