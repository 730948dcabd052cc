import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import {
  openDescriptors,
  procSkipReason,
  repeatUntilSteady,
} from '../../trust/tools/process-state.ts';

const skipReason = await procSkipReason();

describe('the reader of process states', () => {
  test.skipIf(skipReason !== null)(
    `counts an open file separately from a connection${skipReason ? ` (skipped: ${skipReason})` : ''}`,
    async () => {
      const before = await openDescriptors(process.pid);
      const file = await open(import.meta.filename);
      const server = createServer().listen(0, '127.0.0.1');
      try {
        await once(server, 'listening');
        const { connections, others } = await openDescriptors(process.pid);
        expect(others - before.others).toBe(1);
        expect(connections - before.connections).toBe(1);
      } finally {
        server.close();
        await file.close();
      }
    },
  );

  test('waits until the count stays the same for several rounds', async () => {
    const counts = [40, 47, 54, 54, 54, 61, 61, 61, 61, 61, 99];
    const round = async () => counts.shift() ?? Number.NaN;
    const later = performance.now() + 60_000;
    expect(await repeatUntilSteady(round, { rounds: 5, until: later })).toBe(61);
  });

  test('stops waiting for a steady count at the deadline', async () => {
    let open = 40;
    const leaking = async () => {
      open += 1;
      return open;
    };
    const until = performance.now() + 20;
    expect(await repeatUntilSteady(leaking, { rounds: 5, until })).toBe(open);
  });
});
