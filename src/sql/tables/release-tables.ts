import type { Generated, GeneratedAlways } from 'kysely';
import type { MetadataColumn, OwnField } from '../../core/shared/release-fields.ts';

type OwnColumns = Record<OwnField, string>;

/** Releases with their ROMs and metadata, as users see them and as sources state them. */
export interface ReleaseTables {
  release: {
    id: Generated<number>;
    platform_id: number | null;
    system: string;
    /** See `newRevision`. */
    revision: Generated<number>;
    /** See `sortName`. The engine calculates the text from the name. */
    sort_name: GeneratedAlways<string>;
    /** The group that the sources of the release state by `cloneof`; "" for none. */
    clone_group: Generated<string>;
    /** The group into which an editor put the release; null for none. */
    edited_group: string | null;
    /**
     * Releases of a platform with the same key are one group. The engine calculates the key from
     * `edited_group`, `clone_group` and the name (`groupKeyOf`).
     */
    group_key: GeneratedAlways<string>;
    /** The kinds that the name states, as bits (`kindBitsOf`). */
    kinds: Generated<number>;
  } & OwnColumns;
  /** A view of the releases that users see. The view omits the releases of an unfinished import. */
  listed_release: Omit<
    ReleaseTables['release'],
    'id' | 'revision' | 'sort_name' | 'clone_group' | 'edited_group' | 'group_key' | 'kinds'
  > & {
    id: number;
    revision: number;
    sort_name: string;
    clone_group: string;
    edited_group: string | null;
    group_key: string;
    kinds: number;
  };
  /** A saved rule that selects releases. */
  release_set: {
    id: Generated<number>;
    name: string;
    /** Null if the set has no owner. */
    owner_id: number | null;
    /** True if all users see the set. */
    shared: boolean;
    /** JSON of Rule. */
    rule: string;
    /** JSON of the preferred editions; null if all releases of the rule belong to the set. */
    prefer: string | null;
    created_at: string;
    updated_at: string;
  };
  /**
   * The number of releases with each combination of these values. The engine updates the numbers
   * with every change of the releases. `platform_id` is 0 for releases without a platform. `hidden`
   * is true for releases of an unfinished import.
   */
  release_count: {
    hidden: boolean;
    system: string;
    platform_id: number;
    region: string;
    /** The first character of the release names. */
    initial: string;
    /** The first character of `sort_name`. */
    title_initial: string;
    releases: number;
  };
  /**
   * For each part, a number that changes whenever the content that the part shows changes. Triggers
   * change the number, except for covers, archives and the library. The number of the library
   * counts its refreshes.
   */
  part_revision: {
    part: 'catalogue' | 'accounts' | 'covers' | 'archives' | 'library';
    number: number;
  };
  rom: {
    id: Generated<number>;
    release_id: number;
    position: number;
    name: string;
    size: number;
    crc32: string;
    md5: string;
    sha1: string;
    serial: string;
  };
  /** Hashes that match files with releases: the `sha1`, `md5` and `crc32:size` of each ROM. */
  rom_hash: { hash: string; release_id: number };
  /** The data that a source states about a release. The release itself may show other values. */
  source_row: {
    source_id: number;
    release_id: number;
    dump_sha1: string;
    dump_md5: string;
    dump_crc: string;
    /** Digest of the row's ROMs, including their names. A different digest means changed ROMs. */
    roms_digest: string;
    /** The name of the row's parent in the DAT (`cloneof`); "" for none. */
    clone_of: Generated<string>;
    /** The group of the parent; "" if the row is neither a parent nor has one. */
    clone_group: Generated<string>;
    /** The folded name and serials, for finding the release in a search. */
    search: string;
    /** True if this source created the release. The release then shows the values of the source. */
    is_shown: boolean;
    /** True if the newest version of the source no longer lists the release. */
    gone: boolean;
  } & OwnColumns;
  release_meta: {
    release_id: number;
    title: string;
    manual: boolean;
  } & Record<MetadataColumn, string | null>;
  /** The serials of releases, normalised. */
  release_serial: { release_id: number; source_id: number; serial: string };
  /**
   * The search text of a release:
   * - `own`: the text of values edited by hand;
   * - `filled`: the text of a serial from a metadata file;
   * - `text`: the whole search text, which consists of `own`, `filled` and the texts of the
   *   release's sources.
   */
  release_text: { release_id: number; own: string; filled: string; text: string };
  /** Fields that were edited by hand. Imports do not change these fields. */
  release_edit: { release_id: number; field: string; edited_at: string };
}
