import { BulkCoverFetcher } from '../../core/covers/bulk-cover-fetcher.ts';
import { CoverBundler } from '../../core/covers/cover-bundler.ts';
import { CoverExtractor } from '../../core/covers/cover-extractor.ts';
import { CoverSearch } from '../../core/covers/cover-search.ts';
import { CoverTags } from '../../core/covers/cover-tags.ts';
import { Covers } from '../../core/covers/covers.ts';
import { Thumbnails } from '../../core/covers/thumbnails.ts';
import { readDiscArt } from '../../disk/disc-art.ts';
import { localArea } from '../../files/local/local-area.ts';
import { shrinkImage } from '../../images/shrink-image.ts';
import { HttpCoverSource } from '../../remote/cover-source.ts';
import { SqlCoverRecords } from '../../sql/covers/cover-records.ts';
import { SqlCoverSearchRecords } from '../../sql/covers/cover-search-records.ts';
import { writeZip } from '../../zip/write-zip.ts';
import type { BaseServices } from '../base.ts';
import type { Catalog } from '../catalog.ts';
import { close } from '../resource-stack.ts';
import type { Storage } from '../storage.ts';

type CoverServices = Pick<
  Catalog,
  'covers' | 'coverSearch' | 'bulkCoverFetcher' | 'coverExtractor' | 'coverBundler'
>;

/**
 * Opens the covers, their thumbnails, and the services that search, fetch, extract and bundle
 * covers.
 */
export function openCovers(base: BaseServices, storage: Storage): CoverServices {
  const { config, log, engine, clock, leases, parts } = base;
  const area = storage.files.covers;
  const covers = openStoredCovers(base, storage);
  const { coverSource } = config;
  const source =
    coverSource === '' ? null : parts.track(new HttpCoverSource({ base: coverSource }), close);
  const shared = { covers, records: new SqlCoverSearchRecords({ engine }) };
  const coverSearch = parts.track(
    new CoverSearch({
      ...shared,
      source,
      leases,
      clock,
      onFailure({ releaseId: release, source, reason }) {
        log.warn({ release, source, reason }, 'could not get a cover from the cover source');
      },
    }),
    close,
  );
  return {
    covers,
    coverSearch,
    bulkCoverFetcher: new BulkCoverFetcher({ ...shared, search: coverSearch }),
    coverExtractor: new CoverExtractor({ ...shared, readDiscArt }),
    coverBundler: new CoverBundler({ ...shared, area, writeZip }),
  };
}

function openStoredCovers(
  { engine, clock, revisions, folders, parts }: BaseServices,
  { files, coverChanges }: Storage,
): Covers {
  const area = files.covers;
  const tags = new CoverTags({ area, clock, revision: revisions.of('covers') });
  parts.track(tags, close);
  const thumbnails = new Thumbnails({
    covers: area,
    area: localArea({ folder: folders.thumbnails, tmp: folders.tmp }),
    shrink: shrinkImage,
    clock,
  });
  parts.track(thumbnails, close);
  const records = new SqlCoverRecords({ engine });
  return new Covers({ area, records, changes: coverChanges, tags, thumbnails });
}
