import { describe, expect, test } from 'vitest';
import { readRows, refusalOf } from './dat-files.ts';

const HEADER = '<datafile><header><name>Platform</name></header>\n';

describe('the reader of XML DATs', () => {
  test('reads a Redump file', async () => {
    const { headers, rows, format } = await readRows(`<?xml version="1.0"?>
<!DOCTYPE datafile PUBLIC "-//Logiqx//DTD ROM Management Datafile//EN" "http://www.logiqx.com/Dats/datafile.dtd">
<datafile>
  <header>
    <name> Sony - PlayStation </name>
    <description>Sony - PlayStation - Discs (1)</description>
    <version>2026-08-01</version>
    <homepage>redump.org</homepage>
  </header>
  <game name="Tom &amp; &quot;Jerry&quot; &#x30BC; (Europe)">
    <category>Games</category>
    <serial>SLES-00001, SLES-00002</serial>
    <description>Tom <![CDATA[& Jerry]]></description>
    <release name="Tom" region="EUR"/><release name="Tom" region="GER"/><release region="EUR"/>
    <rom name="Tom (Track 1).bin" size="12" crc="ABCDEF01" md5="D41D8CD98F00B204E9800998ECF8427E" sha1="DA39A3EE5E6B4B0D3255BFEF95601890AFD80709"/>
    <disk name="tom" sha1="da39a3ee5e6b4b0d3255bfef95601890afd80709"/>
  </game>
</datafile>
`);
    expect(format).toBe('logiqx');
    expect(headers).toEqual([
      {
        name: 'Sony - PlayStation',
        description: 'Sony - PlayStation - Discs (1)',
        version: '2026-08-01',
      },
    ]);
    expect(rows).toEqual([
      {
        line: 10,
        name: 'Tom & "Jerry" ゼ (Europe)',
        description: 'Tom & Jerry',
        region: '',
        releaseRegions: ['EUR', 'GER'],
        serial: 'SLES-00001, SLES-00002',
        roms: [
          {
            name: 'Tom (Track 1).bin',
            size: 12,
            crc32: 'abcdef01',
            md5: 'd41d8cd98f00b204e9800998ecf8427e',
            sha1: 'da39a3ee5e6b4b0d3255bfef95601890afd80709',
            serial: '',
          },
          {
            name: 'tom',
            size: null,
            crc32: '',
            md5: '',
            sha1: 'da39a3ee5e6b4b0d3255bfef95601890afd80709',
            serial: '',
          },
        ],
        fields: { category: 'Games' },
      },
    ]);
  });

  test('keeps a No-Intro serial with its ROM, not with the row', async () => {
    const { rows } = await readRows(
      `${HEADER}<machine\n name="A" id="1"><year>1999</year><region>USA</region>
     <rom name="a" size="" crc="-" serial=" S " status="verified"/></machine></datafile>`,
    );
    expect(rows[0]).toMatchObject({ line: 2, serial: '', region: 'USA', fields: { year: '1999' } });
    expect(rows[0]?.roms[0]).toMatchObject({ serial: 'S', size: null, crc32: '' });
  });

  test('reads the output of mame -listxml', async () => {
    const { headers, rows } = await readRows(
      `<mame build="0.270"><machine name="puckman"><description>Puck Man</description>
     <rom name="x" size="2048" crc="f36e88ab"/><rom name="y" size="1" status="nodump"/>
     <chip type="cpu"/><driver status="good"/></machine></mame>`,
    );
    expect(headers).toEqual([{ name: 'MAME', description: '', version: '0.270' }]);
    expect(rows[0]).toMatchObject({ name: 'puckman', description: 'Puck Man' });
    expect(rows[0]?.roms.map((rom) => rom.crc32)).toEqual(['f36e88ab', '']);
  });

  test('accepts whitespace and comments around the root element', async () => {
    const { rows } = await readRows(
      `\n\n<?xml version="1.0"?>\n<!-- c -->${HEADER}<game name="A"/><other><game name="B"/></other></datafile>\n<!-- end -->\n`,
    );
    expect(rows.map((row) => [row.line, row.name])).toEqual([[5, 'A']]);
  });

  test.each([
    ['<html><body/></html>', /^1: not a DAT file: its root element is "html"/],
    ['<datafile>\n<game name="a"/></datafile>', /^2: no header before the first row$/],
    ['<datafile><header/>\n<game name="a"/></datafile>', /^2: no header name$/],
    ['<datafile>\n</datafile>', /^2: no header before the first row$/],
    [`${HEADER}<header/></datafile>`, /^2: a second header$/],
    [`${HEADER}<game name="a">\n`, /^3: the file ends inside a <game>$/],
    [HEADER, /^2: the file ends inside a <datafile>$/],
    ['<datafile', /^1: not well-formed XML: /],
    [`${HEADER}<game name="a"></gam></datafile>`, /^2: not well-formed XML: unexpected close tag$/],
    [
      `${HEADER}<game name="a" name="b"/></datafile>`,
      /^2: not well-formed XML: duplicate attribute/,
    ],
    [`${HEADER}<game name=a/></datafile>`, /^2: not well-formed XML: unquoted attribute/],
    [
      `${HEADER}<game name="&constructor;"/></datafile>`,
      /^2: not well-formed XML: undefined entity$/,
    ],
    [`${HEADER}</datafile>\ngarbage`, /^3: not well-formed XML: text data outside of root node$/],
    [
      `${HEADER}</datafile>\n<datafile/>`,
      /^3: not well-formed XML: documents may contain only one/,
    ],
    [
      `${HEADER}<game name="a">\n<rom size="12x"/></game></datafile>`,
      /^3: rom size "12x" is not a/,
    ],
    [`${HEADER}<game name="a"><rom crc="no"/></game></datafile>`, /^2: rom crc "no" is not 8 hex/],
    ['<softwarelists><softwarelist name="a"/></softwarelists>', /^1: several software lists/],
  ])('refuses %j', async (text, refusal) => {
    expect(await refusalOf(text)).toMatch(refusal);
  });
});
