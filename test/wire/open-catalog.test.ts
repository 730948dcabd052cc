import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Config, readConfig } from '../../src/settings/config.ts';
import { openCatalog } from '../../src/wire/open-catalog.ts';
import { ResourceStack } from '../../src/wire/resource-stack.ts';

const log = { warn() {} };
const register = ResourceStack.prototype.track;

/**
 * The order in which all parts are closed. Jobs end while all parts that they use are still open.
 * Deferred writes are flushed while the database is still open.
 */
const closedInThisOrder = [
  'OldRecordSweeper',
  'ScheduledBackups',
  'AutomaticScans',
  'Schedules',
  'BackgroundJobs',
  'Targets',
  'CoverSearch',
  'HttpCoverSource',
  'Thumbnails',
  'CoverTags',
  'Uploads',
  'HashThread',
  'Library',
  'disk',
  'FileChanges',
  'FileChanges',
  'files',
  'DeferredWrites',
  'Leases',
  'SqliteEngine',
];

describe('openCatalog', () => {
  test('closes all parts in reverse order when the catalogue closes', async () => {
    const { opened, closed } = watchParts();
    const catalog = await openCatalog(await newConfig(), log);
    expect(closed).toEqual([]);
    await catalog.close();
    expect(closed).toEqual(closedInThisOrder);
    expect(opened).toEqual(closedInThisOrder.toReversed());
    await catalog.close();
    expect(closed).toHaveLength(opened.length);
  });

  test('closes the parts that a failed start has opened, in reverse order', async () => {
    const early = await newConfig();
    await writeFile(join(early.data, 'games'), 'a file in the place of a folder');
    await expectFailedStart(early, 'games must be a folder', closedInThisOrder.indexOf('disk'));
    const late = { ...(await newConfig()), coverSource: 'no URL' };
    await expectFailedStart(late, 'Invalid URL', closedInThisOrder.indexOf('Thumbnails'));
  });

  test('reports why the start failed even if a part then fails to close', async () => {
    const config = { ...(await newConfig()), coverSource: 'no URL' };
    const { opened, closed } = watchParts((name) => {
      if (name === 'Uploads') throw new Error('it does not close');
    });
    await expect(openCatalog(config, log)).rejects.toThrow('Invalid URL');
    expect(closed).toEqual(opened.toReversed());
  });
});

/** Expects a failed start to close the parts in `closedInThisOrder` from the index `from` on. */
async function expectFailedStart(config: Config, error: string, from: number): Promise<void> {
  const { opened, closed } = watchParts();
  await expect(openCatalog(config, log)).rejects.toThrow(error);
  expect(closed).toEqual(closedInThisOrder.slice(from));
  expect(opened).toEqual(closed.toReversed());
}

/**
 * Returns two lists, which get the names of the parts that are opened and closed from now on, in
 * order. Calls `onClosed` with the name of each part after the part was closed.
 */
function watchParts(onClosed = (_name: string): void => undefined) {
  const opened: string[] = [];
  const closed: string[] = [];
  function opening<T>(this: ResourceStack, part: T, close: (part: T) => unknown): T {
    const name = nameOf(part);
    opened.push(name);
    return register.call(this, part, async () => {
      await close(part);
      closed.push(name);
      onClosed(name);
    }) as T;
  }
  const watched = vi.spyOn(ResourceStack.prototype, 'track').mockImplementation(opening);
  onTestFinished(() => watched.mockRestore());
  return { opened, closed };
}

function nameOf(part: unknown): string {
  const object = Object(part);
  if ('probes' in object) return 'files';
  if ('walk' in object) return 'disk';
  return object.constructor.name;
}

/** Returns the settings of a server with all optional parts, for a new data folder. */
async function newConfig(): Promise<Config> {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-wire-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const data = join(folder, 'data');
  await mkdir(data);
  return readConfig({ data, 'backup-to': join(folder, 'backups') }, {});
}
