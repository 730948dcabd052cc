/** The formats of DAT files. The parser of each format describes it. */
export type DatFormat = 'logiqx' | 'clrmamepro' | 'softwarelist';

/**
 * A parser that receives a DAT's text in pieces. A piece may end anywhere, even inside a word. Both
 * methods throw `DatRefused`.
 */
export interface DatParser {
  /** Line that the parser has reached. The first line is 1. */
  readonly line: number;
  write(text: string): void;
  /** Call it after the last piece. Returns the format of the DAT. */
  end(): DatFormat;
}
