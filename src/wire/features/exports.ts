import { join } from 'node:path';
import { maxCoverBytes } from '../../core/covers/cover-files.ts';
import { Exports } from '../../core/exports/exports.ts';
import { Profiles } from '../../core/exports/profiles/profiles.ts';
import { Limiter } from '../../core/shared/concurrency/limiter.ts';
import { readWholeFile } from '../../core/shared/files/read-whole-file.ts';
import { readProfileFiles } from '../../files/exports/profile-files.ts';
import { createWriteExport } from '../../files/exports/write-export.ts';
import { convertPicture } from '../../images/convert-picture.ts';
import { SqlExportRecords } from '../../sql/exports/export-records.ts';
import { exportZip } from '../../zip/write-zip.ts';
import type { BaseServices } from '../base.ts';
import type { Catalog } from '../catalog.ts';

/** Reads the profiles of devices, and assembles the exports for them. */
export async function openExports(
  { config, log, engine }: BaseServices,
  { covers }: Pick<Catalog, 'covers'>,
): Promise<Pick<Catalog, 'profiles' | 'exports'>> {
  const profiles = new Profiles(await readProfileFiles(join(config.data, 'profiles')));
  for (const { path, reason } of profiles.refused) {
    log.warn({ path, reason }, `the profile ${path} cannot be used: ${reason}`);
  }
  // Run one conversion at a time. It may need several hundred MB of memory, and it occupies a
  // thread that also reads files.
  const conversions = new Limiter(1);
  const exports = new Exports({
    profiles,
    records: new SqlExportRecords({ engine }),
    covers: {
      tagsOf: (ids) => covers.tagsOf(ids),
      async read(releaseId) {
        const file = (await covers.openIfStored(releaseId))?.file;
        if (file === undefined) return null;
        // A manually added cover may exceed the size limit.
        if (file.size <= maxCoverBytes) return readWholeFile(file);
        await file.close();
        return null;
      },
    },
    convertPicture: (...given) => conversions.run(() => convertPicture(...given)),
    zip: exportZip,
    write: createWriteExport(exportZip),
  });
  return { profiles, exports };
}
