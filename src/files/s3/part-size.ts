const mib = 2 ** 20;
const partsPerStep = 125;
const most = 1024 * mib;

/**
 * How large the part of this number, from 1 on, is at least: an object has at most 10,000 of them, none but its last below 5 MiB,
 * none above 5 GiB (S3, "multipart upload limits"); Swift takes 1,000 (`max_upload_part_num`). It doubles every 125, so that
 * 1,000 hold 249 GiB and 10,000 hold 9 TiB, and 20 GB are 532.
 */
export function partSize(number: number): number {
  return Math.min(8 * mib * 2 ** Math.floor((number - 1) / partsPerStep), most);
}

/** Numbers behind this one are refused by the store. */
export const lastPart = 10_000;
