/** @module-tag full */
import { describe, expect, test, vi } from 'vitest';
import { useSource } from '../../covers/covers-fixture.ts';
import { libretroZip } from '../../imports/catalogue/archive.ts';
import { logIn, sendRequest } from '../../support/http/client.ts';
import { pollOptions } from '../../support/poll-options.ts';
import { type Server, useSandbox } from '../../support/process.ts';

const zip = libretroZip(300_000);
const half = 150_000;

describe('catalog serve', () => {
  test('continues a download of the catalogue source after it was killed', async () => {
    const source = await useSource((request, response) => {
      const [, from = '0'] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
      const start = Number(from);
      const range = `bytes ${start}-${zip.length - 1}/${zip.length}`;
      response.writeHead(start === 0 ? 200 : 206, { etag: '"one"', 'content-range': range });
      if (start === 0) response.write(zip.subarray(0, half));
      else response.end(zip.subarray(start));
    });
    const sandbox = await useSandbox();
    const serve = () => sandbox.serve(['--catalogue-source', `${source.base}/master.zip`]);
    const server = await serve();
    const json = { kind: 'fetch-catalogue', options: {} };
    const token = await logIn(server.url);
    const { id } = (await sendRequest(`${server.url}/api/jobs`, { token, json })).json;
    await vi.waitFor(async () => {
      expect(await jobAt(server, id)).toMatchObject({ progress: { done: half } });
    }, pollOptions);
    server.kill('SIGKILL');
    await server.ended;

    const next = await serve();
    await vi.waitFor(async () => {
      expect(await jobAt(next, id)).toMatchObject({ state: 'done', report: { files: 3, new: 2 } });
    }, pollOptions);
    expect(source.headers.map(({ range }) => range)).toEqual([undefined, `bytes=${half}-`]);
  });
});

async function jobAt({ url }: Server, id: unknown) {
  const token = await logIn(url);
  return (await sendRequest(`${url}/api/jobs/${id}`, { token })).json;
}
