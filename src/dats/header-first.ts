import { type DatHeader, DatRefused, type DatRow, type DatSink } from '../core/imports/dat.ts';

/**
 * Passes the header of a DAT to the sink before the first row, as `DatSink` requires. Refuses a DAT
 * that has no header before the first row, and a DAT with two headers.
 */
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

  /**
   * Must be called at the start of each row. Passes the header to the sink before the first row.
   */
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
   * Must be called at the end of the DAT. A DAT with a header but without rows is valid, because
   * publishers issue such DATs for future platforms.
   */
  end(line: number): void {
    this.beginRow(line);
  }
}
