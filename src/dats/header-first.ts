import { type DatHeader, DatRefused, type DatRow, type DatSink } from '../core/imports/dat.ts';

/** Passes the header and rows on in the order that `DatSink` promises, or refuses the file. */
export class HeaderFirst {
  readonly #sink: DatSink;
  #header: DatHeader | undefined;
  #isHandedOver = false;

  constructor(sink: DatSink) {
    this.#sink = sink;
  }

  header(header: DatHeader, line: number): void {
    if (this.#header !== undefined) throw new DatRefused(line, 'a second header');
    this.#header = {
      name: header.name.trim(),
      description: header.description.trim(),
      version: header.version.trim(),
    };
  }

  /** Must be called at the start of each row. */
  beginRow(line: number): void {
    if (this.#isHandedOver) return;
    if (this.#header === undefined) throw new DatRefused(line, 'no header before the first row');
    if (this.#header.name === '') throw new DatRefused(line, 'no header name');
    this.#isHandedOver = true;
    this.#sink.header(this.#header);
  }

  row(row: DatRow): void {
    this.#sink.row(row);
  }

  /**
   * Ends the DAT. A DAT with a header but no rows is valid: publishers have them for future
   * platforms.
   */
  end(line: number): void {
    this.beginRow(line);
  }
}
