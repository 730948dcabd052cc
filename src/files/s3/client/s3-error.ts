import { busy, CatalogError, insufficientStorage } from '../../../core/shared/errors.ts';

/** Error codes of S3 servers that are out of space (radosgw, AWS Outposts, Swift, MinIO). */
const storageFullCodes = new Set([
  'QuotaExceeded',
  'InsufficientCapacity',
  'StorageFull',
  'XMinioStorageFull',
]);
/** Error codes of requests that may succeed when retried. */
const transientCodes = new Set([
  'SlowDown',
  'ThrottlingException',
  'RequestTimeout',
  'TimeoutError',
]);

/** Names of errors caused by our own timeouts. */
const timeoutNames = new Set(['TimeoutError', 'AbortError']);

interface Failure {
  readonly name: string;
  readonly status: number | undefined;
}

/**
 * Returns the error code and HTTP status of an error of the S3 client. The status is undefined for
 * a failed connection. Returns null for any other error.
 */
export function failureOf(error: unknown): Failure | null {
  if (!(error instanceof Error)) return null;
  if ('$metadata' in error) {
    const { httpStatusCode: status } = error.$metadata as { httpStatusCode?: number };
    return { name: error.name, status };
  }
  // The errors of a failed connection have a code. The errors of our timeouts have a name in
  // `timeoutNames`.
  const isLost = 'code' in error || timeoutNames.has(error.name);
  return isLost ? { name: error.name, status: undefined } : null;
}

/** Returns true if one of our own timeouts ended a request. */
export function isTimeout(error: unknown): boolean {
  const failure = failureOf(error);
  return failure !== null && failure.status === undefined && timeoutNames.has(failure.name);
}

/**
 * Returns true if S3 reports that the object or multipart upload does not exist. Returns false if
 * the bucket is missing, because nothing is then known about the bucket's objects.
 */
export function isGone(error: unknown): boolean {
  const failure = failureOf(error);
  if (failure === null || failure.name === 'NoSuchBucket') return false;
  return failure.name === 'NoSuchUpload' || failure.status === 404;
}

/**
 * Returns true if S3 rejected a part as missing or changed, or if the multipart upload no longer
 * exists. The error must be one from `asObjectError`.
 */
export function isInvalidPart(error: unknown): boolean {
  const name = failureOf((error as Error).cause)?.name;
  return name === 'InvalidPart' || name === 'NoSuchUpload';
}

/**
 * Returns one line that says why a request failed: S3's error code, or the connection failure. The
 * error must be one from `asObjectError`.
 */
export function reasonOf(error: unknown): string {
  return reasonOfFailure((error as Error).cause ?? error);
}

function reasonOfFailure(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const failure = failureOf(first);
  if (failure?.status !== undefined) return failure.name;
  if (failure !== null && timeoutNames.has(failure.name)) return 'it does not answer in time';
  return String((first as Error).message)
    .replace(/\s+/g, ' ')
    .slice(0, 500);
}

/** Returns true if an error may be temporary because the store is unavailable or overloaded. */
export function isTransient(error: unknown): boolean {
  if (error instanceof CatalogError) return error.kind === 'busy';
  const failure = failureOf(error);
  if (failure === null || storageFullCodes.has(failure.name)) return false;
  return (
    failure.status === undefined ||
    failure.status >= 500 ||
    failure.status === 429 ||
    transientCodes.has(failure.name)
  );
}

/**
 * Converts the error of a failed request for the caller. The result is `busy` if the error may be
 * temporary, and `insufficient storage` if the store is full. The message of any other error names
 * the store but never a secret key.
 */
export function asObjectError(error: unknown, where: string): unknown {
  const failure = failureOf(error);
  if (failure === null || error instanceof CatalogError) return error;
  if (storageFullCodes.has(failure.name) || failure.status === 507)
    return insufficientStorage(error);
  if (isTransient(error)) {
    return busy(error, `${where}: ${reasonOfFailure(error)}`, 'object store');
  }
  return new Error(`${where}: ${failure.name}: ${(error as Error).message}`, { cause: error });
}
