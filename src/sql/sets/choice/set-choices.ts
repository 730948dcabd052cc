import { type RawBuilder, sql } from 'kysely';
import type { RecordFilter, ReleaseFilter } from '../../../core/releases/ports.ts';
import { busy } from '../../../core/shared/errors.ts';
import { IdMarks } from '../../../core/shared/id-marks.ts';
import type { SelectedSet } from '../../../core/shared/release-rule.ts';
import { currentClient } from '../../../core/shared/requests/client-context.ts';
import type { Engine } from '../../engine/engine.ts';
import { firstContent } from '../../releases/groups/group-records.ts';
import { isOwned } from '../../releases/release-conditions.ts';
import {
  type CountedFilter,
  countedRows,
  prepareCountFilter,
} from '../../releases/release-counts.ts';
import type { Trigrams } from '../../releases/trigram-sample.ts';
import { SetCache } from '../set-cache.ts';
import {
  type CandidateField,
  type CandidateText,
  candidateFields,
  separators,
  type TextChoice,
} from './candidate-text.ts';
import { ChoiceThread } from './choice-thread.ts';

/** Maximum memory for cached choices, in bytes. */
const maxCacheBytes = 16 * 1024 * 1024;
/** Estimated memory of a cached choice in addition to its marks, in bytes. */
const entryBytes = 1_000;
/** Number of candidates that one query reads. */
const candidatesPerRead = 20_000;

const unfiltered: ReleaseFilter = { system: '', q: '', search: '', platform: '', region: '' };

/** A set. If its rule compares covers, also the ids of the releases with a cover. */
type ChosenSet = Pick<RecordFilter, 'coveredIds'> & { readonly set: SelectedSet };

/** The candidates of a set, and the form in which they are read. */
interface Candidates {
  readonly set: SelectedSet;
  readonly found: CountedFilter;
  /**
   * True if separators within fields are replaced by blanks, because a field contains a separator.
   */
  readonly isCleaned: boolean;
}

/** Some candidates in the order of their groups. */
interface Chunk {
  readonly text: string | null;
  readonly rows: number;
  /** The last group. It may be incomplete, unless the chunk is the last one. */
  readonly last: string | null;
}

/**
 * Finds the releases that the preference of a set chooses among the releases that the rule of the
 * set selects. Caches the choices in a `SetCache`.
 */
export class SetChoices {
  readonly #engine: Pick<Engine, 'read' | 'longRead'>;
  readonly #trigrams: Trigrams;
  readonly #cache: SetCache<IdMarks>;
  readonly #thread = new ChoiceThread();
  readonly #perRead: number;

  constructor(parts: {
    engine: Pick<Engine, 'read' | 'longRead'>;
    trigrams: Trigrams;
    candidatesPerRead?: number | undefined;
  }) {
    this.#engine = parts.engine;
    this.#trigrams = parts.trigrams;
    this.#perRead = parts.candidatesPerRead ?? candidatesPerRead;
    const sizeOf = ({ bytes }: IdMarks) => bytes.length + entryBytes;
    this.#cache = new SetCache(parts.engine, { maxSize: maxCacheBytes, sizeOf });
  }

  /** Returns the ids of the releases of a set with a preference. */
  read(chosen: ChosenSet): Promise<IdMarks> {
    return this.#cache.read(chosen, () => this.#choose(chosen));
  }

