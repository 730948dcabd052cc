import { DatRefused } from '../../core/imports/dat.ts';
import { MAX_TOKEN } from '../limits.ts';

/** Receives the tokens of clrmamepro text in order. */
export interface TokenSink {
  word(value: string): void;
  open(): void;
  close(): void;
}

const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const QUOTE = 34;
const OPEN = 40;
const CLOSE = 41;
const BACKSLASH = 92;

type Mode = 'between' | 'word' | 'quoted' | 'escape' | 'after-quote';

/**
 * Splits clrmamepro text into parentheses and words. The text is passed in pieces that may end
 * anywhere. A quoted word ends at its closing quote and may contain line breaks and parentheses. In
 * a quoted word, `\"` means a quote and `\\` means a backslash. Any other backslash stays in the
 * word, because paths contain backslashes. Each character is examined once.
 */
export class Tokenizer {
  readonly #sink: TokenSink;
  #mode: Mode = 'between';
  #partial = '';
  #line: number;
  #wordLine = 1;

  constructor(sink: TokenSink, line: number) {
    this.#sink = sink;
    this.#line = line;
  }

  /** Current line. The first line is 1. */
  get line(): number {
    return this.#line;
  }

  write(text: string): void {
    let at = 0;
    while (at < text.length) {
      if (this.#mode === 'between') at = this.#between(text, at);
      else if (this.#mode === 'quoted') at = this.#quoted(text, at);
      else if (this.#mode === 'word') at = this.#word(text, at);
      else if (this.#mode === 'escape') at = this.#escape(text, at);
      else at = this.#afterQuote(text, at);
    }
  }

  end(): void {
    if (this.#mode === 'quoted' || this.#mode === 'escape') {
      throw new DatRefused(this.#wordLine, 'the file ends inside the quoted text that begins here');
    }
    if (this.#mode === 'word') this.#finishWord('', 'between');
  }

  #between(text: string, from: number): number {
    let at = from;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === NEWLINE) this.#line++;
      else if (code === OPEN) this.#sink.open();
      else if (code === CLOSE) this.#sink.close();
      else if (code !== SPACE && code !== TAB && code !== RETURN) {
        this.#wordLine = this.#line;
        this.#mode = code === QUOTE ? 'quoted' : 'word';
        return code === QUOTE ? at + 1 : at;
      }
    }
    return at;
  }

  #quoted(text: string, from: number): number {
    let at = from;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.#finishWord(text.slice(from, at), 'after-quote');
        return at + 1;
      }
      if (code === BACKSLASH) {
        this.#keep(text.slice(from, at));
        this.#mode = 'escape';
        return at + 1;
      }
      if (code === NEWLINE) this.#line++;
    }
    this.#keep(text.slice(from));
    return at;
  }

  #escape(text: string, at: number): number {
    this.#mode = 'quoted';
    const code = text.charCodeAt(at);
    const isEscape = code === QUOTE || code === BACKSLASH;
    this.#keep(isEscape ? text.charAt(at) : '\\');
    return isEscape ? at + 1 : at;
  }

  /**
   * Checks the character after a closing quote. If this character is not a delimiter, the quote is
   * part of the text and lacks its backslash. The file is then refused.
   */
  #afterQuote(text: string, at: number): number {
    if (!isDelimiter(text.charCodeAt(at))) {
      throw new DatRefused(this.#wordLine, 'text right after a closing quote');
    }
    this.#mode = 'between';
    return at;
  }

  #word(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      if (isDelimiter(text.charCodeAt(at))) {
        this.#finishWord(text.slice(from, at), 'between');
        return at;
      }
    }
    this.#keep(text.slice(from));
    return text.length;
  }

  #keep(text: string): void {
    this.#partial += text;
    if (this.#partial.length > MAX_TOKEN) {
      throw new DatRefused(this.#wordLine, `a text of more than ${MAX_TOKEN} characters`);
    }
  }

  #finishWord(rest: string, mode: Mode): void {
    const value = this.#partial === '' ? rest : this.#partial + rest;
    this.#partial = '';
    this.#mode = mode;
    this.#sink.word(value);
  }
}

function isDelimiter(code: number): boolean {
  return (
    code === SPACE ||
    code === NEWLINE ||
    code === OPEN ||
    code === CLOSE ||
    code === TAB ||
    code === RETURN
  );
}
