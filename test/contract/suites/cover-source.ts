import { expect, onTestFinished, test } from 'vitest';
import type { CoverSource } from '../../../src/core/covers/ports.ts';
import { png, signal, useSource } from '../../covers/covers-fixture.ts';

/**
 * Contract of every `CoverSource` adapter that uses a server with the layout of libretro's
 * thumbnails.
 */
export function coverSourceContract(
  create: (base: string) => CoverSource & { close(): Promise<void> | void },
): void {
  const terms = { platform: 'P', names: ['A & B (Europe)', 'C'] };
  const isPaced = false;

  function open(base: string): CoverSource {
    const source = create(base);
    onTestFinished(() => source.close());
    return source;
  }

  test('returns an image with the URL where it was found', async () => {
    const server = await useSource((request, response) => {
      if (request.url === '/P/Named_Boxarts/C.png') response.end(png('c'));
      else response.writeHead(404).end();
    });
    const source = open(server.base);
    expect(source.url).toBe(server.base);
    const url = `${server.base}/P/Named_Boxarts/C.png`;
    const result = await source.fetch(terms, { signal, isPaced });
    expect(result).toEqual({ kind: 'image', bytes: png('c'), url });
  });

  test('returns a miss when the server does not have the cover', async () => {
    const source = open((await useSource()).base);
    expect(await source.fetch(terms, { signal, isPaced })).toMatchObject({ kind: 'miss' });
  });

  test.each([
    ['responds 503 with Retry-After', 503, { 'retry-after': '7' }, 7000],
    ['responds 500', 500, {}, null],
  ])(
    'returns a failure with its reason when the server %s',
    async (_what, status, headers, retryAfterMs) => {
      const server = await useSource((_request, response) =>
        response.writeHead(status, headers).end(),
      );
      const result = await open(server.base).fetch(terms, { signal, isPaced });
      expect(result).toMatchObject({ kind: 'failure', retryAfterMs });
      expect(result).toMatchObject({ reason: expect.stringMatching(/./) });
    },
  );

  test('returns a failure when no server listens', async () => {
    const source = open('http://127.0.0.1:9');
    expect(await source.fetch(terms, { signal, isPaced })).toMatchObject({ kind: 'failure' });
  });

  test('throws exactly the abort reason when its signal is aborted', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const server = await useSource(() => controller.abort(reason));
    const fetching = open(server.base).fetch(terms, { signal: controller.signal, isPaced });
    await expect(fetching).rejects.toBe(reason);
  });
}
