import { busy } from '../errors.ts';

/**
 * Returns the result of a promise, or throws its error. Throws busy() if the promise takes longer
 * than `ms` milliseconds. The work behind the promise then continues, and its result is ignored.
 */
export function withTimeout<T>(result: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(busy()), ms);
    result.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
