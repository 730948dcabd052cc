import { isCartridge } from '../core/library/container-kinds.ts';
import type { KnownContainer } from '../core/library/containers.ts';
import type { Identity } from '../core/library/identity.ts';
import { copierFormat, HEAD } from './cartridges/recognise.ts';
import { isArchive, readArchive } from './containers/archives/read-archive.ts';
import type { FileContext } from './containers/container-format.ts';
import { formatOf, openDisc, splitContainers } from './containers/container-readers.ts';
import { recogniseContainer, recogniseFile } from './containers/recognise.ts';
import { laterPart, openWithParts } from './containers/split-images.ts';
import { readDisc } from './disc/read-disc.ts';
import { type Draft, newDraft, recordProblem } from './draft.ts';
import { type ImageBytes, readUpTo } from './image-bytes.ts';
import { readBudget } from './image-file.ts';

/**
 * Identifies a file by its content. The name is used only for files that belong together, such as
 * the parts of a split file. Usually reads tens of KiB, and never more than the read budget. If the
 * content is damaged, truncated or false, returns an identity with a `problem`.
 *
 * Throws the operating system's error with its code (`ENOENT`, `EACCES`, `EIO`) if the file cannot
 * be opened or read. Throws a `CatalogError` of kind `refused` if the path is not a regular file.
 * For `beforeMany`, see `Disk.identify`.
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
    await recordProblem(draft, async () => {
      draft.container = await recogniseFile(file);
      await readContainer(file, draft, { path, budget, beforeMany });
    });
    if (file.parts.length > 0) recordParts(file.parts, draft);
    return draft;
  } finally {
    await file.close();
  }
}

function recordParts(parts: readonly string[], draft: Draft): void {
  draft.sheet = parts.map((ending) => ({ name: `*${ending}`, tracks: [] }));
  if (!isArchive(draft.container)) return;
  draft.unrestorable = 'it is an archive in parts, which is not unpacked';
  draft.problem ??= draft.unrestorable;
}

async function readContainer(
  file: ImageBytes,
  draft: Draft,
  { beforeMany, ...place }: FileContext & { beforeMany: (() => Promise<void>) | undefined },
): Promise<void> {
  const { container } = draft;
  if (isArchive(container)) return readArchive(file, draft, readInner, beforeMany);
  if (container === 'unknown' && (await readLaterPart(place, draft))) return;
  const { read = readImage } = formatOf(container);
  await read(file, draft, place);
}

/**
 * Returns true if a file is a later file of a split image, such as a WBFS. In this case, identifies
 * the disc from the first file of the image.
 */
async function readLaterPart({ path, budget }: FileContext, draft: Draft): Promise<boolean> {
  for (const { container, openFirstPart, readInner: read } of splitContainers) {
    const start = await openFirstPart(path, budget);
    try {
      if (start === null || (await recogniseContainer(start)) !== container) continue;
      draft.container = container;
      await read(start, draft);
      draft.unrestorable = 'it begins in another file';
      return true;
    } finally {
      await start?.close();
    }
  }
  return false;
}

/** Identifies an image inside an archive. Nested archives and sheets are not identified. */
export async function readInner(image: ImageBytes): Promise<Draft> {
  const draft = newDraft();
  await recordProblem(draft, async () => {
    draft.container = await recogniseContainer(image);
    const { readInner: read = readImage } = formatOf(draft.container);
    await read(image, draft);
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
  draft.container = isDisc ? 'iso' : await copierFormatOr(file, 'unknown');
}

async function copierFormatOr(file: ImageBytes, other: KnownContainer): Promise<KnownContainer> {
  return copierFormat(await readUpTo(file, 0, HEAD), file.size) ?? other;
}
