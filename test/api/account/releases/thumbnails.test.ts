import { hash } from 'node:crypto';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test, vi } from 'vitest';
import { blue, hugePng, inspectPicture, plainPicture } from '../../../support/images/pictures.ts';
import { pollOptions } from '../../../support/poll-options.ts';
import {
  app,
  get,
  id,
  immutable,
  list,
  noCover,
  other,
  put,
  request,
  serveCovers,
  statusAndJson,
  stored,
  tagOf,
  thumbnails,
  token,
} from './covers-fixture.ts';

serveCovers();

describe('cover_tag', () => {
  test('is returned only on request, and is null without a cover', async () => {
    const [plain] = (await request('GET', '/api/releases')).json.items as object[];
    expect(plain).not.toHaveProperty('cover_tag');
    expect(await tagOf()).toBeNull();
    const one = await request('GET', `/api/releases/${id}?include=cover`);
    expect(one.json.cover_tag).toBeNull();
  });

  test('can be combined with other includes', async () => {
    const [item] = await list('region,%20cover,platform');
    expect(item).toMatchObject({ cover_tag: null, regions: [], platform: expect.any(String) });
  });

  test.each(['covers', 'cover,x', 'franchise'])(
    'is refused with 422 for the unknown include %s',
    async (name) => {
      const response = await request('GET', `/api/releases?include=${name}`);
      expect(response.status).toBe(422);
      expect(response.json.detail).toMatch(/^include: /);
      expect((await request('GET', `/api/releases/${id}?include=nothing`)).status).toBe(422);
    },
  );

  test('changes at once when a cover is uploaded or removed', async () => {
    const tags: (string | null)[] = [await tagOf()];
    for (const bytes of [
      Buffer.from('a'),
      Buffer.from('b'),
      await plainPicture({ width: 9, height: 9 }),
    ]) {
      await put(bytes);
      tags.push(await tagOf());
    }
    expect(new Set(tags).size).toBe(4);
    expect(await tagOf(other)).toBeNull();
    await request('DELETE', `/api/cover/${id}`, { token });
    expect(await tagOf()).toBeNull();
  });

  test('changes the ETag of a release, but does not make a PATCH fail', async () => {
    const read = () => request('GET', `/api/releases/${id}?include=cover`);
    const before = (await read()).headers.etag ?? '';
    await put(Buffer.from('a'));
    const { headers, json } = await read();
    expect(json.cover_tag).toBe(await tagOf());
    expect(headers.etag).not.toBe(before);
    const path = `/api/releases/${id}`;
    const edit = { token, json: { genre: 'x' }, headers: { 'if-match': before } };
    expect((await request('PATCH', path, edit)).status).toBe(200);
  });

  test('changes when a file is added, changed or removed manually', async () => {
    const file = join(app.data, 'covers', `${id}.jpg`);
    await writeFile(file, 'one');
    const tagAfter = (before: string | null) =>
      vi.waitFor(async () => {
        const tag = await tagOf();
        expect(tag).not.toBe(before);
        return tag;
      }, pollOptions);
    const first = await tagAfter(null);
    await writeFile(file, 'two');
    const second = await tagAfter(first);
    await utimes(file, 1_000_000, 1_000_000);
    await tagAfter(second);
    await rm(file);
    await expect.poll(() => tagOf()).toBeNull();
  });
});

