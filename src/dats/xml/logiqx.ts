import type { DatSink } from '../../core/imports/dat.ts';
import { HeaderFirst } from '../header-first.ts';
import { RowDraft } from '../row-draft.ts';
import type { Element, ElementReader } from './element-reader.ts';

/** Elements of a row whose data is in their attributes. The text of these elements is ignored. */
const ATTRIBUTE_ELEMENTS = new Set(['rom', 'disk', 'release']);

/**
 * Reads Logiqx XML (http://www.logiqx.com/Dats/datafile.dtd). A `datafile` contains a `header`,
 * followed by `game` or `machine` elements. The additions of No-Intro (`id` and `cloneofid` of a
 * game, `serial` and `status` of a ROM) and Redump (`serial` of a game) are also read. The output
 * of `mame -listxml` is also read. That output contains the same rows inside a `mame` element, and
 * no header.
 */
export class LogiqxReader implements ElementReader {
  readonly format = 'logiqx';
  readonly #output: HeaderFirst;
  #header: { name: string; description: string; version: string } | undefined;
  #row: RowDraft | undefined;

  constructor(sink: DatSink) {
    this.#output = new HeaderFirst(sink);
  }

  open({ name, attributes, depth, line }: Element): void {
    if (depth === 1 && name === 'mame') {
      const version = attributes.build ?? '';
      this.#output.header({ name: 'MAME', description: '', version }, line);
    } else if (depth === 2 && name === 'header') {
      this.#header = { name: '', description: '', version: '' };
    } else if (depth === 2 && (name === 'game' || name === 'machine')) {
      this.#output.beginRow(line);
      this.#row = new RowDraft(line);
      this.#row.setText('name', attributes.name ?? '');
      const { cloneof = '', id = '', cloneofid = '' } = attributes;
      this.#row.setParent({ cloneOf: cloneof, datId: id, cloneOfId: cloneofid });
    } else if (depth === 3 && (name === 'rom' || name === 'disk')) {
      this.#row?.addRom(attributes, line);
    } else if (depth === 3 && name === 'release') {
      this.#row?.addReleaseRegion(attributes.region ?? '');
    }
  }

  close({ name, depth, line }: Element, text: string): void {
    if (depth === 3 && this.#header !== undefined) {
      if (name === 'name' || name === 'description' || name === 'version') {
        this.#header[name] ||= text;
      }
    } else if (depth === 3 && !ATTRIBUTE_ELEMENTS.has(name)) {
      this.#row?.setText(name, text);
    } else if (depth === 2) {
      if (this.#header !== undefined) this.#output.header(this.#header, line);
      if (this.#row !== undefined) this.#output.row(this.#row.finish());
      this.#header = undefined;
      this.#row = undefined;
    }
  }

  end(line: number): void {
    this.#output.end(line);
  }
}
