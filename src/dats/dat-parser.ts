/** Format of a DAT file. The parser class of each format documents that format. */
export type DatFormat = 'logiqx' | 'clrmamepro' | 'softwarelist';

/**
 * A parser that receives the text of a DAT in pieces. A piece may end anywhere, even inside a word.
 * `write` and `end` throw `DatRefused`.
 */
export interface DatParser {
  /** Current line. The first line is 1. */
  readonly line: number;
  write(text: string): void;
  /** Must be called after the last piece. Returns the format of the DAT. */
  end(): DatFormat;
}
