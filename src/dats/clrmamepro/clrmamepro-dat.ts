import { DatRefused, type DatSink } from '../../core/imports/dat.ts';
import type { DatFormat, DatParser } from '../dat-parser.ts';
import { HeaderFirst } from '../header-first.ts';
import { MAX_DEPTH, MAX_ROW } from '../limits.ts';
import { excerpt, type RomText } from '../normalise.ts';
import { RowDraft } from '../row-draft.ts';
import { type BlockKind, findBlockKind } from './blocks.ts';
import { Tokenizer, type TokenSink } from './tokenizer.ts';

/**
 * Parses the text format of clrmamepro, which libretro's database also uses. A file contains
 * `clrmamepro ( name "..." )` and then blocks like `game ( name "..." rom ( name "..." size 1 crc
 * ... ) )`. Every word is a key, followed by its value or its block.
 *
 * There is no specification, only a guide: http://www.logiqx.com/DatFAQs/CMPro.php. This parser
 * follows the guide and the 440 files of libretro-dats.
 */
export class ClrmameproDat implements DatParser, TokenSink {
  readonly #output: HeaderFirst;
  readonly #tokens: Tokenizer;
  /** Kinds of the blocks that enclose the current block, outermost first. */
  readonly #outer: BlockKind[] = [];
  #kind: BlockKind = 'top';
  #key: string | undefined;
  /** The first word of the current top-level block, for error messages. */
  #topWord = '';
  /**
   * Total length of the pieces that followed the piece in which the current top-level block began.
   */
  #blockLength = 0;
  #header = { name: '', description: '', version: '' };
  #row = new RowDraft(0);
  #rom: RomText = {};
  #romLine = 0;

  constructor(sink: DatSink, line: number) {
    this.#output = new HeaderFirst(sink);
    this.#tokens = new Tokenizer(this, line);
  }

  get line(): number {
    return this.#tokens.line;
  }

  write(text: string): void {
    this.#blockLength += text.length;
    this.#tokens.write(text);
    if (this.#kind !== 'top' && this.#blockLength > MAX_ROW) {
      throw this.#refused(`a ${this.#topWord} of more than ${MAX_ROW} characters`);
    }
  }

  end(): DatFormat {
    this.#tokens.end();
    if (this.#kind !== 'top') throw this.#refused(`the file ends inside a ${this.#topWord}`);
    if (this.#key !== undefined) throw this.#refused(`the file ends after ${excerpt(this.#key)}`);
    this.#output.end(this.line);
    return 'clrmamepro';
  }

  word(value: string): void {
    if (this.#kind === 'skip') return;
    if (this.#key === undefined) {
      this.#key = value;
      return;
    }
    const key = this.#key;
    this.#key = undefined;
    if (this.#kind === 'row') this.#row.setText(key, value);
    else if (this.#kind === 'rom') this.#setRom(key, value);
    else if (this.#kind === 'header') this.#setHeader(key, value);
    else if (this.#kind === 'release') this.#setRelease(key, value);
    else throw this.#refused(`no "(" after ${excerpt(key)}`);
  }

  open(): void {
    if (this.#outer.length >= MAX_DEPTH) throw this.#refused(`more than ${MAX_DEPTH} blocks deep`);
    const kind = this.#kind === 'skip' ? 'skip' : this.#namedBlock(this.#key);
    this.#key = undefined;
    this.#outer.push(this.#kind);
    this.#kind = kind;
  }

  close(): void {
    const outer = this.#outer.pop();
    if (outer === undefined) throw this.#refused('a ")" too many');
    if (this.#key !== undefined) throw this.#refused(`no value after ${excerpt(this.#key)}`);
    if (this.#kind === 'rom') this.#row.addRom(this.#rom, this.#romLine);
    else if (this.#kind === 'row') this.#output.row(this.#row.finish());
    else if (this.#kind === 'header') this.#output.header(this.#header, this.line);
    this.#kind = outer;
  }

  #namedBlock(word: string | undefined): BlockKind {
    if (word === undefined) throw this.#refused('a "(" without a word before it');
    const kind = findBlockKind(this.#kind, word);
    if (kind === null) throw this.#refused(`${excerpt(word)} is no block that a DAT file has`);
    if (this.#kind === 'top') {
      this.#topWord = word;
      this.#blockLength = 0;
    }
    if (kind === 'row') this.#beginRow();
    else if (kind === 'rom') this.#beginRom();
    else if (kind === 'header') this.#header = { name: '', description: '', version: '' };
    return kind;
  }

  #beginRow(): void {
    this.#output.beginRow(this.line);
    this.#row = new RowDraft(this.line);
  }

  #beginRom(): void {
    this.#rom = {};
    this.#romLine = this.line;
  }

  #setHeader(key: string, value: string): void {
    if (key === 'name' || key === 'description' || key === 'version') this.#header[key] ||= value;
  }

  #setRom(key: string, value: string): void {
    if (key === 'name') this.#rom.name ??= value;
    else if (key === 'size') this.#rom.size ??= value;
    else if (key === 'crc') this.#rom.crc ??= value;
    else if (key === 'md5') this.#rom.md5 ??= value;
    else if (key === 'sha1') this.#rom.sha1 ??= value;
    else if (key === 'serial') this.#rom.serial ??= value;
    else if (key === 'status' || key === 'flags') this.#rom.status ??= value;
  }

  #setRelease(key: string, value: string): void {
    if (key === 'region') this.#row.addReleaseRegion(value);
  }

  #refused(reason: string): DatRefused {
    return new DatRefused(this.line, reason);
  }
}