describe('the parameter `width` of GET /cover/{release_id}', () => {
  test.each([
    [1, 160],
    [160, 160],
    [161, 320],
    [320, 320],
    [321, 640],
    [640, 640],
  ])('scales a cover for the width %i to a WebP of %i pixels', async (width, given) => {
    await put(await plainPicture({ width: 1000, height: 500 }, 'jpeg'));
    const response = await get(`width=${width}`);
    expect([response.status, response.headers['content-type']]).toEqual([200, 'image/webp']);
    const expected = { format: 'webp', width: given, height: given / 2, pages: 1, color: 'red' };
    expect(await inspectPicture(response.body)).toEqual(expected);
  });

  test.each(['png', 'jpeg', 'webp', 'gif'] as const)(
    'scales a cover of type %s down, but never up',
    async (type) => {
      await put(await plainPicture({ width: 200, height: 300 }, type));
      const expected = { format: 'webp', pages: 1, color: 'red' };
      expect(await inspectPicture((await get('width=640')).body)).toEqual({
        ...expected,
        width: 200,
        height: 300,
      });
      expect(await inspectPicture((await get('width=80')).body)).toEqual({
        ...expected,
        width: 160,
        height: 240,
      });
    },
  );

  test.each(['0', '-1', '641', '99999999999999999999', 'x', '1.5', '', '%20'])(
    'is refused if it is invalid: %s',
    async (width) => {
      const response = await get(`width=${width}`);
      expect(response.status).toBe(422);
      expect(response.json.detail).toMatch(/^width: /);
      const unknown = await request('GET', `/api/cover/999999?width=${width}`);
      expect(unknown.status).toBe(422);
    },
  );

  test('distinguishes an unknown release from one without a cover', async () => {
    const unknown = await request('GET', '/api/cover/999999?width=160');
    expect(statusAndJson(unknown)).toEqual([404, { detail: 'not found' }]);
    expect(statusAndJson(await get('width=160'))).toEqual(noCover);
  });

  test('turns a picture upright as its EXIF data says', async () => {
    const rotated = await sharp(await plainPicture({ width: 800, height: 400 }))
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    await put(rotated);
    expect(await inspectPicture((await get('width=100')).body)).toMatchObject({
      width: 160,
      height: 320,
    });
  });

  test('scales only the first frame of an animation', async () => {
    const frames = await Promise.all([
      plainPicture({ width: 300, height: 300 }),
      plainPicture({ width: 300, height: 300, color: blue }),
    ]);
    for (const type of ['gif', 'webp'] as const) {
      const animation = await sharp(frames, { join: { animated: true } })
        .toFormat(type)
        .toBuffer();
      expect((await inspectPicture(animation)).pages).toBe(2);
      await put(animation);
      const picture = await inspectPicture((await get('width=100')).body);
      expect(picture).toMatchObject({ width: 160, height: 160, pages: 1, color: 'red' });
    }
  });
});

describe('a thumbnail of an unusual file', () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';
  const cases: [string, () => Promise<Buffer>][] = [
    ['an empty file', async () => Buffer.alloc(0)],
    ['HTML', async () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['SVG', async () => Buffer.from(svg)],
    ['TIFF', () => plainPicture({ width: 9, height: 9 }, 'tiff')],
    ['a text that begins like a PNG', async () => Buffer.from('\x89PNG\r\n\x1a\nhello', 'latin1')],
    ['a text that begins like a JPEG', async () => Buffer.from('\xff\xd8\xff\xe0hello', 'latin1')],
    ['a text that begins like a WebP', async () => Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1')],
    ['a cut PNG', async () => cut(await noise('png'))],
    ['a cut JPEG', async () => cut(await noise('jpeg'))],
    ['a cut WebP', async () => cut(await noise('webp'))],
    ['400 megapixels', async () => hugePng(20_000, 20_000)],
    ['64 megapixels and a row', async () => hugePng(8_000, 8_001)],
    ['a PNG that states more than it holds', async () => withWrongSize()],
  ];
  test.each(cases)(
    'is not found for %s, whose bytes are sent if no width is requested',
    async (_what, make) => {
      const bytes = await make();
      await put(bytes);
      expect(statusAndJson(await get('width=160'))).toEqual(noCover);
      expect(statusAndJson(await get('width=640'))).toEqual(noCover);
      expect((await get('')).body.equals(bytes)).toBe(true);
      expect(await thumbnails()).toEqual([]);
    },
  );

  test('is made of a picture of 64 megapixels', async () => {
    await put(hugePng(8_000, 8_000));
    expect(await inspectPicture((await get('width=160')).body)).toMatchObject({
      width: 160,
      height: 160,
    });
  });

  test('keeps the proportions of a tall strip as far as WebP allows', async () => {
    await put(hugePng(100, 60_000));
    const { width, height } = await inspectPicture((await get('width=160')).body);
    expect([width, height]).toEqual([27, 16_383]);
  });

  test('is not made of a manually added file above the upload limit', async () => {
    await mkdir(join(app.data, 'covers'), { recursive: true });
    const large = Buffer.concat([
      await plainPicture({ width: 9, height: 9 }),
      Buffer.alloc(20 << 20),
    ]);
    await writeFile(join(app.data, 'covers', `${id}.png`), large);
    expect(statusAndJson(await get('width=160'))).toEqual(noCover);
    await rm(join(app.data, 'covers', `${id}.png`));
  });

  async function noise(type: 'png' | 'jpeg' | 'webp'): Promise<Buffer> {
    const gaussian = { type: 'gaussian' as const, mean: 128, sigma: 40 };
    const create = {
      width: 400,
      height: 400,
      channels: 3 as const,
      background: 'red',
      noise: gaussian,
    };
    return sharp({ create }).toFormat(type).toBuffer();
  }
  const cut = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length * 0.6));
  function withWrongSize(): Buffer {
    const bytes = hugePng(500, 500);
    const tall = hugePng(500, 50_000);
    tall.copy(bytes, 0, 0, 33); // signature and header of `tall`
    return bytes;
  }
});

