import type { DatSink } from '../../core/imports/dat.ts';
import { HeaderFirst } from '../header-first.ts';
import { RowDraft } from '../row-draft.ts';
import type { Element, ElementReader } from './element-reader.ts';

/**
 * Reads a MAME software list (https://github.com/mamedev/mame/blob/master/hash/softwarelist.dtd). A
 * `softwarelist` contains `software` elements with `part`s. A `part` contains `dataarea`s with
 * `rom`s and `diskarea`s with `disk`s.
 *
 * The `description` of the list and of each software is the usual name ("Sega Mega Drive
 * cartridges", "Sonic the Hedgehog (Euro, USA)"). The description becomes the name of the header or
 * row. The `name` attribute is a short identifier ("megadriv", "sonic") and is used only if there
 * is no description. An `info` becomes a field with the same name. An `info` with the name `serial`
 * becomes the serial instead. A `rom` or `disk` without hashes (padding, continued loading, never
 * dumped) is left out.
 */
export class SoftwareListReader implements ElementReader {
  readonly format = 'softwarelist';
  readonly #output: HeaderFirst;
  #row: RowDraft | undefined;
  #shortName = '';
  #hasDescription = false;

  constructor(sink: DatSink) {
    this.#output = new HeaderFirst(sink);
  }

  open({ name, attributes, depth, line }: Element): void {
    if (depth === 1) {
      const description = attributes.description ?? '';
      const listName = description.trim() === '' ? (attributes.name ?? '') : description;
      this.#output.header({ name: listName, description, version: '' }, line);
    } else if (depth === 2 && name === 'software') {
      this.#output.beginRow(line);
      this.#row = new RowDraft(line);
      this.#shortName = attributes.name ?? '';
      this.#hasDescription = false;
    } else if (depth === 3 && name === 'info') {
      this.#inform(attributes.name ?? '', attributes.value ?? '');
    } else if (depth === 5 && (name === 'rom' || name === 'disk')) {
      if (hasHash(attributes)) this.#row?.addRom(attributes, line);
    }
  }

  close({ name, depth }: Element, text: string): void {
    if (this.#row === undefined) return;
    if (depth === 3 && name === 'description') this.#describe(this.#row, text.trim());
    else if (depth === 3) this.#row.setField(name, text);
    if (depth > 2) return;
    if (!this.#hasDescription) this.#row.setText('name', this.#shortName);
    this.#output.row(this.#row.finish());
    this.#row = undefined;
  }

  end(line: number): void {
    this.#output.end(line);
  }

  #inform(key: string, value: string): void {
    if (key === 'serial') this.#row?.setText(key, value);
    else this.#row?.setField(key, value);
  }

  #describe(row: RowDraft, description: string): void {
    this.#hasDescription ||= description !== '';
    row.setText('name', description);
    row.setText('description', description);
  }
}

function hasHash(attributes: Element['attributes']): boolean {
  return ['crc', 'sha1', 'md5'].some((hash) => !['', '-'].includes(attributes[hash] ?? ''));
}
