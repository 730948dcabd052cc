import { type FileStat, hasChanged } from './file-stat.ts';
import type { KnownImage, VerifiedLibrary } from './ports.ts';
import type { Finding, VerifyOptions } from './verification.ts';
import type { VerifyRun } from './verify-run.ts';

/**
 * Maximum number of times that a file is compared if it is replaced during its verification. Each
 * comparison uses the newest record.
 */
const tries = 3;

interface Parts {
  readonly root: string;
  readonly library: VerifiedLibrary;
  readonly options: VerifyOptions;
}

type Difference = Pick<Finding, 'kind' | 'reason'>;

/**
 * Compares a library file with its record. `seen` is the state of the file that the walk of the
 * root found. Returns null when the file is unchanged since its scan, or no longer has a record.
 */
export async function compareImage(
  image: KnownImage,
  seen: FileStat | null,
  run: VerifyRun,
  parts: Parts,
): Promise<Finding | null> {
  const { root, library } = parts;
  const { path } = image;
  for (let known = image, file = seen, left = tries; ; left--) {
    const wrong = await findDifference(known, file, run, parts);
    if (wrong === null) return null;
    // The walk may have been hours ago. Meanwhile, the file may have been replaced and scanned
    // again.
    const knownNow = await library.knownOf(root, path);
    if (knownNow === null) return null;
    const fileNow = await library.find(root, path);
    if (fileNow !== null && 'unreadable' in fileNow) {
      return { part: 'library', kind: 'unreadable', path, reason: fileNow.unreadable };
    }
    const isScanned = hasChanged(knownNow, known) || knownNow.sha1 !== known.sha1;
    const isReplaced = isScanned || hasChanged(fileNow, file);
    if (left === 1 || !isReplaced) return { part: 'library', path, ...wrong };
    known = knownNow;
    file = fileNow;
  }
}

async function findDifference(
  image: KnownImage,
  now: FileStat | null,
  run: VerifyRun,
  { root, library, options }: Parts,
): Promise<Difference | null> {
  const { path, size, mtimeNs, sha1 } = image;
  if (now === null) return { kind: 'missing', reason: 'it was scanned and is not there' };
  if (now.size !== size) {
    return { kind: 'changed', reason: `it has ${now.size} bytes, ${size} when it was scanned` };
  }
  if (sha1 === null) {
    if (now.mtimeNs === mtimeNs) return null;
    return { kind: 'changed', reason: 'it was written to since the scan' };
  }
  let bytes = 0;
  const onBytes = (more: number) => {
    bytes = Math.min(bytes + more, size);
    run.reportProgress(path, bytes);
  };
  const { signal, rate } = options;
  const made = await library.sha1Of(root, path, { signal, rate, onBytes });
  if ('unreadable' in made) return { kind: 'unreadable', reason: made.unreadable };
  if ('damaged' in made) return { kind: 'changed', reason: made.damaged };
  if (made.sha1 === sha1) return null;
  const isSameTime = now.mtimeNs === mtimeNs;
  const how = isSameTime ? 'at the same time: a disk changed it' : 'and its time: it was replaced';
  return { kind: 'changed', reason: `its content is not that of the scan ${how}` };
}