describe('a response with a cover or its thumbnail', () => {
  test('may be cached for a year with the current tag, and is revalidated otherwise', async () => {
    await put(await plainPicture({ width: 300, height: 300 }));
    const tag = await tagOf();
    const cacheOf = async (query: string) => (await get(query)).headers['cache-control'];
    expect(await cacheOf(`width=160&tag=${tag}`)).toBe(immutable);
    expect(await cacheOf(`tag=${tag}`)).toBe(immutable);
    for (const query of ['width=160', 'width=160&tag=x', 'width=160&tag=', 'tag=x', '']) {
      expect([query, await cacheOf(query)]).toEqual([query, 'no-cache']);
    }
    await put(await plainPicture({ width: 300, height: 300, color: blue }));
    expect(await cacheOf(`width=160&tag=${tag}`)).toBe('no-cache');
    expect(await cacheOf(`width=160&tag=${await tagOf()}`)).toBe(immutable);
  });

  test('is 304 even for a recreated thumbnail, and supports HEAD and ranges', async () => {
    await put(await plainPicture({ width: 300, height: 300 }));
    const first = await get('width=160');
    const { etag, 'last-modified': modified } = first.headers;
    expect(etag).toMatch(/^"[^"]+"$/);
    await stored(1);
    await rm(join(app.data, 'thumbnails'), { recursive: true });
    // No response to this URL is cached, so the server makes the same thumbnail again.
    const again = await get('width=159', { 'if-none-match': etag });
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag]);
    await stored(1);
    expect((await get('width=160', { 'if-modified-since': modified })).status).toBe(304);
    expect((await get('width=320', { 'if-none-match': etag })).status).toBe(200);
    const head = await request('HEAD', `/api/cover/${id}?width=160`);
    expect([head.status, head.headers['content-length']]).toEqual([200, String(first.body.length)]);
    const part = await get('width=160', { range: 'bytes=4-9' });
    expect([part.status, part.body.equals(first.body.subarray(4, 10))]).toEqual([206, true]);
  });

  test('has the uploaded bytes and exactly the expected headers without a width', async () => {
    const bytes = await plainPicture({ width: 300, height: 300 });
    await put(bytes);
    const { headers, body } = await get('');
    expect(body.equals(bytes)).toBe(true);
    const { date: _, etag, 'last-modified': modified, ...rest } = headers;
    expect(etag).toBe(`"${hash('sha256', bytes)}"`);
    expect(modified).toBeDefined();
    expect(rest).toEqual({
      'accept-ranges': 'bytes',
      'cache-control': 'no-cache',
      connection: 'close',
      'content-length': String(bytes.length),
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'content-type': 'image/png',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
  });
});
