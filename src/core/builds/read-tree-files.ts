import { createHash } from 'node:crypto';
import type { BuildProblem } from './build-report.ts';
import type { LibrarySource, LibrarySources, TreePart } from './ports.ts';
import type { TreeFile } from './tree-file.ts';

/** Number of library files that are looked up together. */
const batchSize = 500;

/** Reads the files of a tree. The texts stay in memory, games and pictures do not. */
export async function readTreeFiles(
  parts: AsyncIterable<TreePart>,
  sources: LibrarySources,
  signal: AbortSignal,
): Promise<{ files: TreeFile[]; problems: BuildProblem[] }> {
  const files: TreeFile[] = [];
  const games: (TreePart & { kind: 'game' })[] = [];
  for await (const part of parts) {
    signal.throwIfAborted();
    if (part.kind === 'game') games.push(part);
    else files.push(part.kind === 'text' ? await textFile(part) : pictureFile(part));
  }
  const problems: BuildProblem[] = [];
  for (let at = 0; at < games.length; at += batchSize) {
    signal.throwIfAborted();
    const batch = games.slice(at, at + batchSize);
    const found = await sources.find(batch.map(({ file }) => file.id));
    for (const { path, file, sheetNames } of batch) {
      const source = found.get(file.id);
      if (source !== undefined) files.push(gameFile(path, source, sheetNames));
      else problems.push({ kind: 'failed', path, why: `This host does not have ${file.name}` });
    }
  }
  return { files, problems };
}

async function textFile({ path, content, list }: TreePart & { kind: 'text' }): Promise<TreeFile> {
  const pieces: Buffer[] = [];
  for await (const piece of content) pieces.push(Buffer.from(piece));
  const bytes = Buffer.concat(pieces);
  return {
    ...{ kind: 'text', path, keys: [`text:${sha1Of(bytes)}`], size: bytes.length, bytes },
    list: list && { ...list, isMerged: false, isForeign: false },
    merged: null,
  };
}

function sha1Of(content: string | Uint8Array): string {
  return createHash('sha1').update(content).digest('hex');
}

function pictureFile(part: TreePart & { kind: 'picture' }): TreeFile {
  const { path, version } = part;
  const keys = [`picture:${version}`];
  return { kind: 'picture', path, keys, size: 0, read: () => part.read() };
}

/**
 * A file keeps its record when it is moved in the library, and its content when it is recorded
 * anew, so it has a key of both.
 */
function gameFile(
  path: string,
  source: LibrarySource,
  sheetNames: readonly string[] | null,
): TreeFile {
  const { id, size, mtimeNs, sha1 } = source;
  const keys = [`file:${id}:${size}:${mtimeNs}`];
  if (sha1 !== null) keys.push(`sha1:${sha1}:${size}`);
  const form = sheetNames === null ? '' : ` names ${sha1Of(JSON.stringify(sheetNames))}`;
  return { kind: 'game', path, keys: keys.map((key) => key + form), size, source, sheetNames };
}
