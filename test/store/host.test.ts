import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ensureHost, findHost } from '../../src/files/host.ts';

async function useFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-host-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

describe('the host file', () => {
  test('gives each data folder a name of its own, the same for concurrent callers', async () => {
    const data = await useFolder();
    expect(await findHost(data)).toBeNull();
    const names = await Promise.all(Array.from({ length: 20 }, () => ensureHost(data)));
    expect(new Set(names).size).toBe(1);
    const [name = ''] = names;
    expect(name).toMatch(/^[\w-]+\.[0-9a-f]{16}$/);
    expect([await ensureHost(data), await findHost(data)]).toEqual([name, name]);
    expect(readFileSync(join(data, 'host'), 'utf8')).toBe(`${name}\n`);
    expect(readdirSync(join(data, 'tmp'))).toEqual([]);
    expect(await ensureHost(await useFolder())).not.toBe(name);
  });

  test.each(['', 'nas', 'nas.3f2a\nnas.3f2a91c3d0e4b7a6'])(
    'is refused if it contains %j',
    async (text) => {
      const data = await useFolder();
      writeFileSync(join(data, 'host'), text);
      await expect(ensureHost(data)).rejects.toMatchObject({
        kind: 'refused',
        message: expect.stringMatching(/^\S+\/host does not contain the name of a host: remove it/),
      });
    },
  );
});
