/** The formats of DAT files; each is described where it is parsed. */
export type DatFormat = 'logiqx' | 'clrmamepro' | 'softwarelist';

/** A parser that is given a DAT's text in pieces, cut anywhere. Both methods throw `DatRefused`. */
export interface DatParser {
  /** Line of the text up to which it has read, from 1. */
  readonly line: number;
  write(text: string): void;
  /** Says that the text is complete; returns the format that it had. */
  end(): DatFormat;
}
