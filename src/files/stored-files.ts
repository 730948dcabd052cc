import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileArea } from '../core/shared/files/file-area.ts';
import type { LabelledFiles, ManualFiles } from '../core/store/adoption.ts';
import type { UploadFiles } from '../core/uploads/ports.ts';
import { areaTmpFolder, localArea } from './local/local-area.ts';
import { OwnFiles } from './own-files.ts';
import { sweepTmp } from './sweep-tmp.ts';
import { localUploads } from './uploads/upload-files.ts';

/** The storage of a catalogue's archives and covers. */
export interface StoredFiles {
  readonly areas: Readonly<Record<'games' | 'videos', FileArea>>;
  readonly covers: FileArea;
  readonly uploads: UploadFiles;
  /**
   * Manually added files that are stored outside of the areas. Null if the areas include such
   * files.
   */
  readonly manuallyAdded: ManualFiles | null;
  /** The archives that a bucket describes with labels. Null if the files are in a folder. */
  readonly labelled: LabelledFiles | null;
  /** The areas to test for writability. If these areas are writable, all areas are writable. */
  readonly probes: readonly FileArea[];
  /** Starts to delete orphans in the background. Only servers need this. */
  startSweeping(): void;
  close(): Promise<void>;
}

/**
 * Opens the storage in the data folder. Removes the leftovers of dead processes from the areas' own
 * temporary folders.
 */
export async function localFiles(data: string): Promise<StoredFiles> {
  const tmp = join(data, 'tmp');
  const covers = join(data, 'covers');
  const [games, videos] = [join(data, 'store', 'games'), join(data, 'store', 'videos')];
  await mkdir(covers, { recursive: true });
  for (const folder of [covers, games, videos]) await sweepTmp(areaTmpFolder(folder));
  const own = new OwnFiles(data);
  const area = (folder: string) => localArea({ folder, tmp, own });
  const areas = { games: area(games), videos: area(videos) };
  const coverArea = area(covers);
  return {
    areas,
    covers: coverArea,
    uploads: localUploads({ tmp, areas: { games, videos }, own }),
    manuallyAdded: null,
    labelled: null,
    probes: [areas.games, areas.videos, coverArea],
    startSweeping() {},
    async close() {},
  };
}
