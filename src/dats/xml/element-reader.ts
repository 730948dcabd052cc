import type { DatFormat } from '../dat-parser.ts';

/** An element of the document. `depth` is 1 for the root element. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | undefined>>;
  readonly depth: number;
  /** Line on which the element's tag starts. The first line is 1. */
  readonly line: number;
}

/**
 * Receives the elements of an XML document in document order, and builds rows from the elements.
 * The methods throw `DatRefused`.
 */
export interface ElementReader {
  readonly format: DatFormat;
  open(element: Element): void;
  /** `text` is the element's own text, without the text of nested elements. */
  close(element: Element, text: string): void;
  end(line: number): void;
}
