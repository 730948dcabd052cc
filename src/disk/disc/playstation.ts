import type { Draft } from '../draft.ts';
import { discText, sonySerial } from './disc-text.ts';
import type { IsoVolume } from './iso9660.ts';

/**
 * Reads a PlayStation or PlayStation 2 disc; false when it is none. `SYSTEM.CNF` names the program to start, whose name
 * is the serial: `BOOT2 = cdrom0:\SLUS_207.18;1` on PlayStation 2, `BOOT = cdrom:\SLUS_012.34;1` on PlayStation. Without
 * that file the PlayStation starts `PSX.EXE`, which tells no serial.
 *
 * Source: psx-spx "CDROM File Playstation EXE and SYSTEM.CNF"; rcheevos `rc_hash_psx`, `rc_hash_ps2`. Seen on real
 * discs: no blanks around `=`, no backslash or two of them, a folder before the name, no `;1`, tabs, lower case.
 */
export async function readPlayStation(volume: IsoVolume, draft: Draft): Promise<boolean> {
  const cnf = await volume.read('SYSTEM.CNF', 2048);
  if (cnf) {
    const lines = cnf.toString('latin1').split(/[\r\n\0]+/);
    return bootLine(lines, 'BOOT2', draft) || bootLine(lines, 'BOOT', draft);
  }
  if (!(await volume.find('PSX.EXE'))) return false;
  draft.disc = 'psx';
  draft.evidence['boot program'] = 'PSX.EXE';
  return true;
}

function bootLine(lines: readonly string[], key: 'BOOT' | 'BOOT2', draft: Draft): boolean {
  for (const line of lines) {
    const [left = '', right] = line.split('=', 2);
    if (right === undefined || left.trim().toUpperCase() !== key) continue;
    const path = discText(Buffer.from(right, 'latin1'));
    draft.disc = key === 'BOOT2' ? 'ps2' : 'psx';
    draft.evidence[`SYSTEM.CNF ${key}`] = path;
    draft.serial = sonySerial((path.split(/[:\\/]/).pop() ?? '').replace(/;.*$/, ''));
    return true;
  }
  return false;
}
