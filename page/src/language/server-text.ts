import { server as german } from './de/server-texts.ts';
import { server as english } from './en/server-texts.ts';
import type { Messages } from './en.ts';

type Sentences = typeof english;

/**
 * The sentences by language. They are not part of `Messages`, so that the first view does not load
 * them.
 */
export const serverSentences: Readonly<Record<Messages['code'], Sentences>> = {
  en: english,
  de: german,
};

/** The subject of a text from the server, such as `job` or `file`. */
export type ServerTextKind = keyof Sentences;

/** A text from the server, translated into the language of the page. */
export interface TranslatedText {
  readonly sentence: string;
  /** True if the sentence contains everything that the server's text says. */
  readonly isWhole: boolean;
}

/**
 * A rule that translates a text from the server: a pattern for the text, the key of the sentence,
 * and `whole` if the sentence contains everything that the text says. The first capturing group of
 * the pattern is the argument of the sentence.
 */
type Rule<Kind extends ServerTextKind> = readonly [
  RegExp,
  Exclude<keyof Sentences[Kind], 'other'>,
  'whole'?,
];

/**
 * The rules for all texts that the page can translate. A test checks that the server still contains
 * these texts.
 */
export const serverTexts: { readonly [Kind in ServerTextKind]: readonly Rule<Kind>[] } = {
  job: [
    [/^it was stopped/, 'stopped', 'whole'],
    [/^its server stopped/, 'serverStopped', 'whole'],
    [/^its process was told to end/, 'serverStopped', 'whole'],
    [/^its server died/, 'processDied'],
    [/^its process died or stood still/, 'processDied'],
    [/^its process ended/, 'processDied'],
    [/^the database was unreachable/, 'databaseAway'],
    [/^(?:busy: )?another process is /, 'otherBuild'],
    [/^busy/, 'busy'],
    [/^insufficient storage/, 'storageFull'],
    [/^it can only go on at the host (.+), which ran no server for an hour/, 'otherHost', 'whole'],
    [/^there is no cover source/, 'noCoverSource', 'whole'],
    [/^the cover source does not answer/, 'coverSourceAway'],
    [/^--catalogue-source is empty/, 'noCatalogueSource', 'whole'],
    [/^could not download /, 'downloadFailed'],
    [/^nothing in .+ could be imported/, 'nothingImported'],
    [/^--backup-to is not set/, 'noBackupFolder', 'whole'],
    [/^the folder of the target ".+" is missing/, 'targetMissing', 'whole'],
    [/ has files that no build made: /, 'foreignFiles'],
    [/^[^"]* has the tree of the set "(.*)" for /, 'otherTree'],
    [/ has \d+ bytes free, and the build needs /, 'lackingRoom'],
    [/^there is no set \d+ any more/, 'setGone', 'whole'],
    [/ has no journal of a build$/, 'noBuild'],
    [/^another import changed the catalogue meanwhile/, 'changedMeanwhile', 'whole'],
    [/^another import took its place/, 'changedMeanwhile', 'whole'],
  ],
  root: [
    [/^it does not exist$/, 'missing', 'whole'],
    [/^it may not be read \(permission denied\)$/, 'forbidden', 'whole'],
    [/^it is no folder$/, 'noFolder', 'whole'],
    [/^it is empty, although files were known below it$/, 'empty', 'whole'],
    [/^it belongs to the host (.+), which alone scans it$/, 'otherHost', 'whole'],
  ],
  file: [
    [/^it is cut/, 'cut'],
    [/^it (?:is|has|names) .*damaged/, 'damaged'],
    [/^its .*damaged/, 'damaged'],
    [/^it holds no file$/, 'empty', 'whole'],
    [/^it is encrypted: unpack it first$/, 'encrypted', 'whole'],
    [/^it is one of several volumes: unpack them first$/, 'volumes', 'whole'],
    [/^it holds more than 128 GiB/, 'tooLarge'],
    [/^it needs a dictionary of /, 'tooLarge'],
    [/^it holds a packed image of more than 16 GiB/, 'tooLarge'],
    [/^a part of it changed while it was read/, 'changed', 'whole'],
    [/^it became shorter while it was read/, 'changed', 'whole'],
    [/\bEACCES\b/, 'forbidden'],
    [/\bENOENT\b/, 'missing'],
    [/\bEIO\b/, 'disk'],
    [/^its name is not UTF-8$/, 'name', 'whole'],
    [/^the folders are nested too deeply$/, 'deep', 'whole'],
  ],
  import: [
    [/^not a DAT file/, 'notDat'],
    [/^the file is empty$/, 'empty', 'whole'],
    [/^the file ends /, 'cut'],
    [/^it is cut, or points behind its end/, 'cut'],
    [/^there is no DAT in it$/, 'noDat', 'whole'],
    [/^a zip within a zip is not read/, 'nested', 'whole'],
    [/^it holds more than /, 'tooMany'],
    [/^bytes that are not valid /, 'encoding'],
    [/^unknown encoding /, 'unknownEncoding'],
    [/^several software lists in one file/, 'severalLists', 'whole'],
    [/^(?:it has )?no header/, 'noHeader'],
    [/^rom \w+ /, 'badValue'],
    [/^it says to (?:be|unpack to) \d+ bytes, more than /, 'tooLarge'],
    [/^its directory is longer than /, 'tooMany'],
    [/\bmore than \d+ /, 'tooLong'],
    [/^its name is a path that leaves the zip/, 'outside', 'whole'],
    [/^it is encrypted: unpack it first$/, 'encrypted', 'whole'],
    [/^its compression \(method \d+\) is not known/, 'compression', 'whole'],
    [/^it is damaged: /, 'damaged'],
    [/^the zip cannot be read: /, 'damaged'],
    [/^it became shorter while it was read$/, 'changed', 'whole'],
    [/^it is neither a file nor a folder$/, 'noFile', 'whole'],
    [/\bEACCES\b/, 'forbidden'],
    [/\bENOENT\b/, 'missing'],
    [/\bEIO\b/, 'disk'],
  ],
  finding: [
    [/^it was (?:stored|scanned) and is not there/, 'missing', 'whole'],
    [/^its object is not in /, 'missing'],
    [/^it has \d+ bytes, /, 'size'],
    [/^its bytes are not those that were stored/, 'content'],
    [/^its content is not that of the scan/, 'content'],
    [/^it was written to since the scan/, 'content'],
    [/^nothing is recorded of it: it was laid there by hand/, 'extra', 'whole'],
    [/^it (?:is|has|names) .*damaged/, 'damaged'],
    [/^it is cut/, 'damaged'],
    [/^(?:permission denied|operation not permitted)$/, 'forbidden', 'whole'],
    [/\bEACCES\b/, 'forbidden'],
    [/^the disk failed \(/, 'disk', 'whole'],
    [/\bEIO\b/, 'disk'],
    [/^its name is not UTF-8$/, 'name', 'whole'],
    [
      /^(?:it is in use|it is a folder|too many links|too many open files|name too long)$/,
      'unreadable',
    ],
    [/^(?:there is no such device|its server does not answer|error E[A-Z]+)$/, 'unreadable'],
    [/^the file system (?:is not connected|was mounted anew)/, 'unreadable'],
    [/^(?:the folders are nested too deeply|part of its path is no folder)$/, 'unreadable'],
  ],
  build: [
    [/^A file that no build made has this name/, 'foreign', 'whole'],
    [/^It was changed since the build/, 'changed', 'whole'],
    [/^Another file has the same name$/, 'sameName', 'whole'],
    [/^It cannot be read as a list/, 'list', 'whole'],
    [/^It is too large for a list/, 'listSize', 'whole'],
    [/^It is a playlist in the old format/, 'oldPlaylist', 'whole'],
    [/^It is a compressed playlist/, 'packedPlaylist', 'whole'],
    [/^A [\w ]+ has this name, so it stays/, 'folder', 'whole'],
    [/ was changed(?: or removed since the last scan)?: scan the library again$/, 'rescan'],
    [/ was changed while it was copied$/, 'rescan'],
    [/ does not name its files as the last scan found$/, 'rescan'],
    [/^This host does not have /, 'elsewhere'],
    [/ cannot be unpacked: /, 'unpack'],
  ],
  leftOut: [
    [/, but can open what is in it$/, 'packed', 'whole'],
    [/^It is an archive in parts/, 'archiveParts', 'whole'],
    [/^Its content has no checksums yet/, 'unscanned', 'whole'],
    [/^Its image is not the one of this release$/, 'noImage', 'whole'],
    [/^(?:It contains no image|Its sheet has no image of the same name)$/, 'noImage', 'whole'],
    [/^It contains several files with the same name$/, 'sameNames', 'whole'],
    [/ opens no files without an extension$/, 'noExtension', 'whole'],
    [/ does not open \.(\w+) files of /, 'extension', 'whole'],
    [/ has no folder for ([\s\S]*)/, 'noFolder', 'whole'],
    [/^It is an NKit/, 'nkit', 'whole'],
    [/^It is a part of a split image$/, 'part', 'whole'],
    [/^It contains (\d+) images$/, 'severalImages', 'whole'],
    [/^It has \d+ bytes, and files on FAT32/, 'fat32', 'whole'],
    [/^It names the file "(.*)", which the library does not have$/, 'missingTrack', 'whole'],
    [/^It names the file "(.*)", whose name /, 'unsafeTrack', 'whole'],
    [/^It is a playlist, and the library has none of its discs$/, 'playlist', 'whole'],
  ],
};

/** Returns the sentence, in the language of `t`, for an English text from the server. */
export function serverText(text: string, kind: ServerTextKind, t: Messages): TranslatedText {
  if (kind === 'job' && /^upload \d+ is no longer there/.test(text))
    return { sentence: t.uploadGone, isWhole: true };
  const sentences = serverSentences[t.code][kind] as Readonly<
    Record<string, string | ((argument: string) => string)>
  >;
  for (const [form, key, whole] of serverTexts[kind]) {
    const found = form.exec(text);
    if (found === null) continue;
    const translated = sentences[key] ?? '';
    const sentence = typeof translated === 'string' ? translated : translated(found[1] ?? '');
    return { sentence, isWhole: whole !== undefined };
  }
  return { sentence: serverSentences[t.code][kind].other, isWhole: false };
}
