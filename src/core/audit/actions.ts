/** The actions that the audit records, except those of jobs. */
export const plainActions = [
  'login',
  'login.fail',
  'token.create',
  'token.revoke',
  'user.create',
  'user.update',
  'user.delete',
  'release.edit',
  'group.join',
  'group.split',
  'cover.upload',
  'cover.source',
  'cover.disc',
  'cover.remove',
  'cover.bundle',
  'archive.upload',
  'archive.remove',
  'upload.begin',
  'upload.remove',
  'import',
  'library.match',
  'schedule.edit',
  'set.create',
  'set.update',
  'set.delete',
  'device.create',
  'device.revoke',
] as const;

/**
 * An action that the audit records. The actions of jobs are the start of a kind of job, such as
 * `scan.start`, and the request to stop it, such as `scan.stop`.
 */
export type AuditAction = (typeof plainActions)[number] | `${string}.${'start' | 'stop'}`;
