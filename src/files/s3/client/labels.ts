import type { Bucket } from './bucket.ts';

/** Key prefix of the labels. The rest of a label's key is the key of the labelled object. */
export const labelFolder = 'labels/';
/**
 * Maximum size of a label, in bytes. A name has at most 255 bytes, and JSON may encode each byte as
 * six characters.
 */
export const maxLabelBytes = 4_096;

/** Identifies the file of the catalogue that an object contains. */
export interface Label {
  readonly area: string;
  readonly name: string;
  /** Size of the labelled object, in bytes. */
  readonly size: number;
  readonly sha256: string;
  /** If two objects have the same name, the object with the later time is the file. */
  readonly mtimeNs: bigint;
}

export const labelKey = (key: string) => `${labelFolder}${key}`;

/**
 * Writes the label of an object, which is a small separate object with JSON. The label is not
 * metadata of the object. S3 requires metadata before the first byte, when the SHA-256 is unknown,
 * and changing metadata later would copy the object.
 */
export async function writeLabel(bucket: Bucket, key: string, label: Label): Promise<void> {
  const { area, name, size, sha256, mtimeNs } = label;
  const text = JSON.stringify({ area, name, size, sha256, mtime_ns: String(mtimeNs) });
  await bucket.put(labelKey(key), Buffer.from(`${text}\n`));
}

/** Parses a label. Returns null if the text is not a label of this object. */
export function readLabel(text: string, key: string): Label | null {
  let value: Record<string, unknown>;
  try {
    value = Object(JSON.parse(text));
  } catch {
    return null;
  }
  const { area, name, size, sha256, mtime_ns } = value;
  if (typeof area !== 'string' || !key.startsWith(`${area}/`) || typeof name !== 'string')
    return null;
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) return null;
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) return null;
  if (typeof mtime_ns !== 'string' || !/^\d{1,20}$/.test(mtime_ns)) return null;
  return { area, name, size, sha256, mtimeNs: BigInt(mtime_ns) };
}
