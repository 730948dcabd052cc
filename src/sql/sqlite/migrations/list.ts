import { start } from './0001-start.ts';
import { library } from './0002-library.ts';
import { covers } from './0003-covers.ts';
import { unfinishedImport } from './0004-unfinished-import.ts';
import { libraryRefresh } from './0005-library-refresh.ts';
import { romHash } from './0006-rom-hash.ts';
import { coverRemoval } from './0007-cover-removal.ts';
import { fileReservation } from './0008-file-reservation.ts';
import { filesReadAgain } from './0009-files-read-again.ts';
import { filledSerials } from './0010-filled-serials.ts';
import { importVersion } from './0011-import-version.ts';
import { releaseRevision } from './0012-release-revision.ts';
import { chdsReadAgain } from './0013-chds-read-again.ts';
import { tiesAndReaders } from './0014-ties-and-readers.ts';
import { importsWithFacts } from './0015-imports-with-facts.ts';
import { sets } from './0016-sets.ts';
import { facetIndex } from './0017-facet-index.ts';
import { newestFirst } from './0018-newest-first.ts';
import { jobControl } from './0019-job-control.ts';
import { libraryViews } from './0020-library-views.ts';
import { upload } from './0021-upload.ts';
import { failedLogins } from './0022-failed-logins.ts';
import { libraryReports } from './0023-library-reports.ts';
import { liveTokens } from './0024-live-tokens.ts';
import { verification } from './0025-verification.ts';
import { partRevision } from './0026-part-revision.ts';
import { releaseCount } from './0027-release-count.ts';
import { sharedBetweenProcesses } from './0028-shared-between-processes.ts';
import { storedObject } from './0029-stored-object.ts';
import { rootHost } from './0030-root-host.ts';
import { searchLetters } from './0031-search-letters.ts';
import { textStarts } from './0032-text-starts.ts';
import { namesAndOldRecords } from './0033-names-and-old-records.ts';
import { textEnds } from './0034-text-ends.ts';
import { jobAttempts } from './0035-job-attempts.ts';
import { libraryDownloads } from './0036-library-downloads.ts';
import { sortNames } from './0037-sort-name.ts';
import { releaseSet } from './0038-release-set.ts';
import { releaseGroups } from './0039-release-group.ts';
import { filters } from './0040-filters.ts';
import { device } from './0041-device.ts';
import { streamEvents } from './0042-stream-events.ts';
import { buildTargets } from './0043-build-target.ts';
import { targetPresence } from './0044-target-presence.ts';
import { releaseKinds } from './0045-release-kinds.ts';
import { fasterImports } from './0046-faster-imports.ts';

/**
 * All migrations, in order. A released migration is never changed; a change of the schema needs a
 * new migration.
 */
export const migrations = [
  start,
  library,
  covers,
  unfinishedImport,
  libraryRefresh,
  romHash,
  coverRemoval,
  fileReservation,
  filesReadAgain,
  filledSerials,
  importVersion,
  releaseRevision,
  chdsReadAgain,
  tiesAndReaders,
  importsWithFacts,
  sets,
  facetIndex,
  newestFirst,
  jobControl,
  libraryViews,
  upload,
  failedLogins,
  libraryReports,
  liveTokens,
  verification,
  partRevision,
  releaseCount,
  sharedBetweenProcesses,
  storedObject,
  rootHost,
  searchLetters,
  textStarts,
  namesAndOldRecords,
  textEnds,
  jobAttempts,
  libraryDownloads,
  sortNames,
  releaseSet,
  releaseGroups,
  filters,
  device,
  streamEvents,
  buildTargets,
  targetPresence,
  releaseKinds,
  fasterImports,
];
