import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileArea } from '../core/shared/file-area.ts';
import type { LaidFiles } from '../core/store/adoption.ts';
import type { UploadFiles } from '../core/uploads/ports.ts';
import { localArea, ownTmp } from './local-area.ts';
import { OwnFiles } from './own-files.ts';
import { sweepTmp } from './sweep-tmp.ts';
import { localUploads } from './upload-files.ts';

/** Where the archives and covers of a catalogue lie. */
export interface StoredFiles {
  readonly areas: Readonly<Record<'games' | 'videos', FileArea>>;
  readonly covers: FileArea;
  readonly uploads: UploadFiles;
  /** What was laid by hand where the areas do not look; null where they look everywhere. */
  readonly laid: LaidFiles | null;
  /** Those into which something has to be written to know that all can be. */
  readonly probes: readonly FileArea[];
  /** Lets go, behind, of what belongs to nothing; for the one who serves. */
  startSweeping(): void;
  close(): Promise<void>;
}

/** In the data folder, where what dead processes left is removed. */
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
