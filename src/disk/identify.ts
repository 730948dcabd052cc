import { basename, dirname } from 'node:path';
import { isCartridge } from '../core/library/container-kinds.ts';
import type { Container, Identity } from '../core/library/identity.ts';
import { copiedFormat, HEAD } from './cartridges/recognise.ts';
import { isArchive, readArchive } from './containers/archives/read-archive.ts';
import { cdiTracks } from './containers/burners/cdi.ts';
import { openEcm } from './containers/burners/ecm.ts';
import { nrgTracks } from './containers/burners/nrg.ts';
import { openRaw } from './containers/burners/raw-sectors.ts';
import { withoutSubchannels } from './containers/burners/strided.ts';
import { readTracks } from './containers/burners/tracked-image.ts';
import { openChdDisc, readChd } from './containers/chd/chd.ts';
import { openCso } from './containers/cso.ts';
import { openDax } from './containers/dax.ts';
import { openGcz } from './containers/nintendo/gcz.ts';
import { openNintendoCiso } from './containers/nintendo/nintendo-ciso.ts';
import type { SparseImage } from './containers/nintendo/sparse-image.ts';
import { openWbfs } from './containers/nintendo/wbfs.ts';
import { goesOnElsewhere, openStartOfWbfs } from './containers/nintendo/wbfs-part.ts';
import { openWdf } from './containers/nintendo/wdf.ts';
import { readPbp } from './containers/pbp.ts';
import { openPsxDisc } from './containers/psx-pbp.ts';
import { readSheet, recogniseContainer, recogniseFile } from './containers/recognise.ts';
import { mdsSheet } from './containers/sheets/mds.ts';
import { readSheetTracks } from './containers/sheets/read-sheet-tracks.ts';
import { laterPart, openWithParts } from './containers/split-images.ts';
import { readWia } from './containers/wia/header.ts';
import { readDisc } from './disc/read-disc.ts';
import { type Draft, findingProblems, newDraft } from './draft.ts';
import { type ImageBytes, readUpTo } from './image-bytes.ts';
import { type ReadBudget, readBudget } from './image-file.ts';
import { readAhead } from './read-ahead.ts';

/**
 * Size of the pieces that are read ahead from an ECM, in bytes. The ECM reader requests only a few
 * bytes at a time.
 */
const ECM_PIECE = 64 * 1024;

/**
 * Identifies a file by its content. The name is used only for files that belong together, such as
 * the parts of a split file. Usually reads tens of KiB, and never more than the read budget. If the
 * content is damaged, truncated or false, returns an identity with a `problem`.
 *
 * Throws the operating system's error with its code (`ENOENT`, `EACCES`, `EIO`) if the file cannot
 * be opened or read. Throws a refused `CatalogError` if the path is not a regular file. For
 * `beforeMany`, see `Disk.identify`.
 */
export async function identifyFile(
  path: string,
  beforeMany?: () => Promise<void>,
): Promise<Identity> {
  const budget = readBudget();
  const file = await openWithParts(path, budget);
  try {
    const draft = newDraft();
    if ((await laterPart(path)) !== null) {
      return { ...draft, container: 'part', unrestorable: 'it goes on from another file' };
    }
    await findingProblems(draft, async () => {
      draft.container = await recogniseFile(file);
      await readContainer(path, file, draft, { budget, beforeMany });
    });
    if (file.parts.length > 0) noteParts(file.parts, draft);
    return draft;
  } finally {
    await file.close();
  }
}

function noteParts(parts: readonly string[], draft: Draft): void {
  draft.sheet = parts.map((ending) => ({ name: `*${ending}`, tracks: [] }));
  if (!isArchive(draft.container)) return;
  draft.unrestorable = 'it is an archive in parts, which is not unpacked';
  draft.problem ??= draft.unrestorable;
}

/**
 * Opens the disc in a file as an image. Returns null for a container whose disc cannot be opened in
 * this way.
 */
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
    case 'mdf':
      return openRaw(withoutSubchannels(file));
    case 'ecm': {
      const image = openEcm(readAhead(file, ECM_PIECE));
      return (await openRaw(image)) ?? image;
    }
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

async function readContainer(
  path: string,
  file: ImageBytes,
  draft: Draft,
  { budget, beforeMany }: { budget: ReadBudget; beforeMany: (() => Promise<void>) | undefined },
) {
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
      return readArchive(file, draft, readInner, beforeMany);
    case 'pbp':
      await readPbp(file, draft);
      draft.imageSize = (await openPsxDisc(file))?.size ?? null;
      return;
    case 'wbfs':
      await readSparse(await openWbfs(file), draft);
      if (await goesOnElsewhere(path)) draft.unrestorable ??= 'it goes on in another file';
      return;
    case 'ciso':
      return readSparse(await openNintendoCiso(file), draft);
    case 'nrg':
      return readTracks(file, await nrgTracks(file), draft);
    case 'cdi':
      return readTracks(file, await cdiTracks(file), draft);
    case 'cue':
    case 'gdi':
    case 'ccd':
    case 'mds':
    case 'm3u': {
      const sheet = draft.container === 'mds' ? await mdsSheet(file) : await readSheet(file);
      draft.sheet = sheet?.files ?? [];
      if (draft.container === 'm3u') return;
      const own = basename(path).replace(/\.[^.]*$/, '');
      const tracks = (sheet?.dataTracks ?? []).map((track) => {
        return { ...track, file: track.file.replace(/^\*(?=\.)/, () => own) };
      });
      return readSheetTracks(dirname(path), tracks, draft, budget);
    }
    default:
      if (draft.container === 'unknown' && (await readWbfsPart(path, draft, budget))) return;
      return readImage(file, draft);
  }
}

/**
 * Returns true if a file is a later file of a split WBFS. In this case, identifies the disc from
 * the first file of the WBFS.
 */
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

/**
 * Identifies a disc in an image that may lack blocks. Sets the size of the disc only if the image
 * is complete.
 */
async function readSparse(disc: SparseImage, draft: Draft): Promise<void> {
  draft.unrestorable = disc.unrestorable;
  if (disc.unrestorable === undefined) draft.imageSize = disc.size;
  await readDisc(disc, draft);
}

/** Identifies an image inside an archive. Nested archives and sheets are not identified. */
export async function readInner(image: ImageBytes): Promise<Draft> {
  const draft = newDraft();
  await findingProblems(draft, async () => {
    draft.container = await recogniseContainer(image);
    if (draft.container === 'pbp') await readPbp(image, draft);
    else if (draft.container === 'rvz' || draft.container === 'wia') await readWia(image, draft);
    else if (draft.container === 'wbfs') await readSparse(await openWbfs(image), draft);
    else if (draft.container === 'ciso') await readSparse(await openNintendoCiso(image), draft);
    else await readImage(image, draft);
  });
  return draft;
}

async function readImage(file: ImageBytes, draft: Draft): Promise<void> {
  const isPlain = draft.container === 'unknown' || draft.container === 'raw' || isCartridge(draft);
  if (isPlain) draft.imageSize = file.size;
  if (draft.container === 'mdf') draft.imageSize = withoutSubchannels(file).size;
  const disc = await openDisc(file, draft.container);
  if (disc === null) return;
  if (draft.container !== 'ecm') draft.imageSize ??= disc.size;
  const isDisc = await readDisc(disc, draft);
  if (draft.container !== 'unknown') return;
  draft.container = isDisc ? 'iso' : await copiedOr(file, 'unknown');
}

async function copiedOr(file: ImageBytes, other: Container): Promise<Container> {
  return copiedFormat(await readUpTo(file, 0, HEAD), file.size) ?? other;
}
