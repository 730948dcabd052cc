import { setting } from '../setting.ts';
import { oneOf, onOrOff, wholeNumber } from '../setting-text.ts';

/** The settings of downloads and uploads. */
export const transferSettings = {
  libraryDownloads: setting({
    option: 'library-downloads',
    takes: '<on|off>',
    variable: 'CATALOG_LIBRARY_DOWNLOADS',
    meaning: 'let users download files of the library',
    usedBy: 'account API',
    fallback: true,
    shownDefault: 'on',
    read: onOrOff,
  }),
  downloads: setting({
    option: 'downloads',
    takes: '<way>',
    variable: 'CATALOG_DOWNLOADS',
    meaning: 'who sends archives: direct (Catalog), redirect (S3) or accel (nginx)',
    more: '[from the bucket](s3.md#downloads-straight-from-the-bucket), [by nginx](proxy.md#downloads-by-nginx)',
    usedBy: 'account API',
    fallback: 'direct',
    read: oneOf('direct', 'redirect', 'accel'),
  }),
  maxArchiveBytes: setting({
    option: 'max-archive-bytes',
    takes: '<number>',
    variable: 'CATALOG_MAX_ARCHIVE_BYTES',
    meaning: 'maximum size of an archive in bytes',
    usedBy: 'account API',
    fallback: undefined,
    shownDefault: 'no limit',
    read: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  }),
};
