import type { MatchReason } from '../../api/library.ts';

/**
 * Texts that explain why a file is matched to its release, and which other files a choice can
 * decide.
 */
export const reasons = {
  /** The subject of the sentence about each matching rule. */
  rules: {
    sha1: 'The SHA-1',
    md5: 'The MD5',
    crc32: 'The CRC-32',
    serial: 'The serial',
    name: 'The file name',
    members: 'The whole content of the archive',
    platform: 'The kind of disc',
    disc: 'The disc number',
    revision: 'The revision on the disc',
    version: 'The version on the disc',
    region: 'The region on the disc',
    'own-serial': 'The serial on the disc',
    dump: 'The content of the file',
    'full-serial': 'The exact serial',
    size: 'The size of the image',
    tracks: 'The number of matching tracks',
    'file-name': 'The file name',
    'same-content': 'The content',
  } satisfies Readonly<Record<MatchReason['rule'], string>>,
  matches: (what: string, releases: string) => `${what} matches ${releases}.`,
  prefers: (what: string, kept: string, others: string) => `${what} fits ${kept}, not ${others}.`,
  rulesOut: (what: string, others: string) => `${what} rules out ${others}.`,
  same: (kept: string, others: string) =>
    `The content is also that of ${others}. The first release in the catalogue is used: ${kept}.`,
  others: (count: number) => (count === 1 ? '1 other' : `${count} others`),
  allRuledOut: 'The evidence points at releases, but the file contradicts all of them.',
  /** Offers to decide more files by the rule behind a choice. */
  alike: 'Decide more files in the same way:',
  alikeRules: {
    region: (value: string) => `Region ${value}`,
    platform: (value: string) => `Platform ${value}`,
    newest: () => 'Newest revision',
    first: () => 'First revision',
  },
  alikeFiles: (rule: string, count: number, text: string) =>
    count === 1 ? `${rule}: ${text} file` : `${rule}: ${text} files`,
  alikePreview: 'Show these files',
  alikeDone: (rule: string, count: number, text: string) =>
    count === 1 ? `${rule}: ${text} file decided` : `${rule}: ${text} files decided`,
};
