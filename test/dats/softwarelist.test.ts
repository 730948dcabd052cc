import { describe, expect, test } from 'vitest';
import { readRows, refusalOf } from './dat-files.ts';

const SHA1 = 'da39a3ee5e6b4b0d3255bfef95601890afd80709';

describe('the reader of software lists', () => {
  test('reads a MAME software list', async () => {
    const { headers, rows, format } = await readRows(`<?xml version="1.0"?>
<!DOCTYPE softwarelist SYSTEM "softwarelist.dtd">
<softwarelist name="saturn" description="Sega Saturn CD-ROMs">
  <software name="sonic" cloneof="sonicj">
    <description>Sonic R (Euro)</description>
    <year>1997</year>
    <publisher>Sega</publisher>
    <info name="serial" value="81800-50"/>
    <info name="release" value="19971121"/>
    <info name="name" value="no name"/>
    <sharedfeat name="compatibility" value="PAL"/>
    <part name="cart" interface="cart">
      <feature name="pcb" value="x"/>
      <dataarea name="rom" size="0x100000">
        <rom name="a.bin" size="0x80000" crc="ABCDEF01" sha1="${SHA1.toUpperCase()}" offset="0"/>
        <rom size="0x80000" offset="0x80000" loadflag="continue"/>
        <rom name="b.bin" size="16" status="nodump"/>
      </dataarea>
    </part>
    <part name="cdrom" interface="cdrom">
      <diskarea name="cdrom"><disk name="sonic r" sha1="${SHA1}"/></diskarea>
    </part>
  </software>
  <software name="bare"><description/></software>
</softwarelist>`);
    expect(format).toBe('softwarelist');
    expect(headers).toEqual([
      { name: 'Sega Saturn CD-ROMs', description: 'Sega Saturn CD-ROMs', version: '' },
    ]);
    expect(rows.map((row) => row.name)).toEqual(['Sonic R (Euro)', 'bare']);
    expect(rows[0]).toMatchObject({
      line: 4,
      description: 'Sonic R (Euro)',
      serial: '81800-50',
      fields: { year: '1997', publisher: 'Sega', release: '19971121', name: 'no name' },
    });
    expect(rows[0]?.roms).toEqual([
      { name: 'a.bin', size: 0x80000, crc32: 'abcdef01', md5: '', sha1: SHA1, serial: '' },
      { name: 'sonic r', size: null, crc32: '', md5: '', sha1: SHA1, serial: '' },
    ]);
  });

  test('uses the name of a software list that has no description', async () => {
    const { headers } = await readRows('<softwarelist name="vii"/>');
    expect(headers).toEqual([{ name: 'vii', description: '', version: '' }]);
  });

  test('refuses a software list with neither name nor description', async () => {
    expect(await refusalOf('<softwarelist>\n<software name="a"/></softwarelist>')).toBe(
      '2: no header name',
    );
  });
});
