import type { JobKind } from '../jobs/job-kind.ts';
import { jobKinds } from '../jobs/job-kinds.ts';

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
] as const;

/** The start of a job, or the request to stop it. */
type JobAction = `${JobKind}.${'start' | 'stop'}`;
export type AuditAction = (typeof plainActions)[number] | JobAction;

/** All actions that the audit records. Entries of older versions may have others. */
export const auditActions: readonly AuditAction[] = [
  ...plainActions,
  ...(Object.keys(jobKinds) as JobKind[]).flatMap((kind): JobAction[] => [
    `${kind}.start`,
    `${kind}.stop`,
  ]),
];
