import type { DatFormat } from '../dat-parser.ts';

/** An element of the document; `depth` is 1 for the root. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | undefined>>;
  readonly depth: number;
  /** Line on which its tag starts, from 1. */
  readonly line: number;
}

/** Reads the elements of an XML format, in document order. Its methods throw `DatRefused`. */
export interface ElementReader {
  readonly format: DatFormat;
  open(element: Element): void;
  /** `text` is the element's own text, without that of elements inside it. */
  close(element: Element, text: string): void;
  end(line: number): void;
}
