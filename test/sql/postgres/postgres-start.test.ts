/** @module-tag full */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../../src/sql/engine/open.ts';
import { installations } from '../../support/postgres/installations.ts';
import { useProxiedClone } from '../../support/postgres/proxied-clone.ts';

for (const { version, skipReason } of installations) {
  if (skipReason !== null) test.skip(`PostgreSQL ${version} (${skipReason})`);
}

describe.each(installations.filter(({ skipReason }) => skipReason === null))(
  'the start on PostgreSQL $version',
  (installation) => {
    test('refuses a server older than the supported versions in one line', async () => {
      const older = (bytes: Buffer) =>
        Buffer.from(bytes.toString('latin1').replace(/\b1[58]0(\d{3})\b/, '140$1'), 'latin1');
      const { proxiedUrl } = await useProxiedClone(installation, older);
      const opening = openPostgres(proxiedUrl);
      await expect(opening).rejects.toMatchObject({
        kind: 'refused',
        message: expect.stringMatching(
          /^postgres:\S+ runs PostgreSQL \S.*: PostgreSQL 15 or newer is needed$/,
        ),
      });
      await (await openPostgres((await useProxiedClone(installation)).proxiedUrl)).close();
    });

    test('waits for a starting but not for a missing server, and reports this once', async () => {
      const { proxiedUrl } = await useProxiedClone(installation);
      let refusals = 3;
      const starting = createServer((client) => {
        client.on('error', () => undefined);
        client.once('data', () => {
          if (refusals > 0) {
            refusals -= 1;
            client.end(failure('57P03', 'the database system is starting up'));
          } else client.destroy();
        });
      }).listen(0, '127.0.0.1');
      await once(starting, 'listening');
      const behind = new URL(proxiedUrl);
      behind.port = String((starting.address() as AddressInfo).port);
      const reasons: string[] = [];
      const onWait = (reason: string) => void reasons.push(reason);
      // After three refusals, the fake server closes each connection.
      await expect(openPostgres(behind.href, { onWait })).rejects.toThrow(
        /^cannot reach the database postgres:/,
      );
      expect([refusals, reasons]).toEqual([0, ['starting']]);
      starting.close();
      const began = performance.now();
      await expect(openPostgres(behind.href, { onWait })).rejects.toThrow('ECONNREFUSED');
      expect([performance.now() - began < 2_000, reasons.length]).toEqual([true, 1]);
    });
  },
);

describe('the start on PostgreSQL', () => {
  test('does not wait for a pooler that refuses the connection', async () => {
    const refusal = failure('08P01', 'no such database: catalog');
    const pooler = createServer((client) => {
      client.on('error', () => undefined);
      client.once('data', () => client.end(refusal));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void pooler.close());
    await once(pooler, 'listening');
    const { port } = pooler.address() as AddressInfo;
    const reasons: string[] = [];
    const onWait = (reason: string) => void reasons.push(reason);
    const opening = openPostgres(`postgres://catalog@127.0.0.1:${port}/catalog`, { onWait });
    await expect(opening).rejects.toThrow('no such database');
    expect(reasons).toEqual([]);
  });

  test('reports that a server requires a password if none is set', async () => {
    // the messages AuthenticationSASL and AuthenticationSASLContinue (PostgreSQL 15, 55.7)
    const steps = ['\0\0\0\x17\0\0\0\x0aSCRAM-SHA-256\0\0', '\0\0\0\x0b\0\0\0\x0br=x'];
    const server = createServer((client) => {
      const left = [...steps];
      client.on('error', () => undefined);
      client.on('data', () => client.write(Buffer.from(`R${left.shift() ?? ''}`, 'latin1')));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await expect(openPostgres(`postgres://catalog@127.0.0.1:${port}/catalog`)).rejects.toThrow(
      /^cannot reach the database postgres:\S+: it requires a password, but none is set$/,
    );
  });
});

/** Returns the message ErrorResponse (PostgreSQL 15, 55.7). */
function failure(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
