import { type Kysely, sql } from 'kysely';
import { joinSearchTexts, serialSearchText } from '../../../core/shared/search-text.ts';
import { normaliseSerials } from '../../../core/shared/serial.ts';
import type { Tables } from '../../tables.ts';

const releasesAtOnce = 500;

/**
 * Normalises again the serials that metadata files filled in. Earlier, a separate rule normalised
 * these serials and their part of the search text. That rule did not remove slashes, dots, commas
 * and revisions. Now core's rule is used for both, and `release_text.filled` stores the part of the
 * search text.
 */
export const filledSerials = {
  name: '0010-filled-serials',
  async statements(trx: Kysely<Tables>): Promise<void> {
    await sql`ALTER TABLE release_text ADD COLUMN filled TEXT NOT NULL DEFAULT ''`.execute(trx);
    const values = new ValuesOfForms(trx);
    for (let last = 0; ; ) {
      const releases = await nextReleases(trx, last);
      const renewed: Renewed[] = [];
      for (const release of releases) renewed.push(await renew(release, values));
      await write(trx, renewed);
      last = releases.at(-1)?.id ?? 0;
      if (releases.length < releasesAtOnce) return;
    }
  },
};

interface FilledRelease {
  readonly id: number;
  readonly platformId: number | null;
  readonly serial: string;
  /** Search text of the values that users edited; "" if the release was not edited. */
  readonly own: string;
  /** JSON array of the normalised forms of the release's serial, as stored now. */
  readonly forms: string;
}

interface Renewed {
  readonly id: number;
  readonly forms: readonly string[];
  readonly filled: string;
}

/** Returns SQL for the earlier rule of normalising serials. */
const oldForm = (text: string) => {
  return sql`upper(replace(replace(replace(${sql.ref(text)}, '-', ''), ' ', ''), '_', ''))`;
};

/**
 * Returns the next releases with serials that metadata files filled in. Omits serials edited by
 * hand, because core's rule was always used for such serials.
 */
async function nextReleases(trx: Kysely<Tables>, last: number): Promise<FilledRelease[]> {
  const { rows } = await sql<FilledRelease>`
    SELECT release.id, release.platform_id AS "platformId", release.serial, release_text.own,
      json_group_array(form.serial) AS forms
    FROM release_serial AS form
    JOIN release ON release.id = form.release_id
    JOIN release_text ON release_text.release_id = release.id
    WHERE form.source_id = 0 AND form.release_id > ${last} AND NOT EXISTS (
      SELECT 1 FROM release_edit AS edit WHERE edit.release_id = release.id AND edit.field = 'serial')
    GROUP BY release.id ORDER BY release.id LIMIT ${releasesAtOnce}`.execute(trx);
  return rows;
}

async function renew(release: FilledRelease, values: ValuesOfForms): Promise<Renewed> {
  const serials = new Set<string>();
  for (const form of JSON.parse(release.forms) as string[]) {
    serials.add(await values.find(release, form));
  }
  const search = joinSearchTexts([...serials].map(serialSearchText));
  return {
    id: release.id,
    forms: [...new Set([...serials].flatMap(normaliseSerials))],
    filled: release.own.includes(search) ? '' : search,
  };
}

/**
 * Finds the serial from which a stored form was made. The result is the serial that the release
 * shows, or a serial from a metadata file.
 */
class ValuesOfForms {
  readonly #trx: Kysely<Tables>;
  #platformId: number | null = null;
  #values = new Map<string, string>();

  constructor(trx: Kysely<Tables>) {
    this.#trx = trx;
  }

  /**
   * Returns the serial from which a form was made. Returns the form itself if no serial has this
   * form any more.
   */
  async find({ platformId, serial }: FilledRelease, form: string): Promise<string> {
    if (normaliseSerials(serial).includes(form)) return serial;
    const { rows } = await sql<{ shown: string }>`
      SELECT ${oldForm('shown')} AS shown FROM (SELECT ${serial} AS shown)`.execute(this.#trx);
    if (rows[0]?.shown === form) return serial;
    if (platformId !== this.#platformId) await this.#load(platformId);
    return this.#values.get(form) ?? form;
  }

  async #load(platformId: number | null): Promise<void> {
    const { rows } = await sql<{ form: string; value: string }>`
      SELECT DISTINCT ${oldForm('value')} AS form, value FROM metadata_row
      WHERE platform_id = ${platformId} AND field = 'serial' ORDER BY value DESC`.execute(
      this.#trx,
    );
    this.#platformId = platformId;
    this.#values = new Map(rows.map(({ form, value }) => [form, value]));
  }
}

async function write(trx: Kysely<Tables>, renewed: readonly Renewed[]): Promise<void> {
  const json = JSON.stringify(renewed);
  await sql`DELETE FROM release_serial WHERE source_id = 0
    AND release_id IN (SELECT value ->> 'id' FROM json_each(${json}))`.execute(trx);
  await sql`INSERT INTO release_serial (release_id, source_id, serial)
    SELECT release.value ->> 'id', 0, form.value
    FROM json_each(${json}) AS release, json_each(release.value, '$.forms') AS form`.execute(trx);
  await sql`UPDATE release_text SET filled = renewed.filled, text = trim(own || ' ' || renewed.filled
      || ' ' || coalesce((
        SELECT group_concat(said.search, ' ' ORDER BY said.source_id) FROM source_row AS said
        WHERE said.release_id = release_text.release_id), ''))
    FROM (SELECT value ->> 'id' AS id, value ->> 'filled' AS filled FROM json_each(${json})) AS renewed
    WHERE release_text.release_id = renewed.id`.execute(trx);
}
