import type { DataTrack } from './sheet.ts';

const FRAMES_PER_SECOND = 75;

/**
 * The data tracks of a cue sheet in its order; null when the lines are none. Only `FILE`, `TRACK` and `INDEX 01` matter.
 *
 * Source: CDRWIN's user guide, appendix "CUE Sheet commands": `FILE "name" BINARY`, `TRACK 01 MODE2/2352`, `INDEX 01
 * mm:ss:ff` with 75 frames per second, counted from the start of the file.
 */
export function cueTracks(lines: readonly string[]): DataTrack[] | null {
  const tracks: DataTrack[] = [];
  let file: string | null = null;
  let sector: number | null = null;
  let isSheet = false;
  for (const line of lines) {
    const named = /^FILE\s+(?:"([^"]*)"|(\S+))/i.exec(line);
    const track = /^TRACK\s+\d{1,2}\s+(\S+)/i.exec(line);
    const index = /^INDEX\s+0?1\s+(\d{1,3}):(\d{1,2}):(\d{1,2})$/i.exec(line);
    if (named) file = named[1] ?? named[2] ?? '';
    if (track && file !== null) {
      isSheet = true;
      const mode = /^(?:MODE[12]|CDI)\/(2048|2336|2352)$/i.exec(track[1] ?? '');
      sector = mode && Number(mode[1]);
    }
    if (index && file !== null && sector !== null) {
      const [minutes = 0, seconds = 0, frames = 0] = index.slice(1).map(Number);
      const start = ((minutes * 60 + seconds) * FRAMES_PER_SECOND + frames) * sector;
      tracks.push({ file, sector, start });
    }
  }
  return isSheet ? tracks : null;
}
