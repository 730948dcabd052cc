import { once } from 'node:events';
import * as http from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePerson } from '../support/data/people.ts';
import { basicOf, type DavFixture, makeSet, oddNames, startDav } from './dav-fixture.ts';

let dav: DavFixture;
beforeAll(async () => {
  dav = await startDav();
});
afterAll(() => dav.close());

const propfind = (path: string, depth = '1', body = '') =>
  dav.request('PROPFIND', path, { headers: { depth }, body });
const hrefsIn = (text: string) =>
  [...text.matchAll(/<D:href>([^<]*)<\/D:href>/g)].map(([, href]) => href);
const fileUrl = (name: string, folder = 'gb') =>
  `/dav/All/es-de/ROMs/${folder}/${encodeURIComponent(name)}`;

describe('OPTIONS over WebDAV', () => {
  test('returns the DAV class and the allowed methods, even to an anonymous client', async () => {
    // Windows sends a request to the root of the host first.
    for (const path of ['/', '/dav', '/dav/', '/dav/All/none']) {
      const { status, headers } = await dav.request('OPTIONS', path, { authorization: '' });
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        dav: '1',
        allow: 'GET, HEAD, OPTIONS, PROPFIND',
        'ms-author-via': 'DAV',
      });
    }
  });
});

describe('PROPFIND over WebDAV', () => {
  test('lists sets, devices, folders and files, with or without a slash at the end', async () => {
    for (const [path, ...expected] of [
      ['/dav', '/dav/', '/dav/All/'],
      ['/dav/', '/dav/', '/dav/All/'],
      ['/dav/All/es-de', '/dav/All/es-de/', '/dav/All/es-de/gamelists/', '/dav/All/es-de/ROMs/'],
    ] as const) {
      const { status, headers, text } = await propfind(path);
      expect([path, status, headers['content-type']]).toEqual([
        path,
        207,
        'application/xml; charset=utf-8',
      ]);
      expect(hrefsIn(text)).toEqual(expect.arrayContaining([...expected]));
      expect(hrefsIn(text)[0]).toBe(expected[0]);
    }
    const devices = hrefsIn((await propfind(`/dav/${dav.setId}/`)).text);
    expect(devices).toContain(`/dav/${dav.setId}/batocera/`);
    expect(hrefsIn((await propfind('/dav/All/es-de/ROMs/gb')).text)).toHaveLength(
      oddNames.length + 1,
    );
  });

  test('returns the properties of a file, with its name encoded for URLs and for XML', async () => {
    const [name = ''] = oddNames;
    const { text } = await propfind(fileUrl(`${name}.gb`), '0');
    expect(hrefsIn(text)).toEqual([
      fileUrl(`${name}.gb`).replace(/[()]/g, (c) => (c === '(' ? '%28' : '%29')),
    ]);
    const { headers } = await dav.request('HEAD', fileUrl(`${name}.gb`));
    expect(text).toContain(
      `<D:displayname>Ann &amp; Bob #1? 100%25 &lt;done&gt; (USA).gb</D:displayname>`,
    );
    expect(text).toContain(`<D:getcontentlength>${headers['content-length']}</D:getcontentlength>`);
    expect(text).toContain(`<D:getetag>${headers.etag?.replaceAll('"', '&quot;')}</D:getetag>`);
    expect(text).toContain(`<D:getlastmodified>${headers['last-modified']}</D:getlastmodified>`);
    expect(text).toContain('<D:resourcetype/>');
  });

  test('returns only the requested properties, and names unknown ones', async () => {
    const body =
      '<?xml version="1.0"?><!-- x --><d:propfind xmlns:d="DAV:"><d:prop xmlns:z="urn:a&amp;b">' +
      '<d:getcontentlength/><z:colour></z:colour><none xmlns=""/><d:quota/></d:prop></d:propfind>';
    const { status, text } = await propfind(fileUrl('Käfer (Germany).gb'), '0', body);
    expect(status).toBe(207);
    expect(text).toContain(
      '<D:prop><D:getcontentlength>20</D:getcontentlength></D:prop><D:status>HTTP/1.1 200 OK',
    );
    expect(text).toContain(
      '<D:prop><x:colour xmlns:x="urn:a&amp;b"/><none xmlns=""/><D:quota/></D:prop><D:status>HTTP/1.1 404 Not Found',
    );
    const names = await propfind('/dav/All/', '0', '<propfind xmlns="DAV:"><propname/></propfind>');
    expect(names.text).toContain('<D:prop><D:resourcetype/><D:displayname/></D:prop>');
    const all = await propfind('/dav/All/', '0', '<propfind xmlns="DAV:"><allprop/></propfind>');
    expect(all.text).toContain('<D:resourcetype><D:collection/></D:resourcetype>');
  });

  test.each([
    '<propfind xmlns="DAV:">',
    '<propfind/>',
    '<a:propfind/>',
    '<!DOCTYPE x [<!ENTITY a "b">]><propfind xmlns="DAV:"/>',
    '<propfind xmlns="DAV:"><prop><a b="></prop></propfind>',
    'text',
    `<propfind xmlns="DAV:"><prop>${'<a/>'.repeat(101)}</prop></propfind>`,
    `<propfind xmlns="DAV:"><prop xmlns:x="${'x'.repeat(500)}">${'<x:a/>'.repeat(9)}</prop></propfind>`,
  ])('refuses the body %s', async (body) => {
    expect((await propfind('/dav/', '0', body)).status).toBe(400);
  });

  test('returns a repeated property once, and accepts blanks in a declaration', async () => {
    const prop = `<prop>${'<displayname/>'.repeat(99)}</prop>`;
    const body = `<propfind xmlns = "DAV:" >${prop}</propfind>`;
    const { status, text } = await propfind('/dav/All/', '0', body);
    expect([status, text.split('<D:displayname>')]).toEqual([
      207,
      expect.objectContaining({ length: 2 }),
    ]);
  });

  test('refuses a compressed body', async () => {
    const headers = { depth: '0', 'content-encoding': 'gzip' };
    expect((await dav.request('PROPFIND', '/dav/', { headers, body: 'x' })).status).toBe(415);
  });

  test('refuses a body over 64 KiB, and any depth other than 0 and 1', async () => {
    expect((await propfind('/dav/', '0', ' '.repeat(65_537))).status).toBe(413);
    for (const headers of [{}, { depth: 'infinity' }, { depth: '2' }] as Record<string, string>[]) {
      const { status, text } = await dav.request('PROPFIND', '/dav/', { headers });
      expect([status, text]).toEqual([403, expect.stringContaining('<D:propfind-finite-depth/>')]);
    }
  });

  test('responds with 404 to a missing path', async () => {
    for (const path of [
      '/dav/None/',
      '/dav/All/none/',
      '/dav/All/es-de/none',
      `${fileUrl('Käfer (Germany).gb')}/x`,
      '/dav/All/es-de/ROMs%2Fgb',
      '/dav/All/es-de/../es-de',
    ]) {
      expect([path, (await propfind(path)).status]).toEqual([path, 404]);
      expect([path, (await dav.request('GET', path)).status]).toEqual([path, 404]);
    }
  });

  test('lists only own and shared sets, with ids for sets of the same name', async () => {
    const other = await makePerson(dav.app, 'user');
    const hidden = await makeSet(dav.app, 'Hidden', other.id);
    const own = await makeSet(dav.app, 'Twin', dav.user.id);
    const shared = await makeSet(dav.app, 'Twin');
    const hrefs = hrefsIn((await propfind('/dav/')).text);
    expect(hrefs).toEqual(['/dav/', '/dav/All/', `/dav/${own}/`, `/dav/${shared}/`]);
    expect((await propfind(`/dav/${shared}/`)).status).toBe(207);
    expect((await propfind('/dav/Twin/')).status).toBe(207);
    expect((await propfind(`/dav/${hidden}/`)).status).toBe(404);
    expect((await propfind('/dav/Hidden/es-de/')).status).toBe(404);
  });
});

