import { dirname } from 'node:path';
import type { Container, Identity } from '../core/library/identity.ts';
import { isCartridge } from '../core/library/packed.ts';
import { copiedFormat, HEAD } from './cartridges/recognise.ts';
import { readArchive } from './containers/archives/read-archive.ts';
import { openChdDisc, readChd } from './containers/chd.ts';
import { openCso } from './containers/cso.ts';
import { openDax } from './containers/dax.ts';
import { openGcz } from './containers/gcz.ts';
import { openNintendoCiso } from './containers/nintendo-ciso.ts';
import { readPbp } from './containers/pbp.ts';
import { openRaw } from './containers/raw-sectors.ts';
import { readSheetTracks } from './containers/read-sheet-tracks.ts';
import { readSheet, recogniseContainer } from './containers/recognise.ts';
import type { SparseImage } from './containers/sparse-image.ts';
import { openWbfs } from './containers/wbfs.ts';
import { openStartOfWbfs } from './containers/wbfs-part.ts';
import { openWdf } from './containers/wdf.ts';
import { readWia } from './containers/wia/header.ts';
import { readDisc } from './disc/read-disc.ts';
import { type Draft, findingProblems, newDraft } from './draft.ts';
import { type ImageBytes, readUpTo } from './image-bytes.ts';
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
    case 'gcz':
      return openGcz(file);
    case 'wbfs':
      return openWbfs(file);
    case 'ciso':
      return openNintendoCiso(file);
    case 'wdf':
      return openWdf(file);
    case 'nkit':
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
      await readWia(file, draft);
      return;
    case 'zip':
    case '7z':
    case 'rar':
    case 'tar':
    case 'gz':
    case 'xz':
    case 'zst':
      return readArchive(file, draft, readInner);
    case 'pbp':
      return readPbp(file, draft);
    case 'wbfs':
      return readSparse(await openWbfs(file), draft);
    case 'ciso':
      return readSparse(await openNintendoCiso(file), draft);
    case 'cue':
    case 'gdi':
    case 'm3u': {
      const sheet = await readSheet(file);
      draft.sheet = sheet?.files ?? [];
      if (draft.container === 'm3u') return;
      return readSheetTracks(dirname(path), sheet?.dataTracks ?? [], draft, budget);
    }
    default:
      if (draft.container === 'unknown' && (await readWbfsPart(path, draft, budget))) return;
      return readImage(file, draft);
  }
}

/** Whether a file goes on where a split WBFS ends, whose disc it then is. */
async function readWbfsPart(path: string, draft: Draft, budget: ReadBudget): Promise<boolean> {
  const start = await openStartOfWbfs(path, budget);
  try {
    if (start === null || (await recogniseContainer(start)) !== 'wbfs') return false;
    draft.container = 'wbfs';
    await readSparse(await openWbfs(start), draft);
    draft.unrestorable = 'it begins in another file';
    return true;
  } finally {
    await start?.close();
  }
}

/** Of a disc that is not all there the size is not known either. */
async function readSparse(disc: SparseImage, draft: Draft): Promise<void> {
  draft.unrestorable = disc.unrestorable;
  if (disc.unrestorable === undefined) draft.imageSize = disc.size;
  await readDisc(disc, draft);
}

/** What an image inside an archive says it is; archives inside archives, and sheets, say nothing. */
export async function readInner(image: ImageBytes): Promise<Draft> {
  const draft = newDraft();
  await findingProblems(draft, async () => {
    draft.container = await recogniseContainer(image);
    if (draft.container === 'pbp') await readPbp(image, draft);
    else if (draft.container === 'rvz' || draft.container === 'wia') await readWia(image, draft);
    else await readImage(image, draft);
  });
  return draft;
}

async function readImage(file: ImageBytes, draft: Draft): Promise<void> {
  const isPlain = draft.container === 'unknown' || draft.container === 'raw' || isCartridge(draft);
  if (isPlain) draft.imageSize = file.size;
  const disc = await openDisc(file, draft.container);
  if (disc === null) return;
  draft.imageSize ??= disc.size;
  const isDisc = await readDisc(disc, draft);
  if (draft.container !== 'unknown') return;
  draft.container = isDisc ? 'iso' : await copiedOr(file, 'unknown');
}

async function copiedOr(file: ImageBytes, other: Container): Promise<Container> {
  return copiedFormat(await readUpTo(file, 0, HEAD), file.size) ?? other;
}
