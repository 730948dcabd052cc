import { noEdition } from '../../core/library/identity.ts';
import type { Draft } from '../draft.ts';
import { discText, sonySerial } from './disc-text.ts';
import type { IsoVolume } from './iso9660.ts';

/**
 * Identifies a PlayStation or PlayStation 2 disc. Returns false if the disc is neither.
 * `SYSTEM.CNF` states the program to start, and the program's name is the serial:
 * - PlayStation 2: `BOOT2 = cdrom0:\SLUS_207.18;1`, and a version such as `VER = 1.02`;
 * - PlayStation: `BOOT = cdrom:\SLUS_012.34;1`.
 *
 * Without `SYSTEM.CNF`, the PlayStation starts `PSX.EXE`. The serial is then unknown.
 *
 * Source: psx-spx "CDROM File Playstation EXE and SYSTEM.CNF"; rcheevos `rc_hash_psx`,
 * `rc_hash_ps2`. Lines on real discs vary: no spaces around `=`, tabs, no backslash or two, a
 * folder before the name, no `;1`, lower case.
 */
export async function readPlayStation(volume: IsoVolume, draft: Draft): Promise<boolean> {
  const cnf = await volume.read('SYSTEM.CNF', 2048);
  if (cnf) {
    const lines = cnf.toString('latin1').split(/[\r\n\0]+/);
    if (!bootLine(lines, 'BOOT2', draft) && !bootLine(lines, 'BOOT', draft)) return false;
    draft.edition = {
      ...noEdition,
      disc: discOf(volume.volumeId),
      version: versionOf(lines, draft),
    };
    return true;
  }
  if (!(await volume.find('PSX.EXE'))) return false;
  draft.disc = 'psx';
  draft.evidence['boot program'] = 'PSX.EXE';
  draft.edition = { ...noEdition, disc: discOf(volume.volumeId) };
  return true;
}

/**
 * Returns the disc number in a volume's name, such as 2 for `FF9_DISC2` and `CHRONOCROSS_CD2`.
 * Returns null if the name contains no disc number.
 */
function discOf(volumeId: string): number | null {
  const found = /(?:^|[^A-Z])(?:DISC|DISK|CD)[ _-]?([1-9])$/i.exec(volumeId);
  return found && Number(found[1]);
}

/** Returns the version from the line `VER = 1.02`. Returns null if there is no such line. */
function versionOf(lines: readonly string[], draft: Draft): string | null {
  for (const line of lines) {
    const version = /^\s*VER\s*=\s*(\d{1,2}\.\d{2})\s*$/i.exec(line)?.[1];
    if (version === undefined) continue;
    draft.evidence['SYSTEM.CNF VER'] = version;
    return version;
  }
  return null;
}

function bootLine(lines: readonly string[], key: 'BOOT' | 'BOOT2', draft: Draft): boolean {
  for (const line of lines) {
    const [left = '', right] = line.split('=', 2);
    if (right === undefined || left.trim().toUpperCase() !== key) continue;
    const path = discText(Buffer.from(right, 'latin1'));
    draft.disc = key === 'BOOT2' ? 'ps2' : 'psx';
    draft.evidence[`SYSTEM.CNF ${key}`] = path;
    draft.serial = sonySerial((path.split(/[:\\/]/).pop() ?? '').replace(/;.*/s, ''));
    return true;
  }
  return false;
}
