/** @module-tag full */

import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import * as http from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { currentMemoryMib, peakMemoryMib, resetPeakMemory } from '../../measure/memory.ts';
import { xml } from '../imports/support/dat-text.ts';
import { romOf } from '../library/library-fixture.ts';
import { createRequester } from '../support/http/requester.ts';
import { useSandbox } from '../support/process.ts';
import { basicOf, gameBoy } from './dav-fixture.ts';

const count = 20_000;

describe('WebDAV', () => {
  test('lists 20,000 games within 64 MiB of memory, and logs no credentials', async () => {
    const sandbox = await useSandbox();
    await sandbox.createDataFolder();
    const root = join(sandbox.folder, 'library');
    await mkdir(root);
    const rows: Parameters<typeof xml>[0][number][] = [];
    for (let index = 0; index < count; index += 1) {
      const name = `Game of Games ${index} (Europe) (En,Fr,De,Es,It)`;
      await writeFile(join(root, `${name}.gb`), `game ${index}`);
      rows.push({ name, roms: [romOf(`game ${index}`, `${name}.gb`)] });
    }
    const dat = join(sandbox.folder, 'games.dat');
    await writeFile(dat, xml(rows, gameBoy));
    const roots = ['--games-root', root];
    for (const args of [
      ['import', dat],
      ['scan', '--no-hash', ...roots],
      ['sets', 'save', 'All', '--rule', '-'],
    ]) {
      const done = await sandbox.run(args, { stdin: JSON.stringify({ all: [] }) });
      expect(done).toMatchObject({ code: 0 });
    }
    const server = await sandbox.serve(roots);
    const login = { username: 'first', password: 'first' };
    const { json } = await createRequester(server.url)('POST', '/api/auth/login', { json: login });
    const headers = { authorization: basicOf('first', `${json.token}`), depth: '1' };
    const list = async (path: string) => {
      const request = http.request(`${server.url}${path}`, {
        method: 'PROPFIND',
        agent: false,
        headers,
      });
      request.end();
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      const text = (await response.setEncoding('utf8').toArray()).join('');
      return { status: response.statusCode, files: text.split('<D:getetag>').length - 1 };
    };
    await list('/dav/All/batocera/'); // plans the tree
    const before = currentMemoryMib(server.pid) ?? 0;
    await resetPeakMemory(server.pid);
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await list('/dav/All/batocera/gb/')).toEqual({ status: 207, files: count + 1 });
    }
    const grown = (peakMemoryMib(server.pid) ?? 0) - before;
    expect(grown).toBeLessThan(64);
    expect(server.stderr).toContain('/dav/All/batocera/gb/');
    expect(server.stdout + server.stderr).not.toContain(`${json.token}`);
    expect(server.stdout + server.stderr).not.toContain(headers.authorization.slice(6));
  }, 600_000); // a busy machine creates and scans 20,000 files in minutes
});
