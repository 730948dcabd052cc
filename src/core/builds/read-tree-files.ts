import { createHash } from 'node:crypto';
import type { BuildProblem } from './build-report.ts';
import type { LibrarySource, LibrarySources, TreePart } from './ports.ts';
import type { TreeFile } from './tree-file.ts';

type GamePart = TreePart & { readonly kind: 'game' };

/** Number of library files that are looked up together. */
const batchSize = 500;

/**
 * Reads the files of a tree. Only the content of texts is held in memory. `lacking` contains the
 * paths of games that this host cannot read. Each of these paths is also in `problems`.
 */
export async function readTreeFiles(
  parts: AsyncIterable<TreePart>,
  sources: LibrarySources,
  signal: AbortSignal,
): Promise<{ files: TreeFile[]; problems: BuildProblem[]; lacking: string[] }> {
  const files: TreeFile[] = [];
  const games: GamePart[] = [];
  for await (const part of parts) {
    signal.throwIfAborted();
    if (part.kind === 'game') games.push(part);
    else files.push(part.kind === 'text' ? await textFile(part) : pictureFile(part));
  }
  const problems: BuildProblem[] = [];
  const ordered = inArchiveOrder(games);
  for (let at = 0; at < ordered.length; at += batchSize) {
    signal.throwIfAborted();
    const batch = ordered.slice(at, at + batchSize);
    const found = await sources.find(batch.map(({ file }) => file.id));
    for (const part of batch) {
      const { path, file } = part;
      const source = found.get(file.id);
      if (source !== undefined) files.push(gameFile(part, source));
      else problems.push({ kind: 'failed', path, why: `This host does not have ${file.name}` });
    }
  }
  return { files, problems, lacking: problems.map(({ path }) => path) };
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
 * Sorts the files of each archive by their index in the archive, so that a build unpacks the
 * archive only once. The files of an archive must already follow one another.
 */
function inArchiveOrder(games: readonly GamePart[]): GamePart[] {
  const ordered: GamePart[] = [];
  for (let at = 0; at < games.length; ) {
    const id = games[at]?.file.id;
    let end = at + 1;
    while (end < games.length && games[end]?.file.id === id) end += 1;
    const indexOf = ({ file }: GamePart) => file.member?.index ?? 0;
    ordered.push(...games.slice(at, end).sort((a, b) => indexOf(a) - indexOf(b)));
    at = end;
  }
  return ordered;
}

/**
 * Returns a game as a file of the tree. The file has a key of its record, which does not change
 * when the file is moved in the library. It also has a key of its content, which does not change
 * when the file gets a new record.
 */
function gameFile(
  { path, file: { member }, sheetNames, memberNames }: GamePart,
  source: LibrarySource,
): TreeFile {
  const { id, mtimeNs } = source;
  const size = member?.size ?? source.size;
  const sha1 = member === null ? source.sha1 : member.sha1;
  const place = member === null ? '' : ` member ${member.index} ${size} ${member.crc32}`;
  const keys = [`file:${id}:${source.size}:${mtimeNs}${place}`];
  if (sha1 !== null) keys.push(`sha1:${sha1}:${size}`);
  const names = sheetNames ?? memberNames;
  const form = names === null ? '' : ` names ${sha1Of(JSON.stringify(names))}`;
  const packed = member && { member, names: memberNames };
  return {
    ...{ kind: 'game', path, keys: keys.map((key) => key + form), size, source, sheetNames },
    packed,
  };
}
