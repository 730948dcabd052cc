import { limitOf, ownFields } from '../shared/release-fields.ts';
import { lengthProblem } from '../shared/text-limits.ts';
import { type DatHeader, DatRefused, type DatRow, type DatSink } from './dat.ts';
import { factsOf, type MetadataFact } from './metadata.ts';
import type { ImportedDat, RowSink } from './ports.ts';
import { type StagedRow, stagedRow } from './staged-row.ts';

/** Maximum number of refused rows that are reported individually. */
const maxSamples = 20;

/**
 * Adds the rows that a parser reads to an import, and determines the kind of the file. A file is a
 * DAT if one of its rows has a name and a ROM with a size. Disks in MAME's lists have no size, so
 * an MD5 or SHA-1 is accepted instead. Any other file is a metadata file.
 */
export class DatIntake implements DatSink {
  rows = 0;
  readonly #sink: RowSink;
  #header: DatHeader | undefined;
  #isDat = false;
  #hasFacts = false;
  #refusedCount = 0;
  #tooLongCount = 0;
  readonly #refusedSamples: string[] = [];

  constructor(sink: RowSink) {
    this.#sink = sink;
  }

  header(header: DatHeader): void {
    this.#header = header;
  }

  row(row: DatRow): void {
    this.rows += 1;
    const hasName = row.name !== '';
    this.#isDat ||= hasName && row.roms.some((rom) => rom.size !== null || rom.sha1 || rom.md5);
    const staged = hasName ? stagedRow(row) : null;
    const facts = hasName && this.#isDat ? [] : factsOf(row);
    const problem = tooLong(staged, facts);
    if (problem !== null) {
      this.#tooLongCount += 1;
      this.#refuse(row, problem);
      if (staged !== null) this.#sink.addRefused(staged);
      return;
    }
    if (staged !== null) this.#sink.add(staged);
    this.#hasFacts ||= facts.length > 0 && !hasName;
    if (facts.length > 0) this.#sink.addFacts(facts, hasName);
    else if (!hasName) this.#refuse(row, 'it has no name, and says nothing that releases keep');
  }

  /** Returns data about the imported file. Throws `DatRefused` when the file had no header. */
  result(path: string, sha256: string): ImportedDat {
    if (this.#header === undefined) throw new DatRefused(1, 'it has no header');
    return {
      fileName: baseName(path),
      sha256,
      header: this.#header,
      kind: this.#isDat ? 'dat' : 'metadata',
      hasFacts: this.#hasFacts,
      rows: this.rows,
      refusedRows: {
        count: this.#refusedCount,
        tooLong: this.#tooLongCount,
        samples: this.#refusedSamples,
      },
    };
  }

  #refuse(row: DatRow, reason: string): void {
    this.#refusedCount += 1;
    if (this.#refusedSamples.length < maxSamples) {
      this.#refusedSamples.push(`line ${row.line}: ${reason}`);
    }
  }
}

/** Returns the file name under which an import is recorded: the last part of its path. */
export function baseName(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}

/**
 * Returns the reason why a row is refused, "FIELD must be at most ... long", if a text exceeds its
 * limit. Returns null otherwise.
 */
function tooLong(row: StagedRow | null, facts: readonly MetadataFact[]): string | null {
  const own = ownFields.map((field) => [field, row?.[field] ?? ''] as const);
  const stated = facts.map(({ field, value }) => [field, value] as const);
  for (const [field, text] of [...own, ...stated]) {
    const problem = lengthProblem(text, limitOf(field));
    if (problem !== null) return `${field} ${problem}`;
  }
  return null;
}
