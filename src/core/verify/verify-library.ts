import type { VerifiedLibrary } from './ports.ts';
import type { Finding, VerifyOptions } from './verification.ts';
import { compareImage } from './verify-image.ts';
import type { VerifyRun } from './verify-run.ts';

/**
 * A position after every path below a root. It marks a finished root: the files without a record
 * were listed too.
 */
const end = '\u{10ffff}';
/** Separates a root from a path below the root in a position. No path contains this character. */
const between = '\0';

/** Compares the files below each library root with their records. */
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
    run.addFinding({ part: 'library', kind, path, reason });
  const unreadable = new Map<string, string>();
  const there = await library
    .walk(root, (path, reason) => unreadable.set(path, reason))
    .catch((error: unknown) => {
      if (!(error instanceof Error)) throw error;
      return error.message;
    });
  if (typeof there === 'string') {
    find('missing', root, `the folder cannot be read: ${there}`);
    return run.moveTo(`${root}${between}${end}`);
  }
  const known = new Set<string>();
  for (let after = ''; ; ) {
    const page = await library.known(root, after);
    for (const image of page) {
      known.add(image.path);
      if (image.path <= from) continue;
      if (!isBelow(image.path, unreadable)) {
        const seen = there.get(image.path) ?? null;
        const finding = await compareImage(image, seen, run, { root, library, options });
        if (finding !== null) run.addFinding(finding);
      }
      const isRead = image.sha1 !== null && there.has(image.path);
      await run.advance(`${root}${between}${image.path}`, isRead ? image.size : 0);
    }
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.path;
  }
  const unknown = [...there.keys()].filter((path) => !known.has(path));
  const extra = await listExtra(unknown, { root, library, options });
  for (const [path, reason] of unreadable) find('unreadable', path, reason);
  for (const path of extra) find('extra', path, 'no scan has seen it');
  await run.moveTo(`${root}${between}${end}`);
}

/**
 * Returns those of the files that have no record, because no scan has seen them. The caller reports
 * them only after this function returns, because a verification interrupted before that lists all
 * of them again.
 */
async function listExtra(
  paths: readonly string[],
  { root, library, options }: Omit<Root, 'from'>,
): Promise<string[]> {
  const extra: string[] = [];
  for (const path of paths) {
    options.signal.throwIfAborted();
    if ((await library.knownOf(root, path)) !== null) continue;
    if ((await library.find(root, path)) !== null) extra.push(path);
  }
  return extra;
}

/** Returns true if the path is an unreadable file or folder, or is below an unreadable folder. */
function isBelow(path: string, unreadable: ReadonlyMap<string, string>): boolean {
  if (unreadable.has(path)) return true;
  for (const folder of unreadable.keys()) if (path.startsWith(`${folder}/`)) return true;
  return false;
}
