import type { KnownImage, VerifiedLibrary } from './ports.ts';
import type { Finding, VerifyOptions } from './verification.ts';
import type { VerifyRun } from './verify-run.ts';

/** Behind every path below a root: what is not known was looked for. */
const end = '\u{10ffff}';
/** Between a root and a path below it in a position; no path has it. */
const between = '\0';

/** Compares what lies below each root with what is known of it. */
export async function verifyLibrary(
  run: VerifyRun,
  library: VerifiedLibrary,
  options: VerifyOptions,
): Promise<void> {
  const [at = '', from = ''] = run.position.after.split(between);
  for (const root of await library.roots()) {
    if (root < at) continue;
    await verifyRoot(run, { root, from: root === at ? from : '', library, options });
  }
}

interface Root {
  readonly root: string;
  readonly from: string;
  readonly library: VerifiedLibrary;
  readonly options: VerifyOptions;
}

async function verifyRoot(run: VerifyRun, { root, from, library, options }: Root): Promise<void> {
  if (from === end) return;
  const find = (kind: Finding['kind'], path: string, reason: string) =>
    run.find({ part: 'library', kind, path, reason });
  const unreadable = new Map<string, string>();
  const there = await library
    .walk(root, (path, reason) => unreadable.set(path, reason))
    .catch((error: unknown) => {
      if (!(error instanceof Error)) throw error;
      return error.message;
    });
  if (typeof there === 'string') {
    find('missing', root, `the folder cannot be read: ${there}`);
    return run.left(`${root}${between}${end}`);
  }
  const known = new Set<string>();
  for (let after = ''; ; ) {
    const page = await library.known(root, after);
    for (const image of page) {
      known.add(image.path);
      if (image.path <= from) continue;
      const wrong = await wrongWith(image, there, run, { root, library, options });
      if (wrong !== null && !isBelow(image.path, unreadable)) find(...wrong);
      const isRead = image.sha1 !== null && there.has(image.path);
      await run.passed(`${root}${between}${image.path}`, isRead ? image.size : 0);
    }
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.path;
  }
  for (const [path, reason] of unreadable) find('unreadable', path, reason);
  for (const path of there.keys()) {
    if (!known.has(path)) find('extra', path, 'no scan has seen it');
  }
  await run.left(`${root}${between}${end}`);
}

async function wrongWith(
  image: KnownImage,
  there: ReadonlyMap<string, { size: number; mtimeNs: bigint }>,
  run: VerifyRun,
  { root, library, options }: Omit<Root, 'from'>,
): Promise<[kind: Finding['kind'], path: string, reason: string] | null> {
  const { path, size, mtimeNs, sha1 } = image;
  const now = there.get(path);
  if (now === undefined) return ['missing', path, 'it was scanned and is not there'];
  if (now.size !== size) {
    return ['changed', path, `it has ${now.size} bytes, ${size} when it was scanned`];
  }
  if (sha1 === null) {
    return now.mtimeNs === mtimeNs ? null : ['changed', path, 'it was written to since the scan'];
  }
  let bytes = 0;
  const onBytes = (more: number) => {
    bytes = Math.min(bytes + more, size);
    run.tell(path, bytes);
  };
  const { signal, rate } = options;
  const made = await library.sha1Of(root, path, { signal, rate, onBytes });
  if ('unreadable' in made) return ['unreadable', path, made.unreadable];
  if ('damaged' in made) return ['changed', path, made.damaged];
  if (made.sha1 === sha1) return null;
  const how = now.mtimeNs === mtimeNs ? 'at the same time: a disk changed it' : 'and its time';
  return ['changed', path, `its content is not that of the scan ${how}`];
}

/** Whether a path lies below a folder that could not be read, or is such a file. */
function isBelow(path: string, unreadable: ReadonlyMap<string, string>): boolean {
  if (unreadable.has(path)) return true;
  for (const folder of unreadable.keys()) if (path.startsWith(`${folder}/`)) return true;
  return false;
}
