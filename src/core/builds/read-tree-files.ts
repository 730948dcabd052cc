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
  const games: { path: string; id: number; name: string }[] = [];
  for await (const part of parts) {
    signal.throwIfAborted();
    if (part.kind === 'game') games.push({ path: part.path, ...part.file });
    else files.push(part.kind === 'text' ? await textFile(part) : pictureFile(part));
  }
  const problems: BuildProblem[] = [];
  for (let at = 0; at < games.length; at += batchSize) {
    signal.throwIfAborted();
    const batch = games.slice(at, at + batchSize);
    const found = await sources.find(batch.map(({ id }) => id));
    for (const { path, id, name } of batch) {
      const source = found.get(id);
      if (source !== undefined) files.push(gameFile(path, source));
      else problems.push({ kind: 'failed', path, why: `This host does not have ${name}` });
    }
  }
  return { files, problems };
}

async function textFile({ path, content }: TreePart & { kind: 'text' }): Promise<TreeFile> {
  const pieces: Buffer[] = [];
  for await (const piece of content) pieces.push(Buffer.from(piece));
  const bytes = Buffer.concat(pieces);
  const sha1 = createHash('sha1').update(bytes).digest('hex');
  return { kind: 'text', path, keys: [`text:${sha1}`], size: bytes.length, bytes };
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
function gameFile(path: string, source: LibrarySource): TreeFile {
  const { id, size, mtimeNs, sha1 } = source;
  const keys = [`file:${id}:${size}:${mtimeNs}`];
  if (sha1 !== null) keys.push(`sha1:${sha1}:${size}`);
  return { kind: 'game', path, keys, size, source };
}
