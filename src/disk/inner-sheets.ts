import type { ImageTrack, SheetFile } from '../core/library/identity.ts';
import { tracksIn } from '../core/library/sets/expected-tracks.ts';
import { readSheet } from './containers/sheets/read-sheet.ts';
import type { ImageBytes } from './image-bytes.ts';

/** Maximum number of sheets that are read in an archive. Real sets of discs need fewer. */
export const MAX_SHEETS = 20;

/** The tracks of the images in an archive, as listed by the sheets in the same archive. */
export class InnerSheets {
  readonly #files = new Map<string, SheetFile>();
  #sheets = 0;

  /**
   * Reads a member of the archive. If the member is a sheet, but not a playlist, adds the sheet's
   * tracks. Ignores all members after `MAX_SHEETS` sheets.
   */
  async add(name: string, member: ImageBytes): Promise<void> {
    if (this.#sheets === MAX_SHEETS) return;
    const sheet = await readSheet(member);
    if (sheet === null || sheet.container === 'm3u') return;
    this.#sheets += 1;
    const own = plainName(name).replace(/\.[^.]*$/, '');
    for (const file of sheet.files) {
      this.#files.set(plainName(file.name.replace(/^\*(?=\.)/, () => own)), file);
    }
  }

  /**
   * Returns the tracks of an image if a sheet divides the image into at least two tracks. Otherwise
   * returns no tracks.
   */
  tracksOf(name: string, size: number): ImageTrack[] {
    const file = this.#files.get(plainName(name));
    const tracks = file === undefined || size === Infinity ? [] : tracksIn(file, size);
    return tracks.length > 1 ? tracks : [];
  }
}

/**
 * Returns a name without folders and in lower case. Names are compared in this form, because
 * packing programs may change folders and case.
 */
function plainName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).toLowerCase();
}
