import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Client } from '../../../scale/faults/client.ts';
import { compare } from '../../../scale/faults/compare.ts';
import { absent, outcomeOfWrite, WriteRecord } from '../../../scale/faults/record.ts';

const entry = 'release.edit release/1';
const write = (record: WriteRecord, value: string | null, status: number) =>
  record.write('release 1', value, entry, async () => outcomeOfWrite(status));

describe('the record of writes in fault checks', () => {
  test('allows the last acknowledged value, later values and uncertain values', async () => {
    const record = new WriteRecord();
    expect(record.allows('release 1', 'anything')).toBe(true);
    await write(record, 'uncertain', 503);
    await write(record, 'first', 200);
    const mark = record.mark('release 1');
    await write(record, 'second', 200);
    await write(record, 'refused', 403);
    const allowed = (since?: number) =>
      ['uncertain', 'first', 'second', 'unknown', absent].filter((value) =>
        record.allows('release 1', value, since),
      );
    expect(allowed()).toEqual(['uncertain', 'second']);
    expect(allowed(mark)).toEqual(['uncertain', 'first', 'second']);
    record.setExpected('release 1', 'uncertain');
    expect(allowed()).toEqual(['uncertain']);
  });

  test('finds missing or additional audit entries, and reports each once', async () => {
    const record = new WriteRecord();
    for (const status of [200, 200, 0]) await write(record, `text ${status}`, status);
    const differences = (count: number) => {
      record.forgetReports();
      return record.compareAudit(new Map([[entry, count]]));
    };
    expect(differences(1)).toEqual({ lost: [entry], doubled: [] });
    expect(record.compareAudit(new Map())).toEqual({ lost: [], doubled: [] });
    expect(differences(2)).toEqual({ lost: [], doubled: [] });
    expect(differences(3)).toEqual({ lost: [], doubled: [] });
    expect(differences(4)).toEqual({ lost: [], doubled: [entry] });
  });

  test('expects the old value and no audit entry of a write whose job failed', async () => {
    const record = new WriteRecord();
    await record.write('import a', '3', 'import a.dat', async () => 'acknowledged');
    record.recordJob(1, { item: 'import a', entry: 'import a.dat', undone: '0' });
    record.failJob(2);
    expect(record.allows('import a', '3')).toBe(true);
    record.failJob(1);
    expect(['3', '0'].map((value) => record.allows('import a', value))).toEqual([false, true]);
    expect(record.compareAudit(new Map())).toEqual({ lost: [], doubled: [] });
    const doubled = ['import a.dat'];
    expect(record.compareAudit(new Map([['import a.dat', 1]]))).toEqual({ lost: [], doubled });
  });

  /**
   * Starts a server that shows one release, and an audit log with this number of edits of the
   * release.
   */
  async function serve(description: string, edits: number): Promise<Client> {
    const item = {
      action: 'release.edit',
      target: 'release/1',
      detail: { fields: ['description'] },
    };
    const items = Array.from({ length: edits }, (_, id) => ({ id, ...item }));
    const server = createServer((request, response) => {
      const lists: [path: string, items: object[]][] = [
        ['/api/audit', items],
        ['/api/downloads', []],
      ];
      const list = lists.find(([path]) => request.url?.startsWith(path));
      response.end(JSON.stringify(list ? { items: list[1] } : { description }));
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

  test('finds an acknowledged edit that a catalogue lost, or made twice', async () => {
    const record = new WriteRecord();
    await write(record, 'old', 200);
    await write(record, 'new', 200);
    const things = record.takeTouched();
    expect(things).toEqual(['release 1']);
    const differences = async (description: string, edits: number) => {
      record.forgetReports();
      return compare(await serve(description, edits), record, things);
    };
    expect(await differences('new', 2)).toEqual({ lost: [], doubled: [] });
    expect(await differences('new', 1)).toEqual({ lost: [entry], doubled: [] });
    expect(await differences('new', 3)).toEqual({ lost: [], doubled: [entry] });
    expect(await differences('old', 2)).toEqual({ lost: ['release 1: found old'], doubled: [] });
    expect(await differences('old', 2)).toEqual({ lost: [], doubled: [] });
  });
});
