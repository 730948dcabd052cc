import { DatRefused, type DatSink } from '../core/imports/dat.ts';
import { isClrmameproStart } from './clrmamepro/blocks.ts';
import { ClrmameproDat } from './clrmamepro/clrmamepro-dat.ts';
import type { DatFormat, DatParser } from './dat-parser.ts';
import { excerpt } from './normalise.ts';
import { XmlDat } from './xml/xml-dat.ts';

/** All formats. A parser gets the number of the line on which the text starts. */
const formats: readonly {
  isStart(text: string): boolean;
  parser(sink: DatSink, line: number): DatParser;
}[] = [
  {
    isStart: (text) => text.startsWith('<'),
    parser: (sink, line) => new XmlDat(sink, line),
  },
  {
    isStart: isClrmameproStart,
    parser: (sink, line) => new ClrmameproDat(sink, line),
  },
];

/**
 * Number of characters to collect before a file of an unknown format is refused. The error quotes
 * the first of these characters.
 */
const START = 64;

/**
 * Parses a DAT of any format. Detects the format from the first characters after leading white
 * space.
 */
export class AnyDat implements DatParser {
  readonly #sink: DatSink;
  #parser: DatParser | undefined;
  #start = '';
  #line = 1;

  constructor(sink: DatSink) {
    this.#sink = sink;
  }

  get line(): number {
    return this.#parser?.line ?? this.#line;
  }

  write(text: string): void {
    if (this.#parser !== undefined) {
      this.#parser.write(text);
      return;
    }
    this.#start = this.#withoutSpace(this.#start + text);
    const isKnown = formats.some(({ isStart }) => isStart(this.#start));
    if (isKnown || this.#start.length >= START) this.#recognise();
  }

  end(): DatFormat {
    if (this.#parser !== undefined) return this.#parser.end();
    if (this.#start === '') throw new DatRefused(this.#line, 'the file is empty');
    return this.#recognise().end();
  }

  /**
   * Returns `text` without leading white space, and adds the removed newlines to `#line`. A byte
   * order mark counts as white space, because \S does not match it.
   */
  #withoutSpace(text: string): string {
    const start = text.search(/\S/);
    const space = start < 0 ? text : text.slice(0, start);
    this.#line += space.split('\n').length - 1;
    return text.slice(space.length);
  }

  #recognise(): DatParser {
    const start = this.#start;
    this.#start = '';
    this.#parser = this.#parserOf(start);
    this.#parser.write(start);
    return this.#parser;
  }

  #parserOf(start: string): DatParser {
    const format = formats.find(({ isStart }) => isStart(start));
    if (format !== undefined) return format.parser(this.#sink, this.#line);
    throw new DatRefused(this.#line, `not a DAT file: it starts with ${excerpt(start)}`);
  }
}