describe('GET over WebDAV', () => {
  test('sends whole files and ranges, whichever characters a client encodes', async () => {
    for (const name of oddNames) {
      const content = `\0${name}.gb`;
      const whole = await dav.request('GET', fileUrl(`${name}.gb`));
      expect([whole.status, whole.text]).toEqual([200, content]);
      const part = await dav.request('GET', fileUrl(`${name}.gb`), {
        headers: { range: 'bytes=1-3' },
      });
      const bytes = Buffer.from(content).subarray(1, 4);
      expect([part.status, part.body.equals(bytes)]).toEqual([206, true]);
      const same = { 'if-none-match': `${whole.headers.etag}` };
      expect((await dav.request('GET', fileUrl(`${name}.gb`), { headers: same })).status).toBe(304);
    }
    const bare = "/dav/All/es-de/ROMs/gb/It's%20(a)%20[test]!%20+%20=%20~%20%28USA%29.gb";
    expect((await dav.request('GET', bare)).status).toBe(200);
    const { status, headers, body } = await dav.request('HEAD', bare);
    expect([status, headers['accept-ranges'], body.length]).toEqual([200, 'bytes', 0]);
    expect(headers['cache-control']).toBe('private, no-cache');
  });

  test.each([
    (path: string) => `${dav.app.url}${path}`,
    (path: string) => path.replace('a', '%61'),
  ])(
    'finds a file by an absolute URL, and by a path with "dav" percent-encoded (%#)',
    async (urlOf) => {
      const { hostname, port } = new URL(dav.app.url);
      const path = urlOf(fileUrl('Käfer (Germany).gb'));
      const headers = { authorization: dav.basic };
      const request = http.get({ hostname, port, path, headers, agent: false });
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      const text = (await response.toArray()).join('');
      expect([response.statusCode, text]).toEqual([200, '\0Käfer (Germany).gb']);
    },
  );

  test('returns an explanation of WebDAV for a folder', async () => {
    for (const path of ['/dav', '/dav/All', '/dav/All/es-de', '/dav/All/es-de/ROMs/gb/']) {
      expect((await dav.request('GET', path)).text).toContain('This is a WebDAV folder');
      expect((await dav.request('HEAD', path)).status).toBe(200);
    }
  });

  test('records repeated downloads of a ROM once, and none for HEAD or for a sheet', async () => {
    const reader = await makePerson(dav.app, 'user');
    const authorization = basicOf(reader.username, reader.token);
    const url = fileUrl('ゼルダの伝説 (Japan).gb');
    for (const range of ['bytes=5-6', 'bytes=0-1', 'bytes=1-']) {
      await dav.request('GET', url, { headers: { range }, authorization });
    }
    await dav.request('GET', url, { authorization });
    await dav.request('HEAD', fileUrl('Käfer (Germany).gb'), { authorization });
    await dav.request('GET', fileUrl('Disc (USA).cue', 'psx'), { authorization });
    const page = { limit: 10, before: null };
    const filter = { by: { id: reader.id }, name: '' };
    expect(await dav.app.catalog.downloads.list(filter, page)).toMatchObject([
      { kind: 'library', name: '3.gb', username: reader.username },
    ]);
  });
});

describe('an unsupported method over WebDAV', () => {
  test.each([
    'PUT',
    'DELETE',
    'POST',
    'PATCH',
    'MKCOL',
    'COPY',
    'MOVE',
    'LOCK',
    'UNLOCK',
    'PROPPATCH',
  ])('is refused with 405: %s', async (method) => {
    for (const path of ['/dav', '/dav/', '/dav/All/es-de/x', '/dav/a/b/c/d/e']) {
      const { status, headers } = await dav.request(method, path);
      expect([path, status]).toEqual([path, 405]);
      expect(headers.allow).toBe('GET, HEAD, OPTIONS, PROPFIND');
    }
  });
});

describe('WebDAV', () => {
  test('handles no paths of the page or of the API', async () => {
    expect((await dav.request('PROPFIND', '/davx')).status).toBe(405);
    expect((await dav.request('PROPFIND', '/api/releases')).status).toBe(405);
    expect((await dav.request('GET', '/api/none')).status).toBe(404);
    expect((await dav.request('GET', '/davx')).status).toBe(200);
  });
});
