import { busy } from './errors.ts';

/** What a promise comes to; throws busy() when it takes longer, and leaves it to itself. */
export function within<T>(result: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(busy()), ms);
    result.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
