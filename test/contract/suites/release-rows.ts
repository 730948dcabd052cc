import { kindBitsOf } from '../../../src/core/shared/names/kind-bits.ts';
import { emptyTexts, type OwnTexts } from '../../../src/core/shared/release-fields.ts';
import type { Database, Engine } from '../../../src/sql/engine/engine.ts';
import { indexOwnText } from '../../../src/sql/releases/release-text.ts';

/** A release for a test. Omitted fields are empty. */
export interface ReleaseRow extends Partial<OwnTexts> {
  readonly name: string;
  readonly system?: string;
  readonly platform?: string;
}

/** Writes releases directly into the tables. Returns their ids. */
export function addReleases(engine: Engine, rows: readonly ReleaseRow[]): Promise<number[]> {
  return engine.write(async (trx) => {
    const platforms = new Map<string, number>();
    const ids: number[] = [];
    for (const { system = 'games', platform, ...texts } of rows) {
      if (platform !== undefined && !platforms.has(platform)) {
        const key = platform.toLowerCase().replace(/[^a-z0-9]/g, '');
        const { id } = await trx
          .insertInto('platform')
          .values({ key, name: platform })
          .returning('id')
          .executeTakeFirstOrThrow();
        platforms.set(platform, id);
      }
      const platform_id = platform === undefined ? null : (platforms.get(platform) ?? null);
      const { id } = await trx
        .insertInto('release')
        .values({ ...emptyTexts, ...texts, platform_id, system, kinds: kindBitsOf(texts.name) })
        .returning('id')
        .executeTakeFirstOrThrow();
      await indexOwnText(trx, id);
      ids.push(id);
    }
    return ids;
  });
}

interface Rom {
  readonly size: number;
  readonly crc32: string;
  readonly md5: string;
  readonly sha1: string;
}

/** Writes a ROM and its hashes like an import. */
export function addRom(engine: Engine, releaseId: number, rom: Rom): Promise<void> {
  return engine.write((trx) => insertRom(trx, releaseId, rom));
}

export async function insertRom(trx: Database, release_id: number, rom: Rom): Promise<void> {
  const values = { ...rom, release_id, position: 0, name: 'rom.bin', serial: '' };
  await trx.insertInto('rom').values(values).execute();
  const { crc32, size, md5, sha1 } = rom;
  const hashes = [sha1, md5, crc32 && `${crc32}:${size}`].filter((hash) => hash !== '');
  await trx
    .insertInto('rom_hash')
    .values(hashes.map((hash) => ({ hash, release_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
