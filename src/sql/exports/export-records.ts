import { sql } from 'kysely';
import type {
  ExportArchive,
  ExportFile,
  ExportRelease,
} from '../../core/exports/plan/export-release.ts';
import type { ExportRecords } from '../../core/exports/ports.ts';
import { archiveFormats, plainContainers } from '../../core/library/containers.ts';
import type { ArchiveMember, Identity } from '../../core/library/identity.ts';
import { belongToOneDisc, imagesAmong } from '../../core/library/main-member.ts';
import type { Database, Engine } from '../engine/engine.ts';

const romFields = ['name', 'size', 'crc32'] as const;
/**
 * The containers whose bytes may be those of a ROM. Excludes dumps in another form: `copier`, `smd`
 * and `n64`.
 */
const plain: ReadonlySet<string> = new Set(
  plainContainers.filter((container) => !['copier', 'smd', 'n64'].includes(container)),
);
/** The methods that compare the bytes of a file with those of a ROM. */
const exactMethods: ReadonlySet<string> = new Set(['sha1', 'md5', 'crc32']);

const archives: ReadonlySet<string> = new Set(archiveFormats);

/**
 * Reads the data that exports contain: about releases, and about the library files of these
 * releases.
 */
export class SqlExportRecords implements ExportRecords {
  readonly #db: Database;

  constructor({ engine }: { engine: Engine }) {
    this.#db = engine.read;
  }

  async describe(ids: readonly number[]): Promise<ExportRelease[]> {
    const [releases, files] = await Promise.all([this.#releases(ids), this.#files(ids)]);
    return ids.flatMap((id) => {
      const release = releases.get(id);
      return release === undefined ? [] : [{ ...release, files: files.get(id) ?? [] }];
    });
  }

  async #releases(ids: readonly number[]): Promise<Map<number, Omit<ExportRelease, 'files'>>> {
    const { dialect } = this.#db;
    const fields = romFields.map((field) => [field, sql.ref(`rom.${field}`)] as const);
    const roms = dialect.jsonArray(
      dialect.jsonObject(Object.fromEntries(fields)),
      sql.ref('rom.position'),
    );
    const rows = await this.#db
      .selectFrom('listed_release as release')
      .leftJoin('release_meta as meta', 'meta.release_id', 'release.id')
      .select(['release.id', 'release.name', 'release.region', 'release.serial'])
      .select(['meta.title', 'meta.synopsis', 'meta.release_date', 'meta.developer'])
      .select(['meta.publisher', 'meta.genre', 'meta.franchise'])
      .select(sql<string>`(SELECT ${roms} FROM rom WHERE rom.release_id = release.id)`.as('roms'))
      .where(sql<boolean>`release.id IN ${dialect.list(ids, 'integer')}`)
      .execute();
    return new Map(
      rows.map(({ id, name, region, serial, ...meta }) => [
        id,
        {
          ...{ id, name, region, serial },
          title: meta.title ?? '',
          synopsis: meta.synopsis ?? '',
          releaseDate: meta.release_date ?? '',
          developer: meta.developer ?? '',
          publisher: meta.publisher ?? '',
          genre: meta.genre ?? '',
          franchise: meta.franchise ?? '',
          roms: JSON.parse(meta.roms),
        },
      ]),
    );
  }

  async #files(ids: readonly number[]): Promise<Map<number, ExportFile[]>> {
    const rows = await this.#db
      .selectFrom('library_file as file')
      .select(['file.id', 'file.release_id', 'file.name', 'file.path', 'file.size', 'file.method'])
      .select(['file.canonical', 'file.problem', 'file.identity'])
      .where(sql<boolean>`file.release_id IN ${this.#db.dialect.list(ids, 'integer')}`)
      .orderBy('file.name')
      .orderBy('file.id')
      .execute();
    const byRelease = new Map<number, ExportFile[]>();
    for (const { release_id: releaseId, identity, ...row } of rows) {
      if (releaseId === null) continue;
      const files = byRelease.get(releaseId) ?? [];
      byRelease.set(releaseId, files);
      files.push(toFile(row, JSON.parse(identity)));
    }
    return byRelease;
  }
}

type FileRow = Pick<ExportFile, 'id' | 'name' | 'size' | 'canonical' | 'problem'> & {
  readonly path: string;
  readonly method: string | null;
};

function toFile({ path, method, ...row }: FileRow, identity: Identity): ExportFile {
  const { container, members, sheet, evidence } = identity;
  const images = imagesAmong(members);
  const [image] = images;
  return {
    ...row,
    folder: path.slice(0, path.lastIndexOf('/')),
    container,
    isExact: exactMethods.has(method ?? '') && plain.has(container),
    sheet: sheet.map(({ name }) => name),
    inside:
      members.length === 0
        ? null
        : { images: images.length, name: images.length === 1 ? (image?.name ?? null) : null },
    archive: archives.has(container) ? toArchive(container, members, images) : null,
    member: null,
    isNkit: container === 'nkit' || Object.keys(evidence).some((key) => key.startsWith('NKit')),
  };
}

function toArchive(
  format: string,
  members: readonly ArchiveMember[],
  images: readonly ArchiveMember[],
): ExportArchive {
  const areImages = new Set(images);
  return {
    isOneDisc: belongToOneDisc(members),
    isHashed: members.every(({ hashes }) => hashes !== null),
    members: members.map((member, index) => {
      const { name, size, crc32, hashes } = member;
      // The hashes of a packed image describe the unpacked image, not the member itself.
      const isOwn = hashes !== null && hashes.size === size && hashes.crc32 === crc32;
      const sha1 = isOwn ? hashes.sha1 : null;
      return { format, index, name, size, crc32, sha1, isImage: areImages.has(member) };
    }),
  };
}
