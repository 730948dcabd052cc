const mib = 2 ** 20;
const partsPerStep = 125;
const maxPartBytes = 1024 * mib;

/**
 * Returns the minimum size in bytes of the part with this number, counted from 1. An object has at
 * most 10,000 parts, each at most 5 GiB and all but the last at least 5 MiB (S3, "multipart upload
 * limits"). Swift accepts 1,000 parts (`max_upload_part_num`). The size doubles every 125 parts up
 * to 1 GiB. So 1,000 parts can contain 249 GiB, and 10,000 parts 9 TiB; 20 GB need 532 parts.
 */
export function partSize(number: number): number {
  return Math.min(8 * mib * 2 ** Math.floor((number - 1) / partsPerStep), maxPartBytes);
}

/** The last part number that the store accepts. */
export const lastPart = 10_000;
