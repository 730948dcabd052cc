import type { reasons as english } from '../en/reasons.ts';

export const reasons: typeof english = {
  rules: {
    sha1: 'Die SHA-1',
    md5: 'Die MD5',
    crc32: 'Die CRC-32',
    serial: 'Die Seriennummer',
    name: 'Der Dateiname',
    members: 'Der ganze Inhalt des Archivs',
    platform: 'Die Art der Disc',
    disc: 'Die Nummer der Disc',
    revision: 'Die Revision auf der Disc',
    version: 'Die Version auf der Disc',
    region: 'Die Region auf der Disc',
    'own-serial': 'Die Seriennummer auf der Disc',
    dump: 'Der Inhalt der Datei',
    'full-serial': 'Die genaue Seriennummer',
    size: 'Die Größe des Abbilds',
    tracks: 'Die Zahl der passenden Tracks',
    'file-name': 'Der Dateiname',
    'same-content': 'Der Inhalt',
  },
  matches: (what, releases) => `${what} passt zu ${releases}.`,
  prefers: (what, kept, others) => `${what} passt zu ${kept}, nicht zu ${others}.`,
  rulesOut: (what, others) => `${what} widerspricht ${others}.`,
  same: (kept, others) =>
    `Der Inhalt passt auch zu ${others}. Es gilt die erste Veröffentlichung im Katalog: ${kept}.`,
  others: (count) => `${count} weiteren`,
  allRuledOut:
    'Hinweise führen zu Veröffentlichungen, aber die Datei widerspricht jeder von ihnen.',
  alike: 'Weitere Dateien ebenso entscheiden:',
  alikeRules: {
    region: (value) => `Region ${value}`,
    platform: (value) => `Plattform ${value}`,
    newest: () => 'Neueste Revision',
    first: () => 'Erste Revision',
  },
  alikeFiles: (rule, count, text) =>
    count === 1 ? `${rule}: ${text} Datei` : `${rule}: ${text} Dateien`,
  alikePreview: 'Diese Dateien zeigen',
  alikeDone: (rule, count, text) =>
    count === 1 ? `${rule}: ${text} Datei entschieden` : `${rule}: ${text} Dateien entschieden`,
};
