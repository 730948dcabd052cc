/** The kind of a failure. Each API maps a kind to one status code. */
export type ErrorKind =
  | 'invalid' // the request's content breaks a documented rule (400)
  | 'unprocessable' // a parameter or field has the wrong type (422)
  | 'unauthenticated' // the request has no valid token; the response requests a token (401)
  | 'login-failed' // the name and password do not match (401)
  | 'forbidden' // 403
  | 'not-found' // 404
  | 'method-not-allowed' // 405
  | 'conflict' // 409
  | 'changed' // a precondition of the request is no longer true (412)
  | 'version' // the client uses an unsupported protocol version (412)
  | 'too-large' // 413
  | 'unsupported' // 415
  | 'range' // 416
  | 'expectation' // 417
  | 'misdirected' // the request is for another host (421)
  | 'too-many' // 429
  | 'checksum' // bytes do not match their checksum (460, tus)
  | 'busy' // 503
  | 'storage-full' // 507
  | 'usage' // a command, argument, option or variable is invalid; for the command line (500)
  | 'refused'; // the program cannot accept a file or state; for the command line (500)

/** A part outside of the program that may be unavailable. */
export type Part = 'database' | 'object store';

/**
 * An expected failure. The message is for the person who caused the failure, and is shown
 * unchanged, without a stack trace. Any error of another class is a bug.
 */
export class CatalogError extends Error {
  readonly kind: ErrorKind;
  /** Number of seconds after which the client should retry. */
  readonly retryAfter: number | undefined;
  /** True if the operation may have been carried out although this error was thrown. */
  readonly outcomeUnknown: boolean;
  /**
   * A description of the part that is unavailable, if known. The command line appends this text to
   * the message of `busy`.
   */
  readonly reason: string | undefined;
  /** The part whose outage caused the failure, if known. The log counts failures by it. */
  readonly part: Part | undefined;

  constructor(
    kind: ErrorKind,
    message: string,
    options?: {
      cause?: unknown;
      retryAfter?: number;
      outcomeUnknown?: boolean;
      reason?: string | undefined;
      part?: Part | undefined;
    },
  ) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'CatalogError';
    this.kind = kind;
    this.retryAfter = options?.retryAfter;
    this.outcomeUnknown = options?.outcomeUnknown ?? false;
    this.reason = options?.reason;
    this.part = options?.part;
  }
}

// Each error message in account-api.md, minimal-api.md and docs/api/decisions.md has one function
// below, except `internal error` and messages about fields, which callers pass to `invalidField`.
// The function is named after the message.
export const badRequest = () => new CatalogError('invalid', 'bad request');
export const invalidUrl = () => new CatalogError('invalid', 'the URL is not valid UTF-8');
export const notFound = () => new CatalogError('not-found', 'not found');
export const noCover = () => new CatalogError('not-found', 'no cover available');
export const usernameAndPasswordRequired = () =>
  new CatalogError('invalid', 'username and password are required');
export const invalidRole = () => new CatalogError('invalid', 'invalid role');
export const cannotDeleteYourself = () => new CatalogError('invalid', 'cannot delete yourself');
export const imageTooLarge = () => new CatalogError('invalid', 'image too large');
export const invalidFilename = () => new CatalogError('invalid', 'invalid filename');
export const wrongPassword = () => new CatalogError('invalid', 'wrong password');
export const invalidJsonBody = () => new CatalogError('invalid', 'invalid JSON body');
export const malformedUpload = (cause?: unknown) =>
  new CatalogError('invalid', 'malformed multipart body', { cause });
export const invalidField = (field: string, problem: string) =>
  new CatalogError('unprocessable', `${field}: ${problem}`);
export const invalidCredentials = () =>
  new CatalogError('login-failed', 'Invalid username or password');
