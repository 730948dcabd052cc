import { setting } from '../setting.ts';
import { duration, durationFromHour, folder, wholeNumber } from '../setting-text.ts';

/** The settings of backups and of data retention. */
export const retentionSettings = {
  /** Absolute path; "" for no backups. */
  backupTo: setting({
    option: 'backup-to',
    takes: '<dir>',
    variable: 'CATALOG_BACKUP_TO',
    meaning: 'folder that the server writes backups to',
    more: '[automatic backups](backup.md#automatic-backups); the folder must exist',
    usedBy: 'server',
    fallback: '',
    shownDefault: 'none',
    read: folder,
  }),
  /** In milliseconds. */
  backupEvery: setting({
    option: 'backup-every',
    takes: '<time>',
    variable: 'CATALOG_BACKUP_EVERY',
    meaning: 'time between two backups, such as 12h or 1d',
    usedBy: 'server',
    fallback: 86_400_000,
    shownDefault: '1d',
    read: duration,
  }),
  backupKeep: setting({
    option: 'backup-keep',
    takes: '<number>',
    variable: 'CATALOG_BACKUP_KEEP',
    meaning: 'number of newest backups that the server keeps',
    usedBy: 'server',
    fallback: 7,
    read: wholeNumber(1, 10_000),
  }),
  /** In milliseconds; null for ever. */
  keepAudit: setting({
    option: 'keep-audit',
    takes: '<time>',
    variable: 'CATALOG_KEEP_AUDIT',
    meaning: 'age at which audit entries are removed, such as 90d or 52w',
    more: '[who did what](users.md#who-did-what)',
    usedBy: 'server',
    fallback: null,
    shownDefault: 'kept for ever',
    read: duration,
  }),
  /** In milliseconds; null for ever. */
  keepDownloads: setting({
    option: 'keep-downloads',
    takes: '<time>',
    variable: 'CATALOG_KEEP_DOWNLOADS',
    meaning: 'age at which download records are removed; the downloads stay counted',
    usedBy: 'server',
    fallback: null,
    shownDefault: 'kept for ever',
    read: duration,
  }),
  /** In milliseconds. */
  keepReplaced: setting({
    option: 'keep-replaced',
    takes: '<time>',
    variable: 'CATALOG_KEEP_REPLACED',
    meaning: 'age at which replaced and removed files are deleted from a bucket, such as 36h or 7d',
    more: '[files on S3](s3.md); also the longest time for a download',
    usedBy: 'server',
    fallback: 7 * 86_400_000,
    shownDefault: '7d',
    read: durationFromHour,
  }),
  uploadDays: setting({
    option: 'upload-days',
    takes: '<number>',
    variable: 'CATALOG_UPLOAD_DAYS',
    meaning: 'days without received data after which an unfinished upload is removed',
    usedBy: 'account API',
    fallback: 7,
    read: wholeNumber(1, 365),
  }),
};
