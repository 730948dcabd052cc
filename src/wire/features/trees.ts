import { rewriteSheet } from '../../core/builds/rewrite-sheet.ts';
import { notFound } from '../../core/shared/errors.ts';
import { presentRevision } from '../../core/shared/requests/part-revision.ts';
import { DeviceTrees } from '../../core/trees/device-trees.ts';
import { memoryFile } from '../../files/memory-file.ts';
import { SqlLibrarySources } from '../../sql/builds/library-sources.ts';
import type { BaseServices } from '../base.ts';
import type { Catalog } from '../catalog.ts';

/**
 * The parts of the catalogue whose changes may change a tree, in addition to the rule of its set.
 */
const parts = ['catalogue', 'library', 'covers'] as const;

/** Assembles the trees that are read over the network. */
export function openTrees(
  { engine, revisions, clock }: BaseServices,
  catalog: Pick<Catalog, 'sets' | 'releases' | 'profiles' | 'exports' | 'libraryDownloads'>,
): Pick<Catalog, 'deviceTrees'> {
  const { sets, releases, profiles, exports, libraryDownloads } = catalog;
  const partRevisions = parts.map((part) => revisions.of(part));
  const deviceTrees = new DeviceTrees({
    sets: {
      list: (viewer) => sets.listUncounted(viewer),
      async open(idOrName, viewer) {
        const [found] = await sets.listNamed(idOrName, viewer);
        if (found === undefined) throw notFound();
        const { id, name } = found;
        const selected = await sets.select(`${id}`, viewer);
        const set = releases.openSet(name, selected);
        return {
          ...{ id, name },
          key: selected.key,
          readTree: (profile) =>
            exports.tree({ set, profile, fileSystem: 'posix', onLeftOut: () => undefined }),
        };
      },
    },
    profiles,
    sources: new SqlLibrarySources({ engine }),
    downloads: libraryDownloads,
    contents: {
      readPicture: (source) => exports.readPicture(source),
      rewriteSheet,
      openBytes: memoryFile,
    },
    revision: async () => (await Promise.all(partRevisions.map(presentRevision))).join(' '),
    clock,
  });
  return { deviceTrees };
}
