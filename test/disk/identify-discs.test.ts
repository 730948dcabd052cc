import { describe, expect, test } from 'vitest';
import { noEdition } from '../../src/core/library/identity.ts';
import {
  makeIso,
  nintendoImage,
  paramSfo,
  pspIso,
  systemArea,
} from '../support/images/disc-images.ts';
import { makeRaw } from '../support/images/packed-images.ts';
import { toolsSkipReason } from '../support/tools.ts';
import { imageFolder } from './image-folder.ts';

const folder = imageFolder();
const skipReason = toolsSkipReason('xorriso');
const withIso = describe.skipIf(skipReason !== null);

withIso(`UMD discs ${skipReason ?? ''}`, () => {
  test('are identified by serial and title of a PSP game, with all fields read', async () => {
    const iso = pspIso();
    expect(await folder.identify(iso)).toEqual({
      disc: 'psp',
      container: 'iso',
      serial: 'ULUS-10041',
      edition: noEdition,
      title: 'A game of "two" lines™',
      imageSize: iso.length,
      sha1: null,
      statedSha1: null,
      members: [],
      tracks: [],
      sheet: [],
      evidence: {
        'volume id': 'ULUS10041',
        'volume system id': 'PSP GAME',
        'UMD_DATA.BIN': 'ULUS-10041',
        'PARAM.SFO DISC_ID': 'ULUS10041',
        'PARAM.SFO TITLE': 'A game of "two" lines™',
        'PARAM.SFO CATEGORY': 'UG',
      },
      problem: null,
    });
  });

  test('have the serial of DISC_ID if UMD_DATA.BIN is missing or malformed', async () => {
    const sfo = paramSfo({ DISC_ID: 'NPJH50465' });
    const missing = makeIso({ 'PSP_GAME/PARAM.SFO': sfo }, { sysid: 'PSP GAME' });
    const odd = makeIso({ 'PSP_GAME/PARAM.SFO': sfo, 'UMD_DATA.BIN': '|||' });
    expect((await folder.identify(missing)).serial).toBe('NPJH-50465');
    expect(await folder.identify(odd)).toMatchObject({ disc: 'psp', serial: 'NPJH-50465' });
  });

  test('have the ID of a UMD Video as title, never as serial', async () => {
    const iso = makeIso(
      {
        'UMD_DATA.BIN': 'CLERKS|0000000000000000|0001|V               |',
        'UMD_VIDEO/PARAM.SFO': paramSfo({ DISC_ID: 'UVUS10041', TITLE: 'Clerks, the film' }),
      },
      { sysid: 'UMD VIDEO' },
    );
    expect(await folder.identify(iso)).toMatchObject({
      disc: 'umd-video',
      serial: null,
      title: 'CLERKS',
      evidence: { 'PARAM.SFO TITLE': 'Clerks, the film', 'PARAM.SFO DISC_ID': 'UVUS10041' },
      problem: null,
    });
  });

  test('are what the system ID states if they hold a game and a film, else a game', async () => {
    const files = {
      'UMD_DATA.BIN': 'BOTH-00001|',
      'PSP_GAME/PARAM.SFO': paramSfo({ DISC_ID: 'ULES01413' }),
      'UMD_VIDEO/PARAM.SFO': paramSfo({ TITLE: 'Film' }),
    };
    expect((await folder.identify(makeIso(files, { sysid: 'UMD VIDEO' }))).disc).toBe('umd-video');
    expect(await folder.identify(makeIso(files, { sysid: 'LINUX' }))).toMatchObject({
      disc: 'psp',
      serial: 'BOTH-00001',
    });
  });

  test('are recognised as UMD Music', async () => {
    const iso = makeIso({ 'UMD_AUDIO/PARAM.SFO': paramSfo({ TITLE: 'Songs' }) });
    expect(await folder.identify(iso)).toMatchObject({ disc: 'umd-audio', title: 'Songs' });
  });

  test('are identified by a lower-case file name in a folder of 1,000 files', async () => {
    const files: Record<string, string | Buffer> = {};
    for (let i = 0; i < 1000; i += 1) files[`PSP_GAME/FILE${i}.DAT`] = '';
    const iso = makeIso(
      { ...files, 'PSP_GAME/param.sfo': paramSfo({ DISC_ID: 'ULJM05500' }) },
      { sysid: 'PSP GAME' },
    );
    expect((await folder.identify(iso)).serial).toBe('ULJM-05500');
  });

  test('are plain ISOs if no known disc is found', async () => {
    const identity = await folder.identify(makeIso({ 'README.TXT': 'hello' }, { volid: 'PLAIN' }));
    expect(identity).toMatchObject({ disc: null, container: 'iso', serial: null, problem: null });
    expect(identity.evidence).toEqual({ 'volume id': 'PLAIN' });
  });
});

