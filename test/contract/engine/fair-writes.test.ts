import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import { withClient } from '../../../src/core/shared/requests/client-context.ts';
import type { Engine } from '../../../src/sql/engine/engine.ts';
import { testEngines } from '../fixtures/engines.ts';
import { useEngine } from '../fixtures/use-engine.ts';

/** Maximum number of transactions that an engine runs concurrently. */
const maxConcurrent = 4;

/** Adds a platform with this key for a client of a network. */
function addFor(engine: Engine, network: string, key: string): Promise<unknown> {
  const add = sql`INSERT INTO platform (key, name) VALUES (${key}, ${key})`;
  const client = { network, signal: new AbortController().signal };
  return withClient(client, () => engine.write((trx) => add.execute(trx)));
}

describe('many writes for the clients of one network', () => {
  testEngines('$name: do not delay a write for another network', async ({ open }) => {
    const engine = await useEngine(open);
    let ended = 0;
    const many = Array.from({ length: 40 }, async (_, i) => {
      await addFor(engine, 'many', `key ${i}`);
      ended += 1;
    });
    await addFor(engine, 'one', 'another key');
    expect(ended).toBeLessThanOrEqual(3 * maxConcurrent);
    await Promise.all(many);
  });

  testEngines('$name: have all ended when the engine is closed', async ({ open }) => {
    const engine = await useEngine(open);
    let ended = 0;
    const writes = Array.from({ length: 20 }, async (_, i) => {
      await addFor(engine, `network ${i % 2}`, `key ${i}`);
      ended += 1;
    });
    await engine.close();
    await Promise.all(writes);
    expect(ended).toBe(20);
  });
});
