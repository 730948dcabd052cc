import * as audit from './accounts/audit.ts';
import * as auth from './accounts/auth.ts';
import * as session from './accounts/get-session.ts';
import * as users from './accounts/users.ts';
import * as devices from './devices/devices.ts';
import * as exports from './exports/exports.ts';
import * as profiles from './exports/profiles.ts';
import * as imports from './jobs/imports.ts';
import * as jobs from './jobs/jobs.ts';
import * as schedules from './jobs/schedules.ts';
import * as targets from './jobs/targets.ts';
import * as library from './library/library.ts';
import * as libraryChoices from './library/library-choices.ts';
import * as libraryDownload from './library/library-download.ts';
import * as libraryFile from './library/library-file.ts';
import * as recent from './library/recent.ts';
import * as covers from './releases/covers.ts';
import * as groups from './releases/groups.ts';
import * as platforms from './releases/platforms.ts';
import * as release from './releases/release.ts';
import * as files from './releases/release-files.ts';
import * as releases from './releases/releases.ts';
import type { Endpoint } from './route.ts';
import * as sets from './sets/sets.ts';
import * as dashboard from './stats/dashboard.ts';
import * as stats from './stats/stats.ts';
import * as downloads from './store/downloads.ts';
import * as store from './store/store.ts';
import * as uploads from './uploads/uploads.ts';

/**
 * All endpoints: the number in account-api.md (null for an extension), the method, the path, the
 * clients that may call it, and the route that responds.
 */
