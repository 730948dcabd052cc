import { createHash } from 'node:crypto';
import { CatalogError, changedSinceScan, notFound } from '../shared/errors.ts';
import type { OpenedFile } from '../shared/files/file-area.ts';
import { contentTypeOf } from './content-type.ts';
import { keyOf, type MadeFiles, type MadeNode } from './made-files.ts';
import type { OpenedLibraryFile, TreeContents, TreeDownloads } from './ports.ts';
import { type FileNode, type FolderNode, findNode, mtimeMsOf, type TreeNode } from './tree-node.ts';

/** A file or folder of a tree. */
export interface TreeEntry {
  readonly name: string;
  readonly isFolder: boolean;
  /** Size in bytes; 0 for a folder. */
  readonly size: number;
  /** Modification time in milliseconds since 1970; 0 for a folder without files. */
  readonly mtimeMs: number;
  /** Strong entity tag, in quotes; "" for a folder. */
  readonly etag: string;
  /** Media type; "" for a folder. */
  readonly type: string;
}

/** An open file of a tree. The caller must send or close `file`. */
export interface OpenedTreeFile {
  readonly file: OpenedFile;
  /** Media type. */
  readonly type: string;
  /** The library file with its id; null for pictures and texts, and for rewritten sheets. */
  readonly library: (OpenedLibraryFile & { readonly id: number }) | null;
}

/**
 * The tree of a set on a device, with the same files as a build. Paths are lists of names, an empty
 * list for the tree itself.
 */
export class DeviceTree {
  readonly #root: FolderNode;
  readonly #made: MadeFiles;
  readonly #downloads: Pick<TreeDownloads, 'open'>;
  readonly #openBytes: TreeContents['openBytes'];

  constructor(parts: {
    root: FolderNode;
    made: MadeFiles;
    downloads: Pick<TreeDownloads, 'open'>;
    openBytes: TreeContents['openBytes'];
  }) {
    this.#root = parts.root;
    this.#made = parts.made;
    this.#downloads = parts.downloads;
    this.#openBytes = parts.openBytes;
  }

  /** Returns a file or folder; null if there is none, or if the file cannot be made. */
  async find(path: readonly string[]): Promise<TreeEntry | null> {
    const node = findNode(this.#root, path);
    return node && this.#entry(path.at(-1) ?? '', node);
  }

  /**
   * Yields the entries of a folder, ordered by name. A picture is made before it is listed for the
   * first time, because its size is unknown. Throws `not found` if the path is not a folder.
   */
  async *list(path: readonly string[]): AsyncGenerator<TreeEntry> {
    const folder = findNode(this.#root, path);
    if (folder?.kind !== 'folder') throw notFound();
    for (const [name, node] of folder.children) {
      const entry = await this.#entry(name, node);
      if (entry !== null) yield entry;
    }
  }

  /**
   * Opens a file. Throws `not found`, `changed since the last scan`, and the errors of
   * `LibraryDownloads.open`.
   */
  async open(path: readonly string[]): Promise<OpenedTreeFile> {
    const node = findNode(this.#root, path);
    const name = path.at(-1) ?? '';
    if (node === null || node.kind === 'folder') throw notFound();
    const type = contentTypeOf(name);
    if (node.kind === 'game' && node.sheetNames === null) {
      const { id, size, mtimeNs } = node;
      const { file, system } = await this.#downloads.open(id);
      if (file.size !== size || file.mtimeNs !== mtimeNs) {
        await file.close();
        throw changedSinceScan();
      }
      const opened = withEtag(file, etagOf(node, size));
      return { file: opened, type, library: { file, system, id } };
    }
    const bytes = node.kind === 'text' ? node.bytes : await this.#bytes(node);
    const etag = etagOf(node, bytes.byteLength);
    const mtimeNs =
      node.kind === 'game' ? node.mtimeNs : BigInt(Math.floor(node.mtimeMs)) * 1_000_000n;
    const metadata = { name, size: bytes.byteLength, mtimeNs, etag };
    return { file: this.#openBytes(bytes, metadata), type, library: null };
  }

  async #bytes(node: FileNode): Promise<Uint8Array> {
    if (!isMade(node)) throw notFound();
    try {
      const bytes = await this.#made.read(node);
      if (bytes !== null) return bytes;
    } catch (error) {
      const isChanged = error instanceof CatalogError && error.kind === 'changed';
      // If a cover was changed meanwhile, the next plan of the tree has the new version.
      if (isChanged) throw node.kind === 'game' ? changedSinceScan() : notFound();
      throw error;
    }
    throw notFound();
  }

  async #entry(name: string, node: TreeNode): Promise<TreeEntry | null> {
    const mtimeMs = mtimeMsOf(node);
    if (node.kind === 'folder') {
      return { name, isFolder: true, size: 0, mtimeMs, etag: '', type: '' };
    }
    const size = isMade(node) ? await this.#madeSize(node) : sizeOf(node);
    if (size === null) return null;
    return {
      name,
      isFolder: false,
      size,
      mtimeMs,
      etag: etagOf(node, size),
      type: contentTypeOf(name),
    };
  }

  /**
   * Returns the size of a made file. Returns null for a file that a build would not have. For a
   * sheet that cannot be read now, returns the recorded size, because clients that copy a tree
   * delete the files that are missing in a list.
   */
  async #madeSize(node: MadeNode): Promise<number | null> {
    try {
      return await this.#made.sizeOf(node);
    } catch (error) {
      if (node.kind === 'game' && isUnreadable(error)) return node.size;
      // While the object store is unavailable, the list fails, because many pictures are missing.
      const isPassing = error instanceof CatalogError && error.kind === 'busy';
      if (isPassing || !isUnreadable(error)) throw error;
      return null;
    }
  }
}

/** Returns true for errors of a file that cannot be read now. */
function isUnreadable(error: unknown): boolean {
  return error instanceof CatalogError || (error instanceof Error && 'errno' in error);
}

function isMade(node: FileNode): node is MadeNode {
  return node.kind === 'picture' || (node.kind === 'game' && node.sheetNames !== null);
}

function sizeOf(node: FileNode): number {
  if (node.kind === 'text') return node.bytes.byteLength;
  return node.kind === 'game' ? node.size : 0;
}

/** Returns an entity tag that changes with the bytes. */
function etagOf(node: FileNode, size: number): string {
  if (node.kind === 'text') return `"${node.sha1}"`;
  const key = isMade(node) ? keyOf(node) : `${node.id} ${node.size} ${node.mtimeNs}`;
  const digest = createHash('sha1').update(key).digest('base64url');
  return `"${digest}-${size.toString(36)}"`;
}

function withEtag(file: OpenedFile, etag: string): OpenedFile {
  return {
    ...{ name: file.name, size: file.size, mtimeNs: file.mtimeNs, etag },
    head: (length) => file.head(length),
    read: (buffer, position) => file.read(buffer, position),
    stream: (range) => file.stream(range),
    close: () => file.close(),
  };
}
