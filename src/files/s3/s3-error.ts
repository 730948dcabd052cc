import { busy, CatalogError, insufficientStorage } from '../../core/shared/errors.ts';

/** What S3 answers when it has no room (radosgw, AWS Outposts, Swift). */
const full = new Set(['QuotaExceeded', 'InsufficientCapacity', 'StorageFull', 'XMinioStorageFull']);
/** It was asked something that it may answer when it is asked again. */
const passing = new Set(['SlowDown', 'ThrottlingException', 'RequestTimeout', 'TimeoutError']);

/** Ended by a clock of ours. */
const late = new Set(['TimeoutError', 'AbortError']);

interface Failure {
  readonly name: string;
  readonly status: number | undefined;
}

/** How S3 answered, by the error that its client threw; null for one that is not the client's. */
export function failureOf(error: unknown): Failure | null {
  if (!(error instanceof Error)) return null;
  if ('$metadata' in error) {
    const { httpStatusCode: status } = error.$metadata as { httpStatusCode?: number };
    return { name: error.name, status };
  }
  // What became of the connection; its errors have a code, timeouts of ours a name.
  const isLost = 'code' in error || late.has(error.name);
  return isLost ? { name: error.name, status: undefined } : null;
}

/** Whether a clock of ours ended a request. */
export function isLate(error: unknown): boolean {
  const failure = failureOf(error);
  return failure !== null && failure.status === undefined && late.has(failure.name);
}

/** Whether S3 says that there is no such object, or no such unfinished one; of a bucket that is not there nothing is known. */
export function isGone(error: unknown): boolean {
  const failure = failureOf(error);
  if (failure === null || failure.name === 'NoSuchBucket') return false;
  return failure.name === 'NoSuchUpload' || failure.status === 404;
}

/** Whether S3 misses a part that it was given, by an error of `asObjectError`; or has another one by now. */
export function isInvalidPart(error: unknown): boolean {
  const name = failureOf((error as Error).cause)?.name;
  return name === 'InvalidPart' || name === 'NoSuchUpload';
}

/** Why a request failed, in one line, by an error of `asObjectError`: what S3 called it, or what became of the connection. */
export function reasonOf(error: unknown): string {
  return reasonOfFailure((error as Error).cause ?? error);
}

function reasonOfFailure(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const failure = failureOf(first);
  if (failure?.status !== undefined) return failure.name;
  if (failure !== null && late.has(failure.name)) return 'it does not answer in time';
  return String((first as Error).message)
    .replace(/\s+/g, ' ')
    .slice(0, 500);
}

/** What may pass: the store is away, or has too much to do. */
export function mayPass(error: unknown): boolean {
  if (error instanceof CatalogError) return error.kind === 'busy';
  const failure = failureOf(error);
  if (failure === null || full.has(failure.name)) return false;
  return (
    failure.status === undefined ||
    failure.status >= 500 ||
    failure.status === 429 ||
    passing.has(failure.name)
  );
}

/**
 * A failed request as what its asker is told: `busy` where it may pass, `insufficient storage` where the store is full. Of
 * another one the message says at which store it was; it names no key's secret.
 */
export function asObjectError(error: unknown, where: string): unknown {
  const failure = failureOf(error);
  if (failure === null || error instanceof CatalogError) return error;
  if (full.has(failure.name) || failure.status === 507) return insufficientStorage(error);
  if (mayPass(error)) return busy(error, `${where}: ${reasonOfFailure(error)}`);
  return new Error(`${where}: ${failure.name}: ${(error as Error).message}`, { cause: error });
}
