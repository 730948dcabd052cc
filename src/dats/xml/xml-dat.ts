import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { DatRefused, type DatSink } from '../../core/imports/dat.ts';
import type { DatFormat, DatParser } from '../dat-parser.ts';
import { MAX_DEPTH, MAX_ROW, MAX_TOKEN } from '../limits.ts';
import { excerpt } from '../normalise.ts';
import type { Element, ElementReader } from './element-reader.ts';
import { entitiesOf } from './entities.ts';
import { LogiqxReader } from './logiqx.ts';
import { SoftwareListReader } from './softwarelist.ts';

/**
 * Parses a DAT in XML. Enforces the limits of limits.ts. Passes the elements to the `ElementReader`
 * of the format, which the root element determines.
 */
export class XmlDat implements DatParser {
  readonly #sink: DatSink;
  readonly #xml = new SaxesParser({ xmlns: false, position: false });
  /** The open elements, outermost first. `#texts` contains the text of each open element so far. */
  readonly #open: Element[] = [];
  readonly #texts: string[] = [];
  #reader: ElementReader | undefined;
  #tagLine = 1;
  /**
   * Positions at which the current token (`#tokenStart`) and the current element of depth 2
   * (`#rowStart`) start. Both are in characters from the start of the document.
   */
  #tokenStart = 0;
  #rowStart = 0;

  constructor(sink: DatSink, line: number) {
    this.#sink = sink;
    this.#xml.line = line;
    this.#xml.on('error', (error) => this.#refuse(`not well-formed XML: ${sentence(error)}`));
    this.#xml.on('doctype', (text) => this.#doctype(text));
    this.#xml.on('opentagstart', () => this.#tagStart());
    this.#xml.on('opentag', (tag) => this.#openTag(tag));
    this.#xml.on('closetag', () => this.#closeTag());
    this.#xml.on('text', (text) => this.#text(text));
    this.#xml.on('cdata', (text) => this.#text(text));
    this.#xml.on('comment', () => this.#endToken());
    this.#xml.on('processinginstruction', () => this.#endToken());
  }

  get line(): number {
    return this.#xml.line;
  }

  write(text: string): void {
    this.#xml.write(text);
    if (this.#xml.position - this.#tokenStart > MAX_TOKEN) {
      this.#refuse(`a text or tag of more than ${MAX_TOKEN} characters`);
    }
    if (this.#open.length > 1 && this.#xml.position - this.#rowStart > MAX_ROW) {
      this.#refuse(`a <${this.#open[1]?.name}> of more than ${MAX_ROW} characters`);
    }
  }

  end(): DatFormat {
    const inside = this.#open[1] ?? this.#open[0];
    if (inside !== undefined) this.#refuse(`the file ends inside a <${inside.name.slice(0, 40)}>`);
    this.#xml.close();
    const reader = this.#reader as ElementReader;
    return reader.format;
  }

  #doctype(text: string): void {
    this.#xml.ENTITIES = entitiesOf(text, (reason) => this.#refuse(reason));
    this.#endToken();
  }

  #tagStart(): void {
    // If a newline directly follows the tag's name, saxes has already counted that newline.
    // Subtract 1 to get the line of the tag.
    this.#tagLine = this.#xml.column === 0 ? this.line - 1 : this.line;
  }

  #openTag(tag: SaxesTagPlain): void {
    const depth = this.#open.length + 1;
    if (depth > MAX_DEPTH) this.#refuse(`elements more than ${MAX_DEPTH} deep`);
    if (depth === 2) this.#rowStart = this.#tokenStart;
    this.#endToken();
    const { name, attributes } = tag;
    const element: Element = { name, attributes, depth, line: this.#tagLine };
    this.#reader ??= this.#readerOf(element);
    this.#open.push(element);
    this.#texts.push('');
    this.#reader.open(element);
  }

  #closeTag(): void {
    this.#endToken();
    const element = this.#open.pop();
    const text = this.#texts.pop() ?? '';
    if (element !== undefined) this.#reader?.close(element, text);
    if (this.#open.length === 0) this.#reader?.end(this.line);
  }

  /**
   * Adds text to the current element. Text directly in the root element is ignored, because it is
   * only formatting and may be as long as the file.
   */
  #text(text: string): void {
    this.#endToken();
    const last = this.#texts.length - 1;
    if (last > 0) this.#texts[last] += text;
  }

  #endToken(): void {
    this.#tokenStart = this.#xml.position;
  }

  #readerOf(root: Element): ElementReader {
    if (root.name === 'datafile' || root.name === 'mame') return new LogiqxReader(this.#sink);
    if (root.name === 'softwarelist') return new SoftwareListReader(this.#sink);
    if (root.name === 'softwarelists') {
      throw new DatRefused(root.line, 'several software lists in one file: import each by itself');
    }
    throw new DatRefused(
      root.line,
      `not a DAT file: its root element is ${excerpt(root.name)}, not "datafile" or "softwarelist"`,
    );
  }

  #refuse(reason: string): never {
    throw new DatRefused(this.line, reason);
  }
}

function sentence(error: Error): string {
  return error.message.replace(/\.$/, '');
}
