import { dirname } from 'node:path';
import type { Identity } from '../core/library/identity.ts';
import { openChdDisc, readChd } from './containers/chd.ts';
import { openCso } from './containers/cso.ts';
import { openDax } from './containers/dax.ts';
import { readPbp } from './containers/pbp.ts';
import { openRaw } from './containers/raw-sectors.ts';
import { readSheetTracks } from './containers/read-sheet-tracks.ts';
import { readSheet, recogniseContainer } from './containers/recognise.ts';
import { readRvz } from './containers/rvz.ts';
import { readZip } from './containers/zip.ts';
import { readDisc } from './disc/read-disc.ts';
import { type Draft, findingProblems, newDraft } from './draft.ts';
import type { ImageBytes } from './image-bytes.ts';
import { openImageFile, type ReadBudget, readBudget } from './image-file.ts';

/**
 * What a file says it is, by its content: the name plays no part. Reads some tens of KiB, however large the file is and
 * whatever it says. Content that is damaged, cut or lying gives an identity with a `problem`; only what the system
 * cannot open or read is thrown, with its code (`ENOENT`, `EACCES`, `EIO`), and a refused `CatalogError` for what is no
 * regular file.
 */
export async function identifyFile(path: string): Promise<Identity> {
  const budget = readBudget();
  const file = await openImageFile(path, budget);
  try {
    const draft = newDraft();
    await findingProblems(draft, async () => {
      draft.container = await recogniseContainer(file);
      await readContainer(path, file, draft, budget);
    });
    return draft;
  } finally {
    await file.close();
  }
}

/** The disc in a file of one of the containers that can be read like a disc; null for the others. */
export async function openDisc(file: ImageBytes, container: Identity['container']) {
  switch (container) {
    case 'cso':
    case 'zso':
      return openCso(file);
    case 'dax':
      return openDax(file);
    case 'chd':
      return openChdDisc(file);
    case 'raw':
      return openRaw(file);
    case 'iso':
    case 'unknown':
      return file;
    default:
      return null;
  }
}

async function readContainer(path: string, file: ImageBytes, draft: Draft, budget: ReadBudget) {
  switch (draft.container) {
    case 'chd':
      return readChd(file, draft);
    case 'rvz':
    case 'wia':
      return readRvz(file, draft);
    case 'zip':
      return readZip(file, draft);
    case 'pbp':
      return readPbp(file, draft);
    case 'cue':
    case 'gdi': {
      const sheet = await readSheet(file);
      return readSheetTracks(dirname(path), sheet?.tracks ?? [], draft, budget);
    }
    default:
      return readImage(file, draft);
  }
}

async function readImage(file: ImageBytes, draft: Draft): Promise<void> {
  const isPlain = draft.container === 'unknown' || draft.container === 'raw';
  if (isPlain) draft.imageSize = file.size;
  const disc = await openDisc(file, draft.container);
  if (disc === null) return;
  draft.imageSize ??= disc.size;
  const isDisc = await readDisc(disc, draft);
  if (isDisc && draft.container === 'unknown') draft.container = 'iso';
}
