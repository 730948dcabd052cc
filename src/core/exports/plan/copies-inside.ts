import { memberKey } from '../../shared/names/member-key.ts';
import type { FileSystem } from '../profiles/profile.ts';
import type { ExportArchive, ExportFile, ExportRom } from './export-release.ts';
import { type Copy, sheetContainers, type Track } from './release-copy.ts';
import { safeName, splitName } from './safe-names.ts';

type Member = ExportArchive['members'][number];

/** The copies of a release in an archive. `why` is a sentence if the archive has none. */
export interface CopiesInside {
  readonly copies: readonly Copy[];
  readonly why: string | null;
}

/**
 * Returns the copies of a release that can be taken out of an archive. A sheet in an archive is not
 * read for the plan, but is assumed to belong to all images of the same disc.
 */
export function copiesInside(
  file: ExportFile,
  roms: readonly ExportRom[],
  fileSystem: FileSystem,
): CopiesInside {
  const { archive, problem } = file;
  if (archive === null) return { copies: [], why: null };
  if (file.sheet.length > 0) return none('It is an archive in parts, which is not unpacked');
  if (problem !== null && !archive.isHashed) return none(sentence(problem));
  const isKnown = archive.members.every(({ crc32, sha1 }) => crc32 !== null || sha1 !== null);
  if (!isKnown || archive.members.length === 0) {
    return none('Its content has no checksums yet: scan the library again, with hashes');
  }
  const named = romsOf(archive.members, roms);
  const files = archive.members.map((member) => {
    return { ...memberFile(file, member, named.get(member)), isImage: member.isImage };
  });
  const sheets = files.filter(({ container }) => sheetContainers.has(container));
  const images = files.filter((each) => each.isImage && !sheetContainers.has(each.container));
  const exact = images.filter(({ isExact }) => isExact);
  const isWhole =
    exact.length > 0 && exact.length === roms.filter(({ name }) => !isSheet(name)).length;
  // An archive may have files of other discs, and files that no DAT lists.
  const wanted = isWhole || !archive.isOneDisc ? exact : images;
  const wantedSheets = archive.isOneDisc ? sheets : sheets.filter(({ isExact }) => isExact);
  const [only] = wanted;
  if (only === undefined) {
    return none(images.length === 0 ? 'It contains no image' : severalImages(images.length));
  }
  if (wantedSheets.length === 0) {
    if (wanted.length > 1) return none(severalImages(images.length));
    return { copies: [copyOf(only, [])], why: null };
  }
  if (wantedSheets.length > 1 && wanted.length > 1 && !archive.isOneDisc) {
    return none(severalImages(images.length));
  }
  const names = new Set(wanted.map(({ name }) => memberKey(name)));
  if (names.size < wanted.length) return none('It contains several files with the same name');
  const byName = new Map(files.map((each) => [memberKey(each.name), each]));
  const copies = wantedSheets
    .map((sheet) => copyOf(sheet, tracksOf(sheet, { byName, wanted, fileSystem })))
    .filter(({ tracks }) => tracks.length > 0);
  return { copies, why: copies.length === 0 ? 'Its sheet has no image of the same name' : null };
}

const none = (why: string): CopiesInside => ({ copies: [], why });

const severalImages = (count: number) =>
  count === 1 ? 'Its image is not the one of this release' : `It contains ${count} images`;

function sentence(problem: string): string {
  return problem.charAt(0).toUpperCase() + problem.slice(1);
}

function copyOf(main: ExportFile, tracks: readonly Track[]): Copy {
  return { main, extension: extensionOf(main), tracks };
}

/**
 * Returns the extension of a file in the tree. A file with the bytes of a ROM gets the extension of
 * the ROM.
 */
export function extensionOf({ name, canonical, isExact }: ExportFile): string {
  const own = splitName(name).extension;
  if (!isExact || canonical === null) return own;
  return splitName(canonical).extension || own;
}

/**
 * Returns the ROM of each member, found by CRC-32 and size. Tracks with the same bytes match the
 * same ROMs. So each ROM is assigned only once, first to a member with the same name.
 */
function romsOf(
  members: readonly Member[],
  roms: readonly ExportRom[],
): ReadonlyMap<Member, ExportRom> {
  const open = new Map<string, ExportRom[]>();
  for (const rom of roms) {
    if (rom.crc32 === '') continue;
    const key = `${rom.crc32}:${rom.size}`;
    open.set(key, [...(open.get(key) ?? []), rom]);
  }
  const found = new Map<Member, ExportRom>();
  for (const isByName of [true, false]) {
    for (const member of members) {
      const left = open.get(`${member.crc32}:${member.size}`);
      if (left === undefined || found.has(member)) continue;
      const name = baseName(member.name).toLowerCase();
      const index = isByName ? left.findIndex((rom) => rom.name.toLowerCase() === name) : 0;
      const [rom] = index < 0 ? [] : left.splice(index, 1);
      if (rom !== undefined) found.set(member, rom);
    }
  }
  return found;
}

/** Returns a member in the form of a file of the library. */
function memberFile(archive: ExportFile, member: Member, rom: ExportRom | undefined): ExportFile {
  const { isImage: _, ...own } = member;
  // A gzip file may state no name. The member then has the name of the archive, without its
  // extension.
  const name = baseName(member.name) || splitName(archive.name).stem;
  const { extension } = splitName(name);
  return {
    ...archive,
    name,
    folder: '',
    size: member.size,
    container: sheetContainers.has(extension) ? extension : 'unknown',
    canonical: rom?.name ?? null,
    isExact: rom !== undefined,
    sheet: [],
    inside: null,
    archive: null,
    member: own,
  };
}

/** Returns the files that belong to a sheet; none if it has no image. */
function tracksOf(
  sheet: ExportFile,
  parts: {
    byName: ReadonlyMap<string, ExportFile>;
    wanted: readonly ExportFile[];
    fileSystem: FileSystem;
  },
): Track[] {
  const { byName, wanted, fileSystem } = parts;
  if (sheet.container === 'cue' || sheet.container === 'gdi') {
    return wanted.map((file) => {
      const { stem, extension } = splitName(file.name);
      return { name: safeName(stem, extension, fileSystem), isNamedAsSheet: false, file };
    });
  }
  const { stem } = splitName(sheet.name);
  const named = (ending: string) => {
    const name = `${stem}.${ending}`;
    const file = byName.get(memberKey(name));
    return file === undefined ? [] : [{ name, isNamedAsSheet: true, file }];
  };
  const image = named(sheet.container === 'ccd' ? 'img' : 'mdf');
  return image.length === 0 || sheet.container === 'mds' ? image : [...image, ...named('sub')];
}

function isSheet(name: string): boolean {
  return sheetContainers.has(splitName(name).extension);
}

function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}
