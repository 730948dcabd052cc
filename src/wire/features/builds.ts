import { Builds } from '../../core/builds/builds.ts';
import type { LibrarySources } from '../../core/builds/ports.ts';
import { Targets } from '../../core/builds/targets.ts';
import { unpackArchive } from '../../disk/unpack/unpack-archive.ts';
import { FolderTargets } from '../../files/builds/folder-targets.ts';
import type { ProtectedFolder } from '../../files/builds/protected-folders.ts';
import { SqlLibrarySources } from '../../sql/builds/library-sources.ts';
import { SqlTargetRecords } from '../../sql/builds/target-records.ts';
import type { BaseServices } from '../base.ts';
import type { Catalog } from '../catalog.ts';
import { close } from '../resource-stack.ts';
import type { LibraryForBuilds } from './library.ts';

/** Assembles the builds of trees, and the targets of jobs. */
export function openBuilds(
  { config, log, engine, clock, host, parts }: BaseServices,
  { disk, hosts, scanned }: LibraryForBuilds,
  { libraryRoots }: Pick<Catalog, 'libraryRoots'>,
): Pick<Catalog, 'builds' | 'targets'> {
  const sources = new SqlLibrarySources({ engine });

  async function protectedFolders(): Promise<ProtectedFolder[]> {
    const roots = [...libraryRoots, ...(await scanned.roots())].map(({ path }) => path);
    return [
      { path: config.data, what: 'the data folder' },
      ...[...new Set(roots)].map((path) => ({ path, what: 'a folder of the library' })),
    ];
  }

  /**
   * Finds library files by id. Leaves out files of other hosts, because this host cannot read them.
   */
  async function find(ids: readonly number[]): ReturnType<LibrarySources['find']> {
    const others = new Set(
      (await hosts.list()).flatMap(({ path, isOwn }) => (isOwn ? [] : [path])),
    );
    const found = await sources.find(ids);
    return new Map([...found].filter(([, { root }]) => !others.has(root)));
  }

  const folders = new FolderTargets({
    protected: protectedFolders,
    find: ({ root, path }) => disk.find(root, path),
    unpack: unpackArchive,
  });
  return {
    builds: new Builds({ sources: { find }, targets: folders }),
    targets: parts.track(
      new Targets({
        ...{ named: config.targets, host, clock, folders },
        records: new SqlTargetRecords({ engine, host }),
        onFailure: (error) => log.warn({ err: error }, 'could not record the targets of builds'),
      }),
      close,
    ),
  };
}
