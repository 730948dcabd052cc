import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { filesInBucket } from '../../../src/files/s3/files-in-bucket.ts';
import { sendS3Error, startFakeS3 } from '../../support/s3/fake-s3.ts';

const file = { name: 'a.zip', size: 3, mtimeNs: 1n, etag: 'a' };

describe('a copy to S3', () => {
  test('stores a copied file even if the object that it replaces cannot be deleted', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'catalog-failed-deletion-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    let refusesDeletion = false;
    const server = await startFakeS3(async (request, response) => {
      request.resume();
      await once(request, 'end');
      if (request.method === 'DELETE') {
        if (refusesDeletion) return sendS3Error(response, 403, 'AccessDenied');
        return response.writeHead(204).end();
      }
      if (request.method === 'HEAD') {
        return response.writeHead(200, { etag: '"x"', 'content-length': file.size }).end();
      }
      response.writeHead(200, { etag: '"x"', 'content-type': 'application/xml' });
      return response.end(request.method === 'GET' ? '<ListMultipartUploadsResult/>' : '');
    });
    onTestFinished(() => server.stop());
    const { endpoint, region, accessKey, secretKey } = server.address;
    const keys = { s3AccessKey: accessKey, s3SecretKey: secretKey };
    const settings = { files: 's3://bucket', s3Endpoint: endpoint, s3Region: region, ...keys };
    const open = async () => {
      const record = join(folder, 'copied.jsonl');
      const place = await filesInBucket({ settings, record, tmp: folder });
      onTestFinished(() => place.close());
      return place;
    };
    const put = async (text: string) => {
      const place = await open();
      expect(await place.find('games', file)).toEqual(text === 'one' ? null : expect.anything());
      await place.put(
        'games',
        file,
        (async function* () {
          yield Buffer.from(text);
        })(),
      );
      return place;
    };
    await put('one');
    const [sent] = server.requests.filter((request) => request.startsWith('PUT games/'));
    const deletion = `DELETE ${sent?.slice('PUT '.length)}`;

    refusesDeletion = true;
    const place = await put('two');
    expect(server.requests).not.toContain(deletion);

    refusesDeletion = false;
    await place.removeUnused();
    expect(server.requests).toContain(deletion);
  });
});
