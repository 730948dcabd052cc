import { describe, expect, test } from 'vitest';
import { ResponseCache } from '../../src/http/shared/response-cache/response-cache.ts';

const response = (bytes: number) => ({ bytes: Buffer.alloc(bytes), etag: '"x"' });
const found = (cache: ResponseCache, revision: number, urls: readonly string[]) =>
  urls.filter((url) => cache.find(url, revision) !== undefined);

describe('the response cache', () => {
  test('keeps the most recently requested responses, up to 32 MiB', () => {
    const cache = new ResponseCache();
    const urls = Array.from({ length: 50 }, (_, index) => `/${index}`);
    for (const url of urls) {
      cache.set(url, 1, response(1_000_000));
      expect(cache.find('/0', 1)).toBeDefined();
    }
    const left = found(cache, 1, urls);
    expect(left).toEqual(['/0', ...urls.slice(51 - left.length)]);
    expect(left.length).toBe(Math.floor(2 ** 25 / 1_001_504));
  });

  test('does not cache a response over 1 MiB and evicts none for it', () => {
    const cache = new ResponseCache();
    cache.set('/small', 1, response(2_000));
    cache.set('/large', 1, response(2 ** 20));
    expect(found(cache, 1, ['/small', '/large'])).toEqual(['/small']);
  });

  test('finds a response only at the revision it was made for', () => {
    const cache = new ResponseCache();
    cache.set('/a', 1, response(10));
    expect(cache.find('/a', 2)).toBeUndefined();
    expect(cache.has('/a')).toBe(true);
    cache.set('/a', 2, response(20));
    expect(cache.find('/a', 1)).toBeUndefined();
    expect(cache.find('/a', 2)?.bytes.length).toBe(20);
  });
});
