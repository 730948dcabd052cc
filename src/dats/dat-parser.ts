/** The formats of DAT files. Each is described at its parser. */
export type DatFormat = 'logiqx' | 'clrmamepro' | 'softwarelist';

/** A parser that gets a DAT's text in pieces, cut anywhere. Both methods throw `DatRefused`. */
export interface DatParser {
  /** Line up to which the text was read, from 1. */
  readonly line: number;
  write(text: string): void;
  /** Signals that the text is complete; returns its format. */
  end(): DatFormat;
}
