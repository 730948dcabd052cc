import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Unpacks libretro's DATs into `folder` and returns `folder`. The DATs are not part of the
 * repository. Returns undefined if the machine does not have the DATs.
 */
export function unpackDats(folder: string): string | undefined {
  const archive = join(import.meta.dirname, '../../../shared/data/dats/libretro-dats.tar.xz');
  if (!existsSync(archive)) return undefined;
  mkdirSync(folder, { recursive: true });
  const { status } = spawnSync('tar', ['-xJf', archive, '-C', folder], { stdio: 'ignore' });
  return status === 0 ? folder : undefined;
}
