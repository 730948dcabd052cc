import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { generatedDats } from '../../measure/dats.ts';
import { runCatalog } from '../../measure/program.ts';
import { timedImport } from '../../measure/timed-import.ts';
import { namesOfWaits, rowsOfWaits, ServerInUse } from '../beside.ts';
import type { Bench, BenchWork, Row } from '../row.ts';
import { openUploader, type Uploader } from '../uploading.ts';

const before = 100_000;
/**
 * Rows of each DAT. Enough for about 200 logins during the import, so that the 99th percentile of
 * their durations is not the maximum.
 */
const added = [60_000, 60_000, 60_000];
const scanned = { folders: 40, files: 250, bytes: 20_000 };

/**
 * Measures how long users of a server wait during `catalog import`, an import job as the page
 * starts it, and `catalog scan` with hashes. The reference is the same server without other work.
 */
export const besideBench: Bench = {
  rows: ['beside-import', 'beside-import-job', 'beside-scan'].flatMap(namesOfWaits),
  async measure(work, isWanted) {
    const folder = await work.folder('beside');
    const data = join(folder, 'data');
    await timedImport(await work.dats(before), data);
    const used = await ServerInUse.start(data, before);
    const wanted = (name: string) => namesOfWaits(name).some(isWanted);
    try {
      // After many logins, each further login invalidates the tokens of earlier logins. The
      // uploader therefore uses an API token.
      const uploader = await openUploader(used.server.url);
      const quiet = await used.quiet();
      const rows: Row[] = [];
      if (wanted('beside-import')) {
        const dats = await generatedDats(join(folder, 'dats'), added, 10);
        const busy = await used.during(runCatalog(['import', '--json', '--data', data, ...dats]));
        rows.push(...rowsOfWaits('beside-import', 'during an import', busy, quiet));
      }
      if (wanted('beside-import-job')) {
        const upload = await uploaded(uploader, join(folder, 'sent'));
        const busy = await used.during(upload.run());
        rows.push(...rowsOfWaits('beside-import-job', 'during an import by page', busy, quiet));
      }
      if (wanted('beside-scan')) {
        const root = await filledRoot(work);
        const args = ['scan', '--json', '--data', data, '--games-root', root];
        const busy = await used.during(runCatalog(args));
        rows.push(...rowsOfWaits('beside-scan', 'during a scan', busy, quiet));
      }
      return rows;
    } finally {
      await used.server.stop();
    }
  },
};

/** Uploads DATs to a server. The returned `run` imports the DATs as a job. */
async function uploaded(uploader: Uploader, folder: string) {
  const uploads: number[] = [];
  for (const sent of await generatedDats(folder, added, 20)) {
    const chunk = await readFile(sent);
    const file = { filename: basename(sent), system: 'dats', chunk, times: 1 } as const;
    uploads.push(await uploader.upload(file));
  }
  return { run: () => uploader.run('import', { uploads }) };
}

async function filledRoot(work: BenchWork): Promise<string> {
  const root = await work.folder('beside-scan');
  const { folders, files, bytes } = scanned;
  for (let i = 0; i < folders; i += 1) {
    const folder = join(root, `folder ${i}`);
    await mkdir(folder);
    for (let j = 0; j < files; j += 1) {
      await writeFile(join(folder, `Game ${i}-${j} (Europe).iso`), randomBytes(bytes));
    }
  }
  return root;
}