withIso(`PlayStation discs ${skipReason ?? ''}`, () => {
  const boots: [cnf: string, disc: string, serial: string | null][] = [
    ['BOOT = cdrom:\\SLUS_012.34;1\r\nTCB = 4\r\nEVENT = 10\r\n', 'psx', 'SLUS-01234'],
    ['BOOT2 = cdrom0:\\SLUS_207.18;1\r\nVER = 1.00\r\nVMODE = NTSC\r\n', 'ps2', 'SLUS-20718'],
    ['BOOT=cdrom:SCES_008.67;1', 'psx', 'SCES-00867'],
    ['BOOT\t=\tcdrom:\\\\SLPS_012.22\n', 'psx', 'SLPS-01222'],
    ['boot = cdrom:\\exe\\sles_123.45;1\n', 'psx', 'SLES-12345'],
    ['BOOT = cdrom:\\SLUS_000.05;1 arg\n', 'psx', 'SLUS-00005'],
    ['BOOT = cdrom:\\LSP04051.0;1', 'psx', null],
    ['BOOT = cdrom:\\LSP_040.510;1', 'psx', 'LSP-040510'],
    ['BOOT = cdrom:\\MAIN.EXE;1', 'psx', null],
    ['TCB = 4\r\nBOOT2 = cdrom0:\\SCPS_150.01;1\r\nBOOT = cdrom:\\X.EXE', 'ps2', 'SCPS-15001'],
  ];
  test.each(boots)(
    'are identified by the boot line of SYSTEM.CNF: %j',
    async (cnf, disc, serial) => {
      const iso = makeIso({ 'SYSTEM.CNF': cnf, 'PSX.EXE': 'x' }, { sysid: 'PLAYSTATION' });
      expect(await folder.identify(iso)).toMatchObject({ disc, serial, problem: null });
    },
  );

  test('have no serial if there is only PSX.EXE', async () => {
    const iso = makeIso({ 'PSX.EXE': 'x' }, { sysid: 'PLAYSTATION' });
    expect(await folder.identify(iso)).toMatchObject({ disc: 'psx', serial: null });
  });

  test('are not recognised by a SYSTEM.CNF without a boot line', async () => {
    const iso = makeIso({ 'SYSTEM.CNF': 'HELLO=WORLD' });
    expect(await folder.identify(iso)).toMatchObject({ disc: null, serial: null, problem: null });
  });

  test.each([1, 2] as const)('are read from raw sectors of mode %d', async (mode) => {
    const files: Record<string, string> = { 'SYSTEM.CNF': 'BOOT = cdrom:\\SLUS_012.34;1' };
    // with these files, the root folder spans several sectors
    for (let i = 0; i < 100; i += 1) files[`AAA${i}.DAT`] = 'x';
    const raw = makeRaw(makeIso(files), mode);
    expect(await folder.identify(raw)).toMatchObject({
      disc: 'psx',
      container: 'raw',
      serial: 'SLUS-01234',
      imageSize: raw.length,
      problem: null,
    });
  });
});

describe('GameCube and Wii discs', () => {
  test.each(['gamecube', 'wii'] as const)('are identified by the disc header: %s', async (kind) => {
    const image = nintendoImage('GW7E69', 'Some Agent', kind);
    expect(await folder.identify(image)).toMatchObject({
      disc: kind,
      container: 'iso',
      serial: 'GW7E69',
      title: 'Some Agent',
      imageSize: image.length,
      evidence: { 'disc header revision': '2', 'disc header disc number': '0' },
    });
  });

  test('have a Japanese title decoded as Shift JIS', async () => {
    const title = Buffer.from('835b838b835f', 'hex');
    expect((await folder.identify(nintendoImage('GZLJ01', title, 'gamecube'))).title).toBe(
      'ゼルダ',
    );
  });

  test('have no serial with an impossible ID, and are unknown without the magic', async () => {
    const odd = nintendoImage('G\0\x01"<>', 'T', 'gamecube');
    expect(await folder.identify(odd)).toMatchObject({ disc: 'gamecube', serial: null });
    const none = nintendoImage('GW7E69', 'T', 'gamecube');
    none.writeUInt32BE(0, 0x1c);
    expect(await folder.identify(none)).toMatchObject({ disc: null, container: 'unknown' });
  });
});

withIso(`Sega discs ${skipReason ?? ''}`, () => {
  const saturn = systemArea({
    0: 'SEGA SEGASATURN SEGA ENTERPRISES',
    32: 'MK-81079  V1.000',
    96: 'NIGHTS  INTO DREAMS',
  });
  const dreamcast = systemArea({
    0: 'SEGA SEGAKATANA SEGA ENTERPRISES',
    64: 'T-36806D05V1.001',
    128: 'SOME GAME',
  });
  const megaCd = systemArea({
    0: 'SEGADISCSYSTEM  ',
    256: 'SEGA GENESIS    ',
    288: '\x83\x5b\x83\x8b',
    336: 'OVERSEAS NAME',
    384: 'GM MK-4407 -00',
  });
  const discs: [string, Buffer, string, string][] = [
    ['saturn', saturn, 'MK-81079', 'NIGHTS INTO DREAMS'],
    ['dreamcast', dreamcast, 'T-36806D05', 'SOME GAME'],
    ['mega-cd', megaCd, 'MK-4407', 'OVERSEAS NAME'],
  ];
  test.each(discs)('are identified, plain and raw: %s', async (disc, system, serial, title) => {
    const iso = makeIso({ 'A.BIN': 'a' }, { system });
    expect(await folder.identify(iso)).toMatchObject({ disc, container: 'iso', serial, title });
    for (const mode of [1, 2] as const) {
      const identity = await folder.identify(makeRaw(iso, mode));
      expect(identity).toMatchObject({ disc, container: 'raw', serial, title });
    }
  });

  test.each([
    ['GM T-93175 -00', 'T-93175'],
    ['GM G-6031  -00', 'G-6031'],
    ['AI T-12345-50', 'T-12345'],
    ['GM 00004407-00', '00004407'],
    ['              ', null],
  ])('have for the Mega-CD product %j the serial %j', async (product, serial) => {
    const system = systemArea({ 0: 'SEGADISCSYSTEM  ', 384: product });
    expect((await folder.identify(system)).serial).toBe(serial);
  });

  test('have the Japanese title if there is no other', async () => {
    const system = systemArea({ 0: 'SEGADISCSYSTEM  ', 288: '\x83\x5b\x83\x8b' });
    expect((await folder.identify(system)).title).toBe('ゼル');
  });
});
