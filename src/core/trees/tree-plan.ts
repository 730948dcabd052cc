import { createHash } from 'node:crypto';
import { treeTooLarge } from '../shared/errors.ts';
import type { PictureSource, TreePart, TreeSources } from './ports.ts';
import { type FileNode, type FolderNode, findNode, mtimeMsOf, type TreeNode } from './tree-node.ts';

/** The files and folders of a tree, with an estimate of the memory that they need, in bytes. */
export interface TreePlan {
  readonly root: FolderNode;
  readonly weight: number;
}

/** Number of library files that are looked up together. */
const batchSize = 500;
/** Estimated memory of an entry without its name, and of a picture's source, in bytes. */
const nodeBytes = 240;
/** Estimated memory of a plan without entries, in bytes. */
export const planBytes = 1_024;
/**
 * The kinds of files. If several files have the same path, the later kind is used, as in a build.
 */
const kinds = ['text', 'picture', 'game'] as const;

interface PlanOptions {
  readonly sources: TreeSources;
  readonly signal: AbortSignal;
  /** The time of files that the previous tree did not have, in milliseconds since 1970. */
  readonly now: number;
  readonly maxWeight: number;
  /** The previous tree of the same set and device, whose unchanged files keep their times. */
  readonly previous: TreePlan | null;
}

/** Plans a tree. Throws `the tree is too large` if it needs more than `maxWeight` bytes. */
export async function planTree(
  parts: AsyncIterable<TreePart>,
  options: PlanOptions,
): Promise<TreePlan> {
  const builder = new TreeBuilder(options);
  let games: (TreePart & { kind: 'game' })[] = [];
  const addGames = async () => {
    const found = await options.sources.find(games.map(({ file }) => file.id));
    for (const { path, file, sheetNames } of games) {
      const source = found.get(file.id);
      if (source === undefined) continue;
      const { size, mtimeNs } = source;
      builder.add(path, { kind: 'game', id: file.id, size, mtimeNs, sheetNames });
    }
    games = [];
  };
  for await (const part of parts) {
    options.signal.throwIfAborted();
    if (part.kind === 'text') builder.addText(part.path, await builder.read(part.content));
    else if (part.kind === 'picture') builder.addPicture(part.path, part.source);
    else if (games.push(part) === batchSize) await addGames();
  }
  if (games.length > 0) await addGames();
  return builder.finish();
}

class TreeBuilder {
  readonly #root: FolderNode = newFolder();
  readonly #options: PlanOptions;
  /** The folder of the last path. The next path is usually in the same folder. */
  #last: { readonly path: string; readonly folder: FolderNode } | null = null;
  #weight = planBytes;

  constructor(options: PlanOptions) {
    this.#options = options;
  }

  add(path: string, file: FileNode): void {
    const end = path.lastIndexOf('/');
    const folder = this.#folder(path.slice(0, Math.max(end, 0)));
    if (folder === null) return;
    const name = path.slice(end + 1);
    const taken = folder.children.get(name);
    if (taken !== undefined && !(rankOf(file) > rankOf(taken))) return;
    folder.children.set(name, file);
    folder.mtimeMs = Math.max(folder.mtimeMs, mtimeMsOf(file));
    this.#weighEntry(name);
  }

  /** Returns the bytes of a text, and adds their weight. */
  async read(content: AsyncIterable<string>): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of content) {
      const bytes = Buffer.from(piece);
      this.#weigh(bytes.byteLength);
      pieces.push(bytes);
    }
    return Buffer.concat(pieces);
  }

  addText(path: string, bytes: Uint8Array): void {
    const sha1 = createHash('sha1').update(bytes).digest('base64url');
    const before = this.#previous(path);
    const isSame = before?.kind === 'text' && before.sha1 === sha1;
    const mtimeMs = isSame ? before.mtimeMs : this.#options.now;
    this.add(path, { kind: 'text', bytes, sha1, mtimeMs });
  }

  addPicture(path: string, source: PictureSource): void {
    const before = this.#previous(path);
    const isSame = before?.kind === 'picture' && before.source.tag === source.tag;
    const mtimeMs = isSame ? before.mtimeMs : this.#options.now;
    this.add(path, { kind: 'picture', source, mtimeMs });
  }

  /** Returns the tree with its entries ordered by name. */
  finish(): TreePlan {
    orderByName(this.#root);
    return { root: this.#root, weight: this.#weight };
  }

  /**
   * Returns the folder at a path, and creates missing folders. Returns null if a file has the name
   * of one of the folders.
   */
  #folder(path: string): FolderNode | null {
    if (this.#last?.path === path) return this.#last.folder;
    let folder = this.#root;
    for (const name of path === '' ? [] : path.split('/')) {
      let next = folder.children.get(name);
      if (next === undefined) {
        next = newFolder();
        folder.children.set(name, next);
        this.#weighEntry(name);
      }
      if (next.kind !== 'folder') return null;
      folder = next;
    }
    this.#last = { path, folder };
    return folder;
  }

  #previous(path: string): TreeNode | null {
    const { previous } = this.#options;
    return previous && findNode(previous.root, path.split('/'));
  }

  #weighEntry(name: string): void {
    this.#weigh(nodeBytes + 2 * name.length);
  }

  #weigh(bytes: number): void {
    this.#weight += bytes;
    if (this.#weight > this.#options.maxWeight) throw treeTooLarge();
  }
}

function newFolder(): FolderNode {
  return { kind: 'folder', children: new Map(), mtimeMs: 0 };
}

function rankOf(node: TreeNode): number {
  return node.kind === 'folder' ? kinds.length : kinds.indexOf(node.kind);
}

function orderByName(folder: FolderNode): void {
  const entries = [...folder.children].sort(([one], [other]) => (one < other ? -1 : 1));
  folder.children.clear();
  for (const [name, node] of entries) {
    folder.children.set(name, node);
    if (node.kind === 'folder') orderByName(node);
  }
}
