import { readDisc } from '../../disc/read-disc.ts';
import type { Draft } from '../../draft.ts';
import type { ImageBytes } from '../../image-bytes.ts';
import { openRaw } from './raw-sectors.ts';
import { withoutSubchannels } from './strided.ts';

/** Opens the disc in an MDF as an image. An MDF is a raw image with subchannels. */
export async function openMdf(file: ImageBytes): Promise<ImageBytes | null> {
  return openRaw(withoutSubchannels(file));
}

/**
 * Identifies the disc in an MDF. Sets the image size to the total size of the sectors of 2352
 * bytes, without the subchannels.
 */
export async function readMdf(file: ImageBytes, draft: Draft): Promise<void> {
  draft.imageSize = withoutSubchannels(file).size;
  const disc = await openMdf(file);
  if (disc !== null) await readDisc(disc, draft);
}
