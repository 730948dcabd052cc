import { Refusal, Unreachable } from '../api/request.ts';
import type { Messages } from './en.ts';

/** Returns a text that explains a failure to the user, in the language of `t`. */
export function failureText(failure: unknown, t: Messages): string {
  if (failure instanceof Unreachable) return t.unreachable;
  if (!(failure instanceof Refusal))
    return t.pageFault(String(failure instanceof Error ? failure.message : failure));
  const { status, message, retryAfter } = failure;
  if (status === 429)
    return retryAfter === null ? t.tooManyAttemptsPlain : t.tooManyAttempts(retryAfter);
  const [, host] = /^the file is on the host (.+)$/.exec(message) ?? [];
  if (host !== undefined) return t.collection.onOtherHost(host);
  const known = byDetail(t)[message] ?? byStatus(t)[status];
  if (known !== undefined) return known;
  if (/: must (not have more than|be at most)/.test(message)) return t.tooLong;
  if (/: must match pattern/.test(message)) return t.unstorable;
  if (/^uploads: .+ is no upload of dats that is done$/.test(message)) return t.uploadGone;
  return t.refused(message || String(status));
}

/**
 * Returns the name of the form field that a refusal concerns, or null if the field is unknown. Some
 * messages imply the field. Other messages begin with the field's name, as in `name: too long`.
 */
export function fieldOf(failure: unknown): string | null {
  if (!(failure instanceof Refusal)) return null;
  if (failure.message === 'wrong password') return 'current';
  if (['username already exists', 'username and password are required'].includes(failure.message))
    return 'username';
  return /^([a-z_]+): /.exec(failure.message)?.[1] ?? null;
}

function byDetail(t: Messages): Readonly<Record<string, string>> {
  return {
    'Invalid username or password': t.wrongLogin,
    'wrong password': t.wrongPassword,
    'username already exists': t.usernameTaken,
    'username and password are required': t.usernameAndPasswordRequired,
    'last active admin': t.lastAdmin,
    'cannot delete yourself': t.cannotDeleteYourself,
    'invalid role': t.invalidRole,
    'image too large': t.imageTooLarge,
    'changed meanwhile': t.changedMeanwhile,
    'too many tokens': t.tooManyTokens,
    'archive exists': t.archiveExists,
    'invalid filename': t.invalidFilename,
    'archive too large': t.archiveTooLarge,
    'damaged upload': t.damagedUpload,
    'too many uploads': t.tooManyUploads,
    'checksum mismatch': t.checksumMismatch,
    'already running': t.jobs.alreadyRunning,
    'library downloads are off': t.collection.downloadsOff,
  };
}

function byStatus(t: Messages): Readonly<Record<number, string>> {
  return {
    401: t.notAuthenticated,
    403: t.forbidden,
    404: t.gone,
    413: t.tooLong,
    500: t.internalError,
    503: t.busy,
    507: t.storageFull,
  };
}
