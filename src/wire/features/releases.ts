import { CoveredReleases } from '../../core/covers/covered-releases.ts';
import { Groups } from '../../core/groups/groups.ts';
import { CatalogueFetcher } from '../../core/imports/catalogue/catalogue-fetcher.ts';
import { Imports } from '../../core/imports/imports.ts';
import { Platforms } from '../../core/platforms/platforms.ts';
import { Releases } from '../../core/releases/releases.ts';
import { Sets } from '../../core/sets/sets.ts';
import { findDats } from '../../dats/files/find-dats.ts';
import { readDat } from '../../dats/read-dat.ts';
import { partialFile } from '../../files/partial-file.ts';
import { HttpRemoteZip } from '../../remote/remote-zip.ts';
import { SqlImportRecords } from '../../sql/imports/import-records.ts';
import { SqlPlatformRecords } from '../../sql/platforms/platform-records.ts';
import { SqlGroupRecords } from '../../sql/releases/groups/group-records.ts';
import { SqlReleaseRecords } from '../../sql/releases/release-records.ts';
import { SqlSetRecords } from '../../sql/sets/set-records.ts';
import type { BaseServices } from '../base.ts';
import type { Catalog } from '../catalog.ts';
import type { Storage } from '../storage.ts';

/** Assembles the releases, their imports, and their platforms and sets. */
export function openReleases(
  { config, engine, clock, revisions, folders }: BaseServices,
  { files }: Storage,
  { covers }: Pick<Catalog, 'covers'>,
): Pick<
  Catalog,
  | 'releases'
  | 'groups'
  | 'catalogueRevision'
  | 'platforms'
  | 'sets'
  | 'imports'
  | 'catalogueFetcher'
> {
  const covered = new CoveredReleases({ area: files.covers, clock });
  const releases = new Releases(new SqlReleaseRecords({ engine, clock }), covered);
  const imports = new Imports({
    records: new SqlImportRecords({ engine, clock }),
    readDat,
    findDats,
    releasesWithCover: () => covers.releasesWithCover(),
  });
  const groups = new SqlGroupRecords({ engine, clock });
  const { catalogueSource: url } = config;
  return {
    releases,
    groups: new Groups(groups),
    catalogueRevision: revisions.of('catalogue'),
    platforms: new Platforms({
      records: new SqlPlatformRecords({ engine }),
      releases,
      covers: covered,
      clock,
    }),
    sets: new Sets({ records: new SqlSetRecords({ engine, clock }), releases, groups, clock }),
    imports,
    catalogueFetcher: new CatalogueFetcher({
      remote: url === '' ? null : new HttpRemoteZip({ url }),
      file: partialFile(folders.tmp, url),
      imports,
    }),
  };
}
