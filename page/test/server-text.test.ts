import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../src/api/request.ts';
import { de } from '../src/language/de.ts';
import { en } from '../src/language/en.ts';
import { failureText } from '../src/language/failure-text.ts';
import {
  type ServerTextKind,
  serverSentences,
  serverText,
  serverTexts,
} from '../src/language/server-text.ts';

const src = join(import.meta.dirname, '../../src');
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => readFileSync(join(src, path), 'utf8'))
  .join('\n');

/** Texts of the server. `…` stands for a value that the server inserts. */
const samples: Readonly<Record<ServerTextKind, readonly string[]>> = {
  job: [
    'it was stopped',
    'its server stopped',
    'its process was told to end',
    'its server died',
    'its process died or stood still',
    'its process ended',
    'the database was unreachable',
    'busy',
    'insufficient storage',
    'it can only go on at the host …, which ran no server for an hour',
    'there is no cover source: set --cover-source or CATALOG_COVER_SOURCE',
    'the cover source does not answer (…): what was fetched is kept, try again later',
    '--catalogue-source is empty: set the address of a zip, or import files',
    'could not download …: …; without it, download DATs on another machine and import them as files',
    'nothing in … could be imported: …',
    'upload … is no longer there: send the file again',
    '--backup-to is not set: there is no folder for backups',
    'the folder of the target "…" is missing: connect the device',
    '… has files that no build made: choose another folder, or use --adopt, which leaves them as they are',
    '… has the tree of the set "…" for …: choose another folder, or undo that build first',
    '… has … bytes free, and the build needs … bytes more',
    'there is no set … any more',
    'another process is …: wait until it ends',
    '… has no journal of a build',
    'another import changed the catalogue meanwhile: run it again',
    'another import took its place: run it again',
  ],
  root: [
    'it does not exist',
    'it may not be read (permission denied)',
    'it is no folder',
    'it is empty, although files were known below it',
    'it belongs to the host …, which alone scans it',
  ],
  file: [
    'it is cut: its header is not whole',
    'it is damaged: its tables cannot be so long',
    'its header is damaged',
    'it holds no file',
    'it is encrypted: unpack it first',
    'it is one of several volumes: unpack them first',
    'it holds more than 128 GiB, and is not unpacked',
    'it needs a dictionary of … MiB, of which at most 64 MiB are used',
    'it holds a packed image of more than 16 GiB',
    'a part of it changed while it was read',
    'it became shorter while it was read',
    '… EACCES …',
    '… ENOENT …',
    '… EIO …',
    'its name is not UTF-8',
    'the folders are nested too deeply',
  ],
  import: [
    'not a DAT file: it starts with …',
    'the file is empty',
    'the file ends inside a …',
    'it is cut, or points behind its end',
    'there is no DAT in it',
    'a zip within a zip is not read: unpack it first',
    'it holds more than … files: import them from a folder',
    'bytes that are not valid utf-8',
    'unknown encoding …',
    'several software lists in one file: import each by itself',
    'it has no header',
    'no header before the first row',
    'no header name',
    'rom size … is not a number',
    'rom … … is not …',
    'it says to be … bytes, more than a DAT can be',
    'it says to unpack to … bytes, more than … times its size: a zip bomb',
    'its directory is longer than … bytes',
    'a text of more than … characters',
    'elements more than … deep',
    'its name is a path that leaves the zip: unpack it first',
    'it is encrypted: unpack it first',
    'its compression (method …) is not known: unpack it first',
    'it is damaged: its checksum (CRC-32) does not match',
    'the zip cannot be read: …',
    'it became shorter while it was read',
    'it is neither a file nor a folder',
    '… EACCES …',
    '… ENOENT …',
    '… EIO …',
  ],
  finding: [
    'it was stored and is not there',
    'it was scanned and is not there',
    'its object is not in …',
    'it has … bytes, … were stored',
    'its bytes are not those that were stored …',
    'its content is not that of the scan …',
    'it was written to since the scan',
    'nothing is recorded of it: it was laid there by hand',
    'it is damaged: its checksum (CRC-32) does not match',
    'it is cut: its header is not whole',
    'permission denied',
    'operation not permitted',
    '… EACCES …',
    'the disk failed (input/output error)',
    '… EIO …',
    'its name is not UTF-8',
    'it is in use',
    'there is no such device',
    'its server does not answer',
    'the file system is not connected',
    'the folders are nested too deeply',
  ],
  build: [
    'A file that no build made has this name, so it stays as it is',
    'It was changed since the build, so it stays as it is',
    'Another file has the same name',
    'It cannot be read as a list, so it stays as it is',
    'It is too large for a list, so it stays as it is',
    'It is a playlist in the old format, so it stays as it is: …',
    'It is a compressed playlist, so it stays as it is: …',
    'A … has this name, so it stays as it is',
    '… was changed: scan the library again',
    '… was changed or removed since the last scan: scan the library again',
    '… was changed while it was copied',
    '… does not name its files as the last scan found',
    '… cannot be unpacked: …',
    'This host does not have …',
  ],
  leftOut: [
    '… opens no files without an extension',
    '… does not open .… files of …',
    '… has no folder for …',
    'It is an NKit, which is not the whole disc',
    'It is a part of a split image',
    'It contains … images',
    'It has … bytes, and files on FAT32 have at most 4 GiB',
    'It names the file "…", which the library does not have',
    'It names the file "…", whose name the device cannot store',
    'It is a playlist, and the library has none of its discs',
    '…, but can open what is in it',
    'It is an archive in parts, which is not unpacked',
    'Its content has no checksums yet: scan the library again, with hashes',
    'Its image is not the one of this release',
    'It contains no image',
    'Its sheet has no image of the same name',
    'It contains several files with the same name',
  ],
};
const kinds = Object.keys(samples) as ServerTextKind[];
const filled = (text: string) => text.replaceAll('…', '7');

describe.each(kinds)('the texts about a %s', (kind) => {
  test.each(samples[kind])('know %s', (text) => {
    for (const part of text.split('…').map((each) => each.trim())) expect(sources).toContain(part);
    const [english, german] = [en, de].map((t) => serverText(filled(text), kind, t));
    expect(english?.sentence).toMatch(/^\p{Lu}.+\.$/u);
    expect(english?.sentence).not.toBe(serverSentences.en[kind].other);
    expect(german?.sentence).not.toBe(english?.sentence);
  });

  test('have an example for every form', () => {
    for (const [form] of serverTexts[kind])
      expect(samples[kind].some((text) => form.test(filled(text)))).toBe(true);
  });

  test('show another text with the text as a detail', () => {
    const { sentence, isWhole } = serverText('an unheard text', kind, en);
    expect([sentence, isWhole]).toEqual([serverSentences.en[kind].other, false]);
  });
});

describe('the translation of server texts', () => {
  test('names a host in a sentence', () => {
    const text = 'it belongs to the host nas, which alone scans it';
    expect(serverText(text, 'root', de).sentence).toContain('Server nas');
  });

  test('marks a text that no sentence translates as a technical detail', () => {
    const refusal = new Refusal(400, 'malformed multipart body');
    expect(failureText(refusal, de)).toBe(
      'Der Server hat das abgelehnt. Technische Angabe: malformed multipart body',
    );
    const gone = new Refusal(422, 'uploads: 7 is no upload of dats that is done');
    expect(failureText(gone, de)).toBe(de.uploadGone);
  });
});
