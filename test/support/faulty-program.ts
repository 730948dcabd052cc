import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const EXPORTS = 7;
const CODE = 10;
const IMPORTS = 2;
const FUNCTION = 0;

/** WebAssembly instructions from which a test builds a faulty program. */
export const op = {
  unreachable: [0x00],
  endless: (body: readonly number[]) => [0x03, 0x40, ...body, 0x0c, 0x00, 0x0b],
  /** Repeats the body until the body leaves 0 on the stack. */
  repeat: (body: readonly number[]) => [0x03, 0x40, ...body, 0x0d, 0x00, 0x0b],
  drop: [0x1a],
  constant: (value: number) => [0x41, ...signed(value)],
  constant64: (value: number) => [0x42, ...signed(value)],
  /** Stores a word. The address and the value must be on the stack. */
  store: [0x36, 0x02, 0x00],
  load: [0x28, 0x02, 0x00],
  fill: (at: number, byte: number, length: number) => [
    ...[at, byte, length].flatMap((value) => [0x41, ...signed(value)]),
    ...[0xfc, 0x0b, 0x00],
  ],
  call: (index: number) => [0x10, ...unsigned(index)],
} as const;

export interface Program {
  /** Returns the index of an imported function, for `op.call`. */
  importIndex(name: string): number;
  /** The index of the main function itself. The main function has two numbers as parameters. */
  readonly mainIndex: number;
}

/**
 * Returns the real program (7-Zip) with its main function replaced by the instructions of `body`.
 * The instructions must leave a number on the stack or never end. Imports, memory with its content,
 * and the start function are unchanged.
 */
export function buildFaultyProgram(
  body: (program: Program) => readonly number[],
): WebAssembly.Module {
  const bytes = readFileSync(createRequire(import.meta.url).resolve('7z-wasm/7zz.wasm'));
  const sections = sectionsOf(bytes);
  const imported = importedFunctions(sections.get(IMPORTS) as Buffer);
  const main = exportedFunction(sections.get(EXPORTS) as Buffer, '__main_argc_argv');
  const code = [
    0x00,
    ...body({ importIndex: (name) => indexOfImport(imported, name), mainIndex: main }),
    0x0b,
  ];
  const parts: Buffer[] = [bytes.subarray(0, 8)];
  for (const [id, content] of sections) {
    const own = id === CODE ? withBody(content, main - imported.length, code) : content;
    parts.push(Buffer.from([id, ...unsigned(own.length)]), own);
  }
  return new WebAssembly.Module(Buffer.concat(parts));
}

class Reader {
  at = 0;
  readonly #bytes: Buffer;
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }
  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length;
  }
  byte(): number {
    return this.#bytes[this.at++] as number;
  }
  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }
  bytes(length: number): Buffer {
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }
  text(): string {
    return this.bytes(this.number()).toString();
  }
}

/**
 * Returns the sections of a WebAssembly module by section id, in file order. Custom sections, such
 * as names, are omitted.
 */
function sectionsOf(bytes: Buffer): Map<number, Buffer> {
  const sections = new Map<number, Buffer>();
  const reader = new Reader(bytes);
  for (reader.at = 8; !reader.isAtEnd; ) {
    const id = reader.byte();
    const content = reader.bytes(reader.number());
    if (id !== 0) sections.set(id, content);
  }
  return sections;
}

function importedFunctions(section: Buffer): string[] {
  const reader = new Reader(section);
  const names: string[] = [];
  for (let left = reader.number(); left > 0; left -= 1) {
    reader.text();
    names.push(reader.text());
    if (reader.byte() !== FUNCTION) throw new Error('not only functions are imported');
    reader.number();
  }
  return names;
}

function exportedFunction(section: Buffer, wanted: string): number {
  const reader = new Reader(section);
  for (let left = reader.number(); left > 0; left -= 1) {
    const name = reader.text();
    reader.byte();
    const index = reader.number();
    if (name === wanted) return index;
  }
  throw new Error(`${wanted} is not exported`);
}

function withBody(section: Buffer, wanted: number, body: readonly number[]): Buffer {
  const reader = new Reader(section);
  const count = reader.number();
  const parts: Buffer[] = [Buffer.from(unsigned(count))];
  for (let i = 0; i < count; i += 1) {
    const old = reader.bytes(reader.number());
    const own = i === wanted ? Buffer.from(body) : old;
    parts.push(Buffer.from(unsigned(own.length)), own);
  }
  return Buffer.concat(parts);
}

function indexOfImport(names: readonly string[], name: string): number {
  const index = names.indexOf(name);
  if (index < 0) throw new Error(`${name} is not imported`);
  return index;
}

function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  const low = value & 0x7f;
  const rest = value >> 7;
  const isLast = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
  return isLast ? [low] : [low | 0x80, ...signed(rest)];
}