// biome-ignore format: it reads as the table of account-api.md
export const endpoints: readonly Endpoint[] = [
  [1, 'POST', '/api/auth/login', 'everybody', auth.login],
  [2, 'GET', '/api/auth/me', 'user', auth.me],
  [3, 'POST', '/api/auth/logout', 'everybody', auth.logout],
  [4, 'GET', '/api/users', 'admin', users.listUsers],
  [5, 'POST', '/api/users', 'admin', users.createUser],
  [6, 'PATCH', '/api/users/{user_id}', 'admin', users.updateUser],
  [7, 'DELETE', '/api/users/{user_id}', 'admin', users.deleteUser],
  [8, 'GET', '/api/users/{user_id}/tokens', 'admin', users.listUserTokens],
  [9, 'DELETE', '/api/users/{user_id}/tokens/{token_id}', 'admin', users.revokeUserToken],
  [10, 'GET', '/api/releases', 'open', releases.listReleases],
  [11, 'GET', '/api/releases/{release_id}', 'open', release.getRelease],
  [12, 'PATCH', '/api/releases/{release_id}', 'editor', release.editRelease],
  [13, 'GET', '/api/cover/{release_id}', 'open', covers.getCover],
  [14, 'POST', '/api/cover/{release_id}', 'editor', covers.putCover],
  [15, 'DELETE', '/api/cover/{release_id}', 'editor', covers.removeCover],
  [16, 'GET', '/api/store', 'open', store.listStore],
  [17, 'GET', '/api/store/download/{system}/{name}', 'user', store.downloadArchive],
  [18, 'POST', '/api/store/upload', 'editor', store.uploadArchive],
  [19, 'DELETE', '/api/store/{system}/{name}', 'editor', store.removeArchive],
  [20, 'GET', '/api/stats', 'admin', stats.getStats],
  [null, 'GET', '/api/session', 'everybody', session.getSession],
  [null, 'POST', '/api/auth/password', 'user', auth.changeOwnPassword],
  [null, 'GET', '/api/auth/tokens', 'user', auth.listOwnTokens],
  [null, 'POST', '/api/auth/tokens', 'user', auth.createOwnToken],
  [null, 'DELETE', '/api/auth/tokens/{id}', 'user', auth.revokeOwnToken],
  [null, 'DELETE', '/api/releases/{release_id}/edits/{field}', 'editor', release.dropEdit],
  [null, 'GET', '/api/releases/{release_id}/library', 'user', files.listLibraryFiles],
  [null, 'GET', '/api/releases/{release_id}/archives', 'open', files.listArchives],
  [null, 'GET', '/api/releases/{release_id}/download', 'user', libraryDownload.downloadRelease],
  [null, 'GET', '/api/releases/{release_id}/group', 'open', groups.getGroup],
  [null, 'POST', '/api/groups/{group_id}/join', 'editor', groups.joinGroup],
  [null, 'POST', '/api/groups/{group_id}/split', 'editor', groups.splitGroup],
  [null, 'GET', '/api/facets', 'open', releases.getFacets],
  [null, 'GET', '/api/letters', 'open', releases.getLetters],
  [null, 'GET', '/api/imports', 'editor', imports.listImports],
  [null, 'GET', '/api/imports/{import_id}', 'editor', imports.getImport],
  [null, 'GET', '/api/library', 'user', library.listLibrary],
  [null, 'GET', '/api/library/recent', 'user', recent.listRecentlyAdded],
  [null, 'GET', '/api/library/alike', 'editor', libraryChoices.listAlike],
  [null, 'POST', '/api/library/match', 'editor', libraryChoices.matchLibraryFiles],
  [null, 'GET', '/api/library/roots', 'editor', library.listRoots],
  [null, 'GET', '/api/library/{file_id}', 'user', libraryFile.getLibraryFile],
  [null, 'GET', '/api/library/{file_id}/download', 'user', libraryDownload.downloadLibraryFile],
  [null, 'POST', '/api/library/{file_id}/match', 'editor', libraryFile.matchLibraryFile],
  [null, 'GET', '/api/platforms', 'user', platforms.listPlatforms],
  [null, 'GET', '/api/platforms/{platform_id}/missing.csv', 'user', platforms.getMissingCsv],
  [null, 'GET', '/api/platforms/{platform_id}/missing.dat', 'user', platforms.getMissingDat],
  [null, 'GET', '/api/profiles', 'user', profiles.listProfiles],
  [null, 'GET', '/api/sets', 'user', sets.listSets],
  [null, 'POST', '/api/sets', 'user', sets.createSet],
  [null, 'POST', '/api/sets/preview', 'user', sets.previewSet],
  [null, 'GET', '/api/sets/{set_id}', 'user', sets.getSet],
  [null, 'PATCH', '/api/sets/{set_id}', 'user', sets.updateSet],
  [null, 'DELETE', '/api/sets/{set_id}', 'user', sets.removeSet],
  [null, 'GET', '/api/sets/{set_id}/explain/{release_id}', 'user', sets.explainSet],
  [null, 'GET', '/api/sets/{set_id}/missing.csv', 'user', sets.getMissingCsv],
  [null, 'GET', '/api/sets/{set_id}/missing.dat', 'user', sets.getMissingDat],
  [null, 'GET', '/api/sets/{set_id}/export/{profile}', 'user', exports.exportSet],
  [null, 'GET', '/api/sets/{set_id}/left-out/{profile}', 'user', exports.getLeftOut],
  [null, 'GET', '/api/devices', 'user', devices.listOwnDevices],
  [null, 'POST', '/api/devices', 'user', devices.createDevice],
  [null, 'DELETE', '/api/devices/{device_id}', 'user', devices.revokeOwnDevice],
  [null, 'GET', '/api/users/{user_id}/devices', 'admin', devices.listUserDevices],
  [null, 'DELETE', '/api/users/{user_id}/devices/{device_id}', 'admin', devices.revokeUserDevice],
  [null, 'GET', '/api/dashboard', 'admin', dashboard.getDashboard],
  [null, 'GET', '/api/audit', 'admin', audit.listAudit],
  [null, 'GET', '/api/downloads', 'admin', downloads.listDownloads],
  [null, 'GET', '/api/auth/downloads', 'user', downloads.listOwnDownloads],
  [null, 'GET', '/api/jobs', 'editor', jobs.listJobs],
  [null, 'POST', '/api/jobs', 'editor', jobs.startJob],
  [null, 'GET', '/api/jobs/{job_id}', 'editor', jobs.getJob],
  [null, 'POST', '/api/jobs/{job_id}/stop', 'editor', jobs.stopJob],
  [null, 'GET', '/api/targets', 'editor', targets.listTargets],
  [null, 'GET', '/api/schedules', 'editor', schedules.listSchedules],
  [null, 'PATCH', '/api/schedules/{kind}', 'admin', schedules.changeSchedule],
  [null, 'OPTIONS', '/api/uploads', 'editor', uploads.describeUploads],
  [null, 'POST', '/api/uploads', 'editor', uploads.createUpload],
  [null, 'GET', '/api/uploads', 'editor', uploads.listUploads],
  [null, 'OPTIONS', '/api/uploads/{upload_id}', 'editor', uploads.describeUpload],
  [null, 'HEAD', '/api/uploads/{upload_id}', 'editor', uploads.headUpload],
  [null, 'GET', '/api/uploads/{upload_id}', 'editor', uploads.getUpload],
  [null, 'PATCH', '/api/uploads/{upload_id}', 'editor', uploads.receiveChunk],
  [null, 'DELETE', '/api/uploads/{upload_id}', 'editor', uploads.removeUpload],
  [null, 'GET', '/api/health', 'everybody', stats.getHealth],
  [null, 'GET', '/api/health/ready', 'everybody', stats.getReadiness],
];