  async #choose({ set, coveredIds }: ChosenSet): Promise<IdMarks> {
    this.#thread.start();
    const covers = coveredIds && { coveredIds };
    const filter = { ...unfiltered, ...covers, set: { ...set, prefer: null } };
    const found = await prepareCountFilter(this.#engine, filter, this.#trigrams);
    return (
      (await this.#chooseAmong({ set, found, isCleaned: false })) ??
      (await this.#chooseAmong({ set, found, isCleaned: true })) ??
      Promise.reject(new Error('the candidates of a set cannot be read'))
    );
  }

  /** Returns null if a field of a candidate contains a separator. */
  async #chooseAmong(candidates: Candidates): Promise<IdMarks | null> {
    const chosen: (Iterable<number> | null)[] = [];
    const keep = (choice: TextChoice | null) => chosen.push(choice?.chosen ?? null);
    let [from, limit] = ['', this.#perRead];
    let deciding: Promise<TextChoice | null> | null = null;
    const others: Promise<unknown>[] = [];
    const decide = async (choice: TextChoice | null) => {
      keep(choice);
      if (choice === null || choice.undecided.rows === 0) return;
      keep(await this.#decideByContents(candidates.set, choice));
    };
    for (;;) {
      const chunk = await this.#readChunk(candidates, from, limit);
      const isLast = chunk.rows < limit;
      if (!isLast && chunk.last === from) {
        limit *= 2; // all these candidates are of one group
        continue;
      }
      // Reads the next candidates while the thread chooses among these.
      await deciding;
      if (currentClient()?.signal.aborted) throw busy(new Error('no client waits for the choice'));
      deciding = this.#decide(candidates, chunk, isLast);
      others.push(handled(deciding.then(decide)));
      if (isLast || chunk.last === null) break;
      from = chunk.last;
      limit = this.#perRead;
    }
    await Promise.all(others);
    const readable = chosen.filter((ids) => ids !== null);
    return readable.length < chosen.length ? null : new IdMarks(readable);
  }

  async #readChunk(
    { set, found, isCleaned }: Candidates,
    from: string,
    limit: number,
  ): Promise<Chunk> {
    const db = this.#engine.longRead;
    const owned = set.prefer?.among === 'library' ? isOwned : sql`true`;
    const rows = countedRows(db, found)
      .select(['release.platform_id', 'release.group_key', 'release.id', 'release.name'])
      .select(['release.region', sql<number>`CASE WHEN ${owned} THEN 1 ELSE 0 END`.as('owned')])
      .where('release.group_key', '>=', from)
      .orderBy('release.group_key')
      .orderBy('release.platform_id')
      .limit(limit);
    const row = joined(candidateFields.map((field) => fieldText(field, isCleaned)));
    const order = sql`group_key, platform_id`;
    const { rows: read } = await sql<Chunk>`
      SELECT ${db.dialect.joinOrderedTexts(row, separators.row, order)} AS text,
        count(*) AS rows, max(group_key) AS last
      FROM (${rows}) AS candidate`.execute(db);
    const [chunk] = read;
    if (chunk === undefined) throw new Error('a count returned no row');
    return chunk;
  }

  /** Returns null if the candidates are not readable. */
  #decide(
    { set, isCleaned }: Candidates,
    { text, rows, last }: Chunk,
    isLast: boolean,
  ): Promise<TextChoice | null> {
    const lastGroup = isCleaned && last !== null ? withoutSeparators(last) : last;
    const incomplete = isLast ? null : lastGroup;
    return this.#chooseOnThread(set, { text: text ?? '', rows, incomplete, contents: null });
  }

  /** Decides the groups that a choice left undecided. */
  async #decideByContents(set: SelectedSet, { undecided }: TextChoice): Promise<TextChoice | null> {
    const contents = await this.#readContents(undecided.ids);
    return this.#chooseOnThread(set, { ...undecided, incomplete: null, contents });
  }

  #chooseOnThread({ prefer }: SelectedSet, candidates: CandidateText): Promise<TextChoice | null> {
    if (prefer === null) throw new Error('the set has no preference');
    return this.#thread.choose({ preference: prefer, candidates });
  }

  /**
   * Returns the id, the content (hashes of the first ROM) and the serial of releases, as rows for
   * `CandidateText.contents`.
   */
  async #readContents(ids: readonly number[]): Promise<string> {
    const db = this.#engine.longRead;
    const content = sql`coalesce(${firstContent}, '')`;
    const row = joined([sql`CAST(release.id AS text)`, content, cleaned('release.serial')]);
    const { rows } = await sql<{ text: string | null }>`
      SELECT ${db.dialect.joinOrderedTexts(row, separators.row, sql`release.id`)} AS text
      FROM release
      WHERE release.id IN ${db.dialect.list(ids, 'integer')}
        AND ${db.dialect.interruptionPoint(sql.ref('release.id'))}`.execute(db);
    return rows[0]?.text ?? '';
  }
}

/** Returns a field of a candidate as text, which is never null. */
function fieldText(field: CandidateField, isCleaned: boolean): RawBuilder<unknown> {
  const column = sql.ref(field);
  if (field === 'platform_id') return sql`coalesce(CAST(${column} AS text), '')`;
  if (field === 'id' || field === 'owned') return sql`CAST(${column} AS text)`;
  return isCleaned ? cleaned(field) : column;
}

/** Returns a promise that is awaited later. Until then, its rejection is not reported. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

function joined(fields: readonly RawBuilder<unknown>[]): RawBuilder<string> {
  return sql`${sql.join(fields, sql` || ${sql.lit(separators.field)} || `)}`;
}

/** Returns the SQL for the text of a column, with a blank in place of each separator. */
function cleaned(column: string): RawBuilder<unknown> {
  return Object.values(separators).reduce(
    (text, separator) => sql`replace(${text}, ${sql.lit(separator)}, ' ')`,
    sql`${sql.ref(column)}`,
  );
}

/** Like `cleaned`, but for a text in memory. */
function withoutSeparators(text: string): string {
  return Object.values(separators).reduce((one, separator) => one.replaceAll(separator, ' '), text);
}
