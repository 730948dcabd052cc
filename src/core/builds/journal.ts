import { type BuildEntry, fileKinds, type ListRecord, listForms } from './build-entry.ts';

/** The name of the journal in a target. */
export const journalName = '.catalog-build.jsonl';

/** The set and the device that a target was built for. */
export interface JournalHeader {
  /** The id of the set in its catalogue. */
  readonly setId: number;
  readonly set: string;
  /** The id of the profile. */
  readonly profile: string;
}

/** A change of a target. The journal records the change before it is made. */
export type JournalStep =
  | { readonly do: 'place'; readonly entry: BuildEntry }
  | {
      readonly do: 'rename';
      readonly path: string;
      readonly to: string;
      readonly keys: readonly string[];
    }
  | { readonly do: 'folder'; readonly path: string }
  | { readonly do: 'remove-folder'; readonly path: string };

/**
 * A line of a journal. Several steps may be recorded before the first of them is made. Each `done`
 * confirms the oldest step that is left, and each `failed` states that this step was not made.
 * `forget` states that a file no longer belongs to the build, because it was removed or changed.
 */
export type JournalLine =
  | { readonly do: 'begin'; readonly header: JournalHeader }
  | JournalStep
  | { readonly do: 'done' }
  | { readonly do: 'failed' }
  | { readonly do: 'forget'; readonly path: string };

type ListJson = Readonly<Record<'form' | 'tree' | 'names' | 'is_merged' | 'is_foreign', unknown>>;

/** The state of a target according to its journal. */
export class Journal {
  readonly entries = new Map<string, BuildEntry>();
  /** The folders that the build made. */
  readonly folders = new Set<string>();
  /** Null if no build has begun. */
  header: JournalHeader | null = null;
  /**
   * The changes of games that no list reflects yet, because a build may stop before it writes the
   * list. `former` contains the former paths of renamed files, by current path. `lost` contains the
   * paths of removed files.
   */
  readonly former = new Map<string, readonly string[]>();
  readonly lost = new Set<string>();
  /** The steps that are not confirmed yet, oldest first. Each step may have been made or not. */
  readonly pending: JournalStep[] = [];

  apply(line: JournalLine): void {
    switch (line.do) {
      case 'begin':
        this.header = line.header;
        break;
      case 'done': {
        const step = this.pending.shift();
        if (step !== undefined) this.#apply(step);
        break;
      }
      case 'failed':
        this.pending.shift();
        break;
      case 'forget':
        this.#lose(line.path);
        break;
      default:
        this.pending.push(line);
    }
  }

  #apply(step: JournalStep): void {
    switch (step.do) {
      case 'place':
        this.entries.set(step.entry.path, step.entry);
        this.#dropListedChanges(step.entry);
        break;
      case 'rename': {
        const entry = this.entries.get(step.path);
        this.entries.delete(step.path);
        if (entry) this.entries.set(step.to, { ...entry, path: step.to, keys: step.keys });
        const former = this.former.get(step.path) ?? [];
        this.former.delete(step.path);
        this.former.set(step.to, [...former, step.path]);
        break;
      }
      case 'folder':
        this.folders.add(step.path);
        break;
      case 'remove-folder':
        this.folders.delete(step.path);
    }
  }

  #lose(path: string): void {
    this.entries.delete(path);
    for (const each of [...(this.former.get(path) ?? []), path]) this.lost.add(each);
    this.former.delete(path);
  }

  /** Drops the changes that a newly written list reflects. */
  #dropListedChanges({ list }: BuildEntry): void {
    if (list === null) return;
    const isStated = (path: string) => path.startsWith(`${list.tree}/`);
    for (const path of this.lost) if (isStated(path)) this.lost.delete(path);
    for (const [path, former] of this.former) {
      const left = former.filter((each) => !isStated(each));
      if (left.length === 0) this.former.delete(path);
      else this.former.set(path, left);
    }
  }
}

/** Returns the text of a line, with its end. */
export function journalText(line: JournalLine): string {
  return `${JSON.stringify(jsonOf(line))}\n`;
}

function jsonOf(line: JournalLine): object {
  if (line.do === 'begin') {
    const { setId, set, profile } = line.header;
    return { do: 'begin', version: 1, set_id: setId, set, profile };
  }
  if (line.do !== 'place') return line;
  const { path, kind, keys, size, mtimeNs, inode, list } = line.entry;
  const facts = { size, mtime_ns: `${mtimeNs}`, inode: `${inode}` };
  return {
    do: 'place',
    path,
    kind,
    keys,
    ...facts,
    ...(list !== null && { list: listJson(list) }),
  };
}

function listJson({ form, tree, names, isMerged, isForeign }: ListRecord): object {
  return { form, tree, names, is_merged: isMerged, is_foreign: isForeign };
}

/** Reads a line without its end. Returns null if it is not a line of a journal. */
export function parseJournalLine(text: string): JournalLine | null {
  let json: Readonly<Record<string, unknown>>;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof json !== 'object' || json === null) return null;
  switch (json.do) {
    case 'done':
    case 'failed':
      return { do: json.do };
    case 'begin': {
      const { version, set_id: setId, set, profile } = json;
      const isKnown = version === 1 && typeof setId === 'number';
      if (!isKnown || typeof set !== 'string' || typeof profile !== 'string') return null;
      return { do: 'begin', header: { setId, set, profile } };
    }
    case 'rename': {
      const { path, to, keys } = json;
      return isTreePath(path) && isTreePath(to) && isTexts(keys)
        ? { do: 'rename', path, to, keys }
        : null;
    }
    case 'forget':
    case 'folder':
    case 'remove-folder':
      return isTreePath(json.path) ? { do: json.do, path: json.path } : null;
    case 'place':
      return parsePlace(json);
    default:
      return null;
  }
}

function parsePlace(json: Readonly<Record<string, unknown>>): JournalLine | null {
  const { path, keys, size, mtime_ns: mtime, inode } = json;
  const kind = fileKinds.find((each) => each === json.kind);
  if (!isTreePath(path) || kind === undefined || !isTexts(keys)) return null;
  if (typeof size !== 'number' || !isInteger(mtime) || !isInteger(inode)) return null;
  const facts = { size, mtimeNs: BigInt(mtime), inode: BigInt(inode) };
  const list = json.list === undefined ? null : listOf(json.list);
  return list === undefined ? null : { do: 'place', entry: { path, kind, keys, ...facts, list } };
}

/** Returns undefined if a value is not the record of a list. */
function listOf(value: unknown): ListRecord | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { tree, names, is_merged: isMerged, is_foreign: isForeign, ...json } = value as ListJson;
  const form = listForms.find((each) => each === json.form);
  if (form === undefined || !isTreePath(tree) || !isTexts(names)) return undefined;
  return { form, tree, names, isMerged: isMerged === true, isForeign: isForeign === true };
}

/**
 * Returns true for a relative path that stays below the target. A journal is in a folder that
 * others may write to, so its paths are not trusted.
 */
export function isTreePath(path: unknown): path is string {
  if (typeof path !== 'string' || path.includes('\0') || path.includes('\\')) return false;
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function isInteger(value: unknown): value is string {
  return typeof value === 'string' && /^-?[0-9]{1,20}$/.test(value);
}
