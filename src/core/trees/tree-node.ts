import type { PictureSource } from './ports.ts';

/** A file or folder of a planned tree. */
export type TreeNode = FolderNode | FileNode;
export type FileNode = GameNode | PictureNode | TextNode;

export interface FolderNode {
  readonly kind: 'folder';
  /** The entries by name. They are ordered by name once the tree is complete. */
  readonly children: Map<string, TreeNode>;
  /** The newest modification time of the files directly in the folder, in milliseconds. */
  mtimeMs: number;
}

export interface GameNode {
  readonly kind: 'game';
  /** The id of the library file. */
  readonly id: number;
  /** Size of the library file in bytes; a rewritten sheet has another size. */
  readonly size: number;
  readonly mtimeNs: bigint;
  /** The names to write to a sheet; null for a file that is sent as it is. */
  readonly sheetNames: readonly string[] | null;
}

export interface PictureNode {
  readonly kind: 'picture';
  readonly source: PictureSource;
  readonly mtimeMs: number;
}

export interface TextNode {
  readonly kind: 'text';
  readonly bytes: Uint8Array;
  readonly sha1: string;
  readonly mtimeMs: number;
}

/** Returns the node at a path; null if there is none. */
export function findNode(root: FolderNode, path: readonly string[]): TreeNode | null {
  let node: TreeNode = root;
  for (const name of path) {
    if (node.kind !== 'folder') return null;
    // Some clients send names in another Unicode normal form than the listed one.
    const next: TreeNode | undefined =
      node.children.get(name) ?? node.children.get(name.normalize('NFC'));
    if (next === undefined) return null;
    node = next;
  }
  return node;
}

/** Returns the modification time of a file or folder, in milliseconds since 1970. */
export function mtimeMsOf(node: TreeNode): number {
  return node.kind === 'game' ? Number(node.mtimeNs / 1_000_000n) : node.mtimeMs;
}