export const notAuthenticated = () => new CatalogError('unauthenticated', 'not authenticated');
export const unauthorized = () => new CatalogError('unauthenticated', 'unauthorized');
export const forbidden = () => new CatalogError('forbidden', 'forbidden');
export const libraryDownloadsOff = () => new CatalogError('forbidden', 'library downloads are off');
export const crossOrigin = () => new CatalogError('forbidden', 'cross-origin request');
export const methodNotAllowed = () => new CatalogError('method-not-allowed', 'method not allowed');
export const alreadyRunning = () => new CatalogError('conflict', 'already running');
export const usernameTaken = () => new CatalogError('conflict', 'username already exists');
export const tooManyTokens = () => new CatalogError('conflict', 'too many tokens');
export const lastActiveAdmin = () => new CatalogError('conflict', 'last active admin');
export const archiveExists = () => new CatalogError('conflict', 'archive exists');
/** Returns the error for an unknown profile of a device. */
export const noSuchProfile = () => new CatalogError('not-found', 'no such profile');
export const setExists = () => new CatalogError('conflict', 'set already exists');
export const tooManyDevices = () => new CatalogError('conflict', 'too many devices');
export const tooManySets = () => new CatalogError('conflict', 'too many sets');
export const circleOfSets = () => new CatalogError('conflict', 'the set contains itself');
export const setsTooDeep = () => new CatalogError('conflict', 'sets are nested too deeply');
export const setTooLarge = () =>
  new CatalogError('conflict', 'the set and the sets that it names are too large');
export const tooManyUploads = () => new CatalogError('conflict', 'too many uploads');
export const wrongOffset = () => new CatalogError('conflict', 'wrong offset');
/** Returns the error for a library file on the disk of another host. */
export const fileOnOtherHost = (host: string) =>
  new CatalogError('conflict', `the file is on the host ${host}`);
/** Returns the error for an upload that lacks bytes although these bytes were stored durably. */
export const damagedUpload = () => new CatalogError('conflict', 'damaged upload');
/** Returns the error for a library file that differs from its record. */
export const changedSinceScan = () =>
  new CatalogError('conflict', 'the file was changed since the last scan');
/** Returns the error for a tree that needs too much memory. */
export const treeTooLarge = () => new CatalogError('conflict', 'the tree is too large');
export const changedMeanwhile = () => new CatalogError('changed', 'changed meanwhile');
export const unsupportedTusVersion = () =>
  new CatalogError('version', 'unsupported version of tus');
export const checksumMismatch = () => new CatalogError('checksum', 'checksum mismatch');
export const bodyTooLarge = () => new CatalogError('too-large', 'body too large');
export const archiveTooLarge = () => new CatalogError('too-large', 'archive too large');
export const unsupportedMediaType = () => new CatalogError('unsupported', 'unsupported media type');
/**
 * Returns the error for a range outside the file. The response states the `size` of the file in
 * `Content-Range` (RFC 9110, 15.5.17).
 */
export const rangeNotSatisfiable = (size: number) =>
  new CatalogError('range', `range not satisfiable, the file has ${size} bytes`);
export const expectationFailed = () => new CatalogError('expectation', 'expectation failed');
export const unknownHost = () => new CatalogError('misdirected', 'unknown host');
export const tooManyAttempts = (retryAfter: number) =>
  new CatalogError('too-many', 'too many attempts', { retryAfter });
export const busy = (cause?: unknown, reason?: string, part?: Part) =>
  new CatalogError('busy', 'busy', { cause, retryAfter: 1, reason, part });
/**
 * Returns `busy` for a write that may have been carried out, because the failure occurred during
 * the commit.
 */
export const busyOutcomeUnknown = (cause?: unknown, part?: Part) =>
  new CatalogError('busy', 'busy', { cause, retryAfter: 1, outcomeUnknown: true, part });
export const notReady = () => new CatalogError('busy', 'not ready', { retryAfter: 1 });
/** Returns the error for a database that a newer program has upgraded while this program runs. */
export const otherSchemaVersion = () =>
  new CatalogError('busy', 'another schema version', { retryAfter: 5 });
export const stopping = () => new CatalogError('busy', 'server is stopping', { retryAfter: 5 });
export const insufficientStorage = (cause?: unknown) =>
  new CatalogError('storage-full', 'insufficient storage', { cause });

/**
 * Returns the error for an invalid command line or setting. `message` must name the invalid part
 * and list the valid values.
 */
export const usageError = (message: string) => new CatalogError('usage', message);
/**
 * Returns the error for a file or state that the program cannot accept. `message` must say what to
 * do next.
 */
export const refused = (message: string, cause?: unknown) =>
  new CatalogError('refused', message, { cause });
/**
 * Returns `refused` for a folder that another process uses. A job tries again later. A command
 * fails.
 */
export const refusedInUse = (message: string) =>
  new CatalogError('refused', message, { retryAfter: 1 });
/**
 * Returns `refused` for an operation that may have been carried out. `message` must say that the
 * outcome is unknown.
 */
export const refusedOutcomeUnknown = (message: string, cause: unknown) =>
  new CatalogError('refused', message, { cause, outcomeUnknown: true });
