import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testSomeAndMany } from '../support/some-and-many.ts';
import { clrmamepro, game, platform, xml } from './support/dat-text.ts';
import { imported, refusal, useImports } from './support/imports-fixture.ts';
import { zipOf } from './support/zip-file.ts';

const one = (seed: string) => [game(`Game ${seed}`, seed)];

const softwareList = `<?xml version="1.0"?>
<!DOCTYPE softwarelist SYSTEM "softwarelist.dtd">
<softwarelist name="testlist" description="Test - List">
  <software name="sonic"><description>Sonic (Euro)</description><year>1991</year>
    <info name="serial" value="ABCD-12345"/>
    <part name="cart" interface="x"><dataarea name="rom" size="0x80">
      <rom name="a.bin" size="0x80" crc="0000abcd" sha1="${'a'.repeat(40)}" offset="0"/>
    </dataarea></part>
    <part name="disc" interface="y"><diskarea name="cd"><disk name="b" sha1="${'b'.repeat(40)}"/></diskarea></part>
  </software>
</softwarelist>`;

describe('an import of files, folders and zips', () => {
  test('finds DATs by content in files, nested folders and zips, and skips the rest', async () => {
    const imports = await useImports();
    await imports.write('dats/a.dat', xml(one('a'), 'P a'));
    await imports.write('dats/b', clrmamepro(one('b'), 'P b'));
    await imports.write('dats/deep/er/c.xml', xml(one('c'), 'P c'));
    await imports.write('dats/deep/list', softwareList);
    await imports.write(
      'dats/deep/d.zip',
      zipOf([
        { name: 'in/d.dat', content: xml(one('d'), 'P d') },
        { name: 'readme.txt', content: 'Read me' },
        { name: 'in/', content: '' },
        { name: 'e.bin', content: clrmamepro(one('e'), 'P e') },
      ]),
    );
    await imports.write('dats/readme.txt', 'Nothing to see');
    await imports.write('dats/picture.png', Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1'));
    await imports.write('dats/empty.txt', '');
    const single = await imports.write('single.dat', xml(one('s'), 'P s'));
    const reports = await imports.run([join(imports.folder, 'dats'), single]);
    const platforms = reports.map((report) => imported(report).platform);
    expect(platforms).toEqual(['P a', 'P b', 'P d', 'P e', 'P c', 'Test - List', 'P s']);
    expect((await imports.list()).map(({ name }) => name)).toEqual([
      'Game a',
      'Game b',
      'Game c',
      'Game d',
      'Game e',
      'Game s',
      'Sonic (Euro)',
    ]);
    expect(await imports.get('Sonic (Euro)')).toMatchObject({
      serial: 'ABCD-12345',
      roms: [
        { name: 'a.bin', size: 128, crc32: '0000abcd' },
        { name: 'b', sha1: 'b'.repeat(40) },
      ],
    });
  });

  test('refuses named files that are not DATs, with reasons, and imports the others', async () => {
    const imports = await useImports();
    const good = await imports.write('good.dat', xml(one('a')));
    const text = await imports.write('notes.txt', 'just some text\n');
    const empty = await imports.write('empty.dat', '');
    const html = await imports.write('page.html', '<!DOCTYPE html>\n<html><body/></html>');
    const noDats = await imports.write('none/readme.txt', 'none');
    const emptyZip = await imports.write('empty.zip', zipOf([]));
    const missing = join(imports.folder, 'missing.dat');
    const under = join(good, 'x');
    const paths = [
      text,
      missing,
      under,
      empty,
      html,
      join(noDats, '..'),
      emptyZip,
      '/dev/null',
      good,
    ];
    const reports = await imports.run(paths);
    expect(
      reports.slice(0, -1).map((report) => refusal(report).replaceAll(imports.folder, '')),
    ).toEqual([
      '/notes.txt:1: not a DAT file: it starts with "just some text\\n"',
      '/missing.dat: there is no such file',
      '/good.dat/x: it cannot be read (ENOTDIR)',
      '/empty.dat:1: the file is empty',
      '/page.html:2: not a DAT file: its root element is "html", not "datafile" or "softwarelist"',
      '/none: there is no DAT in it',
      '/empty.zip: there is no DAT in it',
      '/dev/null: it is neither a file nor a folder',
    ]);
    expect(imported(reports.at(-1)).counts.new).toBe(1);
  });

  const zip = existsSync('/usr/bin/zip');
  describe.skipIf(!zip)(`zips made by zip${zip ? '' : ' (skipped: no /usr/bin/zip)'}`, () => {
    testSomeAndMany(
      'have all of their $count members imported',
      { some: 20, many: 300 },
      async (count) => {
        const imports = await useImports();
        for (let i = 0; i < count; i++) {
          const write = i % 2 === 0 ? xml : clrmamepro;
          await imports.write(`many/No. ${i} ü.dat`, write(one(`n${i}`), `P ${i}`));
        }
        const path = join(imports.folder, 'many.zip');
        execFileSync('zip', ['-q', '-r', path, 'many'], { cwd: imports.folder });
        const reports = await imports.run(path);
        expect(reports.map((report) => imported(report).counts.new)).toEqual(Array(count).fill(1));
        const again = await imports.run(path);
        expect(again.map((report) => imported(report).counts.unchanged)).toEqual(
          Array(count).fill(1),
        );
      },
    );
  });

  test('decodes text by the XML declaration, by a BOM, or as UTF-8', async () => {
    const name = 'Pokémon «Édition»';
    const text = (encoding: string) =>
      xml([game(name, 'a')]).replace('?>', ` encoding="${encoding}"?>`);
    const files: Record<string, Uint8Array> = {
      'utf-8': Buffer.from(text('UTF-8')),
      'utf-8 bom': Buffer.from(`\uFEFF${text('utf-8')}`),
      'latin-1': Buffer.from(text('ISO-8859-1'), 'latin1'),
      'windows-1252': Buffer.from(text('windows-1252'), 'latin1'),
      'utf-16le bom': Buffer.from(`\uFEFF${text('UTF-16')}`, 'utf16le'),
      'utf-16be bom': Buffer.from(`\uFEFF${text('UTF-16')}`, 'utf16le').swap16(),
      'clrmamepro bom': Buffer.from(`\uFEFF${clrmamepro([game(name, 'a')])}`),
    };
    const imports = await useImports();
    for (const [label, bytes] of Object.entries(files)) {
      await imports.empty();
      await imports.write('in/file', bytes);
      const [report] = await imports.run(join(imports.folder, 'in'));
      expect([label, imported(report).counts.new]).toEqual([label, 1]);
      expect((await imports.list()).map((item) => item.name)).toEqual([name]);
    }
  });

  test('is recorded with file name, SHA-256, header, version, time and counts', async () => {
    const imports = await useImports();
    const path = await imports.write('Some file.dat', xml(one('a'), platform, '2024-05-06'));
    await imports.run(path);
    await imports.run(path, { dryRun: true });
    const { createHash } = await import('node:crypto');
    const sha256 = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
    const [record, ...others] = await imports.catalog.imports.listImports(10, 0);
    expect(others).toEqual([]);
    expect(record).toMatchObject({
      platform,
      fileName: 'Some file.dat',
      sha256,
      version: '2024-05-06',
      system: 'games',
      counts: { rows: 1, releases: 1, new: 1 },
    });
    expect(Math.abs(Date.now() - Date.parse(record?.importedAt ?? ''))).toBeLessThan(60_000);
    expect(imports.query('SELECT header FROM import')).toEqual([
      { header: JSON.stringify({ name: platform, description: '', version: '2024-05-06' }) },
    ]);
  });
});
