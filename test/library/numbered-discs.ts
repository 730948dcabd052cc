// Images of discs and their serials, as DATs print them. Each number from 100 to 999 has a
// different image.
import { makeIso, nintendoImage, paramSfo, systemArea } from '../support/images/disc-images.ts';

export const psp = (n: number) =>
  makeIso(
    {
      'UMD_DATA.BIN': `ULUS-10${n}|0123456789ABCDEF|0001|G               |`,
      'PSP_GAME/PARAM.SFO': paramSfo({ DISC_ID: `ULUS10${n}`, TITLE: 'T', CATEGORY: 'UG' }),
      'PSP_GAME/USRDIR/DATA.BIN': Buffer.alloc(50_000, `data of ${n}. `),
    },
    { sysid: 'PSP GAME' },
  );
const playStation = (boot: string, n: number) =>
  makeIso({
    'SYSTEM.CNF': `${boot}:\\SLUS_20${String(n)[0]}.${String(n).slice(1)};1\r\n`,
    'A.BIN': `${n}`,
  });
export const psx = (n: number) => playStation('BOOT = cdrom', n);
export const ps2 = (n: number) => playStation('BOOT2 = cdrom0', n);
const sega = (fields: Record<number, string>, n: number) =>
  Buffer.concat([systemArea(fields), Buffer.alloc(30 * 2048, `${n} `)]);
export const saturn = (n: number) => sega({ 0: 'SEGA SEGASATURN ', 32: `MK-81${n}  V1.000` }, n);
export const megaCd = (n: number) => sega({ 0: 'SEGADISCSYSTEM  ', 384: `GM T-93${n} -00` }, n);
export const dreamcast = (n: number) => sega({ 0: 'SEGA SEGAKATANA ', 64: `T-36${n}N  V1.000` }, n);
export const gameCube = (n: number) =>
  nintendoImage(`G${n.toString(36).toUpperCase()}E69`, `${n}`, 'gamecube');
export const wii = (n: number) =>
  nintendoImage(`R${n.toString(36).toUpperCase()}P01`, `${n}`, 'wii');

export const printedGameCube = (n: number) => `DL-DOL-${gameCube(n).toString('latin1', 0, 4)}-USA`;

export const ulus = (n: number) => `ULUS-10${n}`;
export const slus = (n: number) => `SLUS-20${n}`;
