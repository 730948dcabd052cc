import { busy } from './errors.ts';

/**
 * Returns the result of a promise. Throws busy() if it takes longer than `ms` milliseconds. The
 * work behind the promise then continues, but its result is ignored.
 */
export function within<T>(result: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(busy()), ms);
    result.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
