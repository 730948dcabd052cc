import type { NamedPath } from '../core/imports/imports.ts';
import type { JobOptionsOf } from '../core/jobs/job-kind.ts';
import { refused } from '../core/shared/errors.ts';
import type { Actor } from '../core/shared/requests/actor.ts';
import type { FetchedDat } from '../core/uploads/uploads.ts';
import { keepHeapSmall } from '../memory/small-heap.ts';
import type { Catalog } from '../wire/catalog.ts';
import { type ImportKind, type ImportWork, importWork } from './import-work.ts';

/** Returns the work that imports uploaded DATs. The work does not delete the uploads. */
export function importUploads<Kind extends ImportKind>(
  catalog: Catalog,
  kind: Kind,
  { uploads, prune, system, source }: JobOptionsOf<ImportKind>,
  actor: Actor,
): ImportWork<Kind> {
  keepHeapSmall();
  const files: NamedPath[] = [];
  const work = importWork(catalog, kind, files, { prune, system, source }, actor);
  return {
    ...work,
    async run(watch) {
      const dats: FetchedDat[] = [];
      files.length = 0; // the work may run again
      try {
        for (const id of uploads) dats.push(await fetch(catalog, id, watch.signal));
        files.push(...dats.map(({ path, filename: name }) => ({ path, name })));
        return await work.run(watch);
      } finally {
        for (const dat of dats) await dat.drop();
      }
    },
  };
}

/**
 * Fetches an upload as a local file. `seesAll` is true, because access was checked when the job was
 * started. Throws refused() if the upload no longer exists.
 */
async function fetch({ uploads }: Catalog, id: number, signal: AbortSignal): Promise<FetchedDat> {
  const dat = await uploads.fetchDat(id, { userId: 0, seesAll: true }, signal);
  if (dat === null) throw refused(`upload ${id} is no longer there: send the file again`);
  return dat;
}
