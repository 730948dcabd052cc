import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileArea } from '../core/shared/file-area.ts';
import type { LaidFiles } from '../core/store/adoption.ts';
import type { UploadFiles } from '../core/uploads/ports.ts';
import { localArea, ownTmp } from './local-area.ts';
import { OwnFiles } from './own-files.ts';
import { sweepTmp } from './sweep-tmp.ts';
import { localUploads } from './upload-files.ts';

/** The storage of a catalogue's archives and covers. */
export interface StoredFiles {
  readonly areas: Readonly<Record<'games' | 'videos', FileArea>>;
  readonly covers: FileArea;
  readonly uploads: UploadFiles;
  /** Manually added files outside of the areas; null if the areas include such files. */
  readonly laid: LaidFiles | null;
  /** The areas that must be written to in order to check that all of them are writable. */
  readonly probes: readonly FileArea[];
  /** Starts to remove orphans in the background; for servers. */
  startSweeping(): void;
  close(): Promise<void>;
}

/** Opens the storage in the data folder and removes what dead processes left there. */
export async function localFiles(data: string): Promise<StoredFiles> {
  const tmp = join(data, 'tmp');
  const covers = join(data, 'covers');
  const [games, videos] = [join(data, 'store', 'games'), join(data, 'store', 'videos')];
  await mkdir(covers, { recursive: true });
  for (const folder of [covers, games, videos]) await sweepTmp(ownTmp(folder));
  const own = new OwnFiles(data);
  const area = (folder: string) => localArea({ folder, tmp, own });
  const areas = { games: area(games), videos: area(videos) };
  const coverArea = area(covers);
  return {
    areas,
    covers: coverArea,
    uploads: localUploads({ tmp, areas: { games, videos }, own }),
    laid: null,
    probes: [areas.games, areas.videos, coverArea],
    startSweeping() {},
    async close() {},
  };
}
