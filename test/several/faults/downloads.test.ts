import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Client } from '../../../scale/faults/client.ts';
import { compare } from '../../../scale/faults/compare.ts';
import { DownloadRecord } from '../../../scale/faults/downloads.ts';
import { WriteRecord } from '../../../scale/faults/record.ts';

const path = '/api/store/download/games/';
const lost = { lost: ['download of a 1.zip'], doubled: [] };
const doubled = { lost: [], doubled: ['download of a 1.zip'] };
const none = { lost: [], doubled: [] };
const found = (count: number) => ({ counts: new Map([['a 1.zip', count]]), newest: count });

/**
 * Returns the record of downloads of one archive: each with its status, and with the times of its
 * request and its end.
 */
function recordOf(...downloads: (readonly [status: number, sentAt: number, endedAt: number])[]) {
  const record = new DownloadRecord();
  for (const [status, sentAt, endedAt] of downloads)
    record.recordReply({ what: `${path}a%201.zip`, status, sentAt, endedAt });
  return record;
}

describe('the record of downloads in fault checks', () => {
  test('finds download records that are missing or too many, and reports each once', () => {
    const record = recordOf([200, 0, 10], [200, 20, 30]);
    expect(record.acknowledged).toBe(2);
    expect(record.hasMissing(found(1), [])).toBe(true);
    expect(record.compare(found(1), [])).toEqual(lost);
    expect(record.compare(found(1), [])).toEqual(none);
    expect(record.compare(found(2), [])).toEqual(doubled);
    expect(record.compare(found(2), [])).toEqual(none);
    const other = { counts: new Map([['b', 1]]), newest: 1 };
    expect(recordOf().compare(other, [])).toEqual({ lost: [], doubled: ['download of b'] });
  });

  test('ignores a 404, and accepts any outcome of a 503 or of a request without a response', () => {
    const record = recordOf([404, 0, 10], [0, 0, 10], [503, 0, 10]);
    record.recordReply({ what: '/api/releases/1', status: 200, sentAt: 0, endedAt: 10 });
    expect(record.acknowledged).toBe(0);
    for (const count of [0, 1, 2]) expect(record.compare(found(count), [])).toEqual(none);
    expect(record.compare(found(3), [])).toEqual(doubled);
  });

  test('allows a record to be missing only for a second before an instance was killed', () => {
    const early = [200, 0, 10] as const;
    const late = [200, 900, 910] as const;
    expect(recordOf(early, late).compare(found(1), [1_500])).toEqual(none);
    expect(recordOf(early, late).compare(found(0), [1_500])).toEqual(lost);
    expect(recordOf(early, late).compare(found(1), [3_000])).toEqual(lost);
  });

  test('allows a second record for a request during which an instance was killed', () => {
    const sentAgain = [200, 0, 100] as const;
    expect(recordOf(sentAgain).compare(found(2), [50])).toEqual(none);
    expect(recordOf(sentAgain).compare(found(3), [50])).toEqual(doubled);
    expect(recordOf(sentAgain).compare(found(2), [200])).toEqual(doubled);
  });

  /** Starts a server that lists this number of downloads, in pages. */
  async function serve(count: number): Promise<Client> {
    const server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
      const before = Math.min(Number(searchParams.get('before') ?? Infinity), count + 1);
      const limit = pathname === '/api/downloads' ? Number(searchParams.get('limit')) : 0;
      const length = Math.min(limit, before - 1);
      const items = Array.from({ length }, (_, at) => ({ id: before - 1 - at, name: 'a 1.zip' }));
      response.end(JSON.stringify({ items }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = new Client(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      'token',
    );
    onTestFinished(() => {
      client.close();
      server.close();
    });
    return client;
  }

  test('compares all records of a catalogue, and ignores newer records of a copy', async () => {
    const record = new WriteRecord();
    for (let sentAt = 0; sentAt < 1_200; sentAt += 1)
      record.downloads.recordReply({
        what: `${path}a%201.zip`,
        status: 200,
        sentAt,
        endedAt: sentAt,
      });
    expect(record.acknowledged).toBe(1_200);
    expect(await compare(await serve(1_200), record, [], { setsExpected: true })).toEqual(none);
    const copy = async (count: number) => compare(await serve(count), record, [], { isCopy: true });
    expect(await copy(1_200)).toEqual(none);
    expect(await copy(1_300)).toEqual(none);
    expect(await copy(1_199)).toEqual(lost);
    expect(await compare(await serve(1_201), record, [])).toEqual(doubled);
  });
});
