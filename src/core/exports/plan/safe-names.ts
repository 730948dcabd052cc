import { createHash } from 'node:crypto';
import type { FileSystem } from '../profiles/profile.ts';

/** Maximum length of a file name in bytes of UTF-8 (ext4); FAT allows 255 characters. */
export const maxNameBytes = 255;

/** Characters that FAT and exFAT forbid in names (Microsoft, exFAT specification, table 35). */
const fatCharacters = /["*/:<>?\\|]/g;
/**
 * A slash separates folders, and so does a backslash in zips and in programs of Windows. In a
 * playlist, RetroArch takes a `|` as the start of a label (libretro-common, m3u_file.c).
 */
const posixCharacters = /[/\\|]/g;
/** Names of devices, which Windows refuses on every file system. */
const deviceName = /^(?:con|prn|aux|nul|com[1-9]|lpt[1-9])$/i;

/**
 * Returns a name that a file system accepts. Forbidden characters become `_`. Spaces at the start
 * and the end are removed, because front ends ignore them. A name that would be hidden gets a `_`.
 * `extension` has no dot, and is "" for a folder.
 */
export function safeName(stem: string, extension: string, fileSystem: FileSystem): string {
  const end = extension === '' ? '' : `.${extension}`;
  return `${shortened(safeStem(stem, fileSystem), Buffer.byteLength(end))}${end}`;
}

function safeStem(stem: string, fileSystem: FileSystem): string {
  const forbidden = fileSystem === 'posix' ? posixCharacters : fatCharacters;
  const text = stem
    .toWellFormed()
    .replace(/[\x00-\x1f\x7f]/g, '')
    .replace(forbidden, '_')
    .trim();
  const name = fileSystem === 'posix' ? text : withoutTrailingDots(text);
  return name === '' || name.startsWith('.') || deviceName.test(name) ? `_${name}` : name;
}

function withoutTrailingDots(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === '.' || text[end - 1] === ' ')) end -= 1;
  return text.slice(0, end);
}

/** Shortens a name that is too long. A digest of the whole name distinguishes shortened names. */
function shortened(stem: string, endBytes: number): string {
  if (Buffer.byteLength(stem) + endBytes <= maxNameBytes) return stem;
  const digest = createHash('sha256').update(stem).digest('hex').slice(0, 8);
  let kept = '';
  let left = maxNameBytes - endBytes - digest.length - 1;
  for (const character of stem) {
    left -= Buffer.byteLength(character);
    if (left < 0) break;
    kept += character;
  }
  return `${kept.trimEnd()}~${digest}`;
}

/** Returns true if a file system accepts this name unchanged. */
export function isSafeName(name: string, fileSystem: FileSystem): boolean {
  return Buffer.byteLength(name) <= maxNameBytes && safeStem(name, fileSystem) === name;
}

/** Returns the name without its extension, and the extension without its dot, in lower case. */
export function splitName(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.');
  if (dot <= 0) return { stem: name, extension: '' };
  return { stem: name.slice(0, dot), extension: name.slice(dot + 1).toLowerCase() };
}

/** The names that are taken in one folder. On FAT, names that differ in case only are the same. */
export class TakenNames {
  readonly #fileSystem: FileSystem;
  readonly #taken = new Set<string>();
  /** The next number to try for a name, so that many equal names take no long search. */
  readonly #numbers = new Map<string, number>();

  constructor(fileSystem: FileSystem) {
    this.#fileSystem = fileSystem;
  }

  has(name: string): boolean {
    return this.#taken.has(this.#keyOf(name));
  }

  add(name: string): void {
    this.#taken.add(this.#keyOf(name));
  }

  /** Returns a name that is not taken: this one, or the first free one such as `Game (2).iso`. */
  free(stem: string, extension: string): string {
    const first = safeName(stem, extension, this.#fileSystem);
    if (!this.has(first)) return first;
    const key = this.#keyOf(first);
    for (let number = this.#numbers.get(key) ?? 2; ; number += 1) {
      const name = safeName(`${stem} (${number})`, extension, this.#fileSystem);
      if (this.has(name)) continue;
      this.#numbers.set(key, number + 1);
      return name;
    }
  }

  #keyOf(name: string): string {
    return this.#fileSystem === 'posix' ? name : name.normalize('NFC').toLowerCase();
  }
}
