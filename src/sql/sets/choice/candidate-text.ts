import { EditionChooser, type Preference, tiesIn } from '../../../core/shared/groups/choose.ts';
import type { EditionReader } from '../../../core/shared/groups/editions.ts';
import type { GroupRelease } from '../../../core/shared/groups/group.ts';

/** The characters between the fields of a row, and between rows. */
export const separators = { field: '\u001f', row: '\u001e' };
/** The fields of a row, in order. `owned` is 1 for a release that the library has. */
const fields = ['id', 'platform_id', 'group_key', 'name', 'region', 'owned'] as const;
export type CandidateField = (typeof fields)[number];
export const candidateFields: readonly CandidateField[] = fields;

/** Candidates of whole groups as text, one group after the other. */
export interface CandidateText {
  readonly text: string;
  readonly rows: number;
  /**
   * The group that is incomplete in this text. Its rows are ignored. Null if all groups are
   * complete.
   */
  readonly incomplete: string | null;
  /**
   * The fields id, content and serial of the releases that are tied in all other fields. Null if
   * these fields were not read.
   */
  readonly contents: string | null;
}

/** The result of choosing among some candidates. */
export interface TextChoice {
  /** The ids of the chosen releases, from the groups that could be decided. */
  readonly chosen: Float64Array<ArrayBuffer>;
  /**
   * The rows of the groups that cannot be decided without the contents and serials of some
   * releases. `ids` are the ids of these releases.
   */
  readonly undecided: { readonly text: string; readonly rows: number; readonly ids: number[] };
}

/**
 * The rows of a group in a text: from `start` to `end`, without the separator after the last row.
 */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly rows: number;
}

/** Chooses editions among candidates that are given as text. */
export class TextChooser {
  readonly #chooser: EditionChooser;
  readonly #among: Preference['among'];

  constructor(preference: Preference, reader?: EditionReader) {
    this.#chooser = new EditionChooser(preference, reader);
    this.#among = preference.among;
  }

  /**
   * Returns null if the text cannot be split into the expected rows, because a field contains a
   * separator.
   */
  choose(candidates: CandidateText): TextChoice | null {
    const { text } = candidates;
    const spans = groupsOf(candidates);
    if (spans === null) return null;
    const contents = contentsOf(candidates.contents);
    const chosen: number[] = [];
    const undecided: string[] = [];
    const ids: number[] = [];
    let undecidedRows = 0;
    for (const span of spans) {
      const { start, end, rows } = span;
      if (rows === 1) {
        const isPossible = this.#among === 'catalogue' || isOwnedAt(text, end);
        if (isPossible) chosen.push(idAt(text, start));
        continue;
      }
      const group = releasesIn(text, span, contents);
      if (group === null) return null;
      const knowsContents = contents !== null;
      const releases = this.#chooser.chooseReleases(group.releases, group.owned, {
        knowsContents,
      });
      if (releases === null) {
        undecided.push(text.slice(start, end));
        undecidedRows += rows;
        ids.push(...tiesIn(group.releases).map(({ id }) => id));
      } else for (const { id } of releases) chosen.push(id);
    }
    return {
      chosen: Float64Array.from(chosen),
      undecided: { text: undecided.join(separators.row), rows: undecidedRows, ids },
    };
  }
}

/**
 * Returns the groups of a text. Returns null if the text does not have the expected number of rows.
 */
function groupsOf({ text, rows, incomplete }: CandidateText): Span[] | null {
  const { field, row } = separators;
  const spans: Span[] = [];
  let found = 0;
  /** The platform and the group of the last row, each with its separator; "" for none. */
  let key = '';
  let [groupStart, groupRows, groupEnd] = [0, 0, 0];
  let isIncomplete = false;
  for (let start = 0; start <= text.length && rows > 0; found += 1) {
    const next = text.indexOf(row, start);
    const end = next < 0 ? text.length : next;
    const keyStart = text.indexOf(field, start) + 1;
    if (key === '' || !text.startsWith(key, keyStart)) {
      if (groupRows > 0 && !isIncomplete) {
        spans.push({ start: groupStart, end: groupEnd, rows: groupRows });
      }
      const nameStart = text.indexOf(field, keyStart) + 1;
      // Each release without a platform is a group of its own.
      const isAlone = nameStart === keyStart + 1;
      key = isAlone ? '' : text.slice(keyStart, text.indexOf(field, nameStart) + 1);
      isIncomplete = incomplete !== null && text.startsWith(`${incomplete}${field}`, nameStart);
      [groupStart, groupRows] = [start, 0];
    }
    groupRows += 1;
    groupEnd = end;
    start = end + 1;
  }
  if (groupRows > 0 && !isIncomplete) {
    spans.push({ start: groupStart, end: groupEnd, rows: groupRows });
  }
  return found === rows ? spans : null;
}

const noIds: ReadonlySet<number> = new Set();

/** Returns the releases of a group. Returns null if a row does not have the expected fields. */
function releasesIn(
  text: string,
  { start, end }: Span,
  contents: ReadonlyMap<number, Content> | null,
) {
  const releases: GroupRelease[] = [];
  let owned: Set<number> | undefined;
  for (let at = start; at < end; ) {
    const next = text.indexOf(separators.row, at);
    const rowEnd = next < 0 || next > end ? end : next;
    const idEnd = text.indexOf(separators.field, at);
    const platformEnd = text.indexOf(separators.field, idEnd + 1);
    const groupEnd = text.indexOf(separators.field, platformEnd + 1);
    const nameEnd = text.indexOf(separators.field, groupEnd + 1);
    const regionEnd = text.indexOf(separators.field, nameEnd + 1);
    // The last field has one character.
    if (regionEnd + 2 !== rowEnd) return null;
    const id = Number(text.slice(at, idEnd));
    const name = text.slice(groupEnd + 1, nameEnd);
    const region = text.slice(nameEnd + 1, regionEnd);
    const { serial, content } = contents?.get(id) ?? noContent;
    releases.push({ id, name, region, serial, content });
    if (text[rowEnd - 1] === '1') owned = (owned ?? new Set()).add(id);
    at = rowEnd + 1;
  }
  return { releases, owned: owned ?? noIds };
}

function idAt(text: string, start: number): number {
  return Number(text.slice(start, text.indexOf(separators.field, start)));
}

function isOwnedAt(text: string, end: number): boolean {
  return text.endsWith(`${separators.field}1`, end);
}

type Content = Pick<GroupRelease, 'serial' | 'content'>;
const noContent: Content = { serial: '', content: '' };

function contentsOf(text: string | null): ReadonlyMap<number, Content> | null {
  if (text === null) return null;
  return new Map(
    text.split(separators.row).map((row) => {
      const [id, content = '', serial = ''] = row.split(separators.field);
      return [Number(id), { serial, content }];
    }),
  );
}
