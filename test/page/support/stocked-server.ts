import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importGames } from '../../support/data/dats.ts';
import { openTestServer, type TestServer } from './test-server.ts';

export interface StockedServer extends TestServer {
  /** Id of the release that has every kind of data. */
  readonly stocked: number;
}

const name = 'Quartz Quest (Europe)';

/** Opens a server in which one release has two sources, a file in the library and an archive. */
export async function openStockedServer(
  options: Record<string, string> = {},
): Promise<StockedServer> {
  const root = await mkdtemp(join(tmpdir(), 'catalog-roots-'));
  const target = `stick=${root}-stick`; // a device that is not connected
  const server = await openTestServer({ 'games-root': root, target, ...options });
  const sha1 = createHash('sha1').update('content').digest('hex');
  const rom = { size: '7', crc: '0ddf00d5', md5: 'e'.repeat(32), sha1 };
  const game = { region: 'Europe', serial: 'SLES-00042' };
  await importGames(
    server,
    [{ name, ...game, roms: [{ name: `${name}.iso`, ...rom }] }],
    'Sony - PlayStation',
  );
  const other = { name: 'Quest for Quartz (EU)', roms: [{ name: 'QFQ.bin', ...rom }] };
  await importGames(server, [other], 'Sony - PlayStation', 'games', 'Another List');
  await writeFile(join(root, 'qq-backup.iso'), 'content');
  await server.catalog.scanner.scan({
    roots: server.catalog.libraryRoots,
    ...{ hash: true, full: false, forget: false, jobs: 1, retriesWhenBusy: false },
    signal: new AbortController().signal,
    onProgress() {},
  });
  await mkdir(join(server.data, 'store', 'games'), { recursive: true });
  await writeFile(join(server.data, 'store', 'games', `${name}.zip`), 'an archive');
  return Object.assign(server, {
    stocked: await server.idOf('Quartz Quest'),
    close: closing(server, root),
  });
}

function closing({ close }: TestServer, root: string): () => Promise<void> {
  return async () => {
    await close();
    await rm(root, { recursive: true });
  };
}
