import { describe, expect, test } from 'vitest';
import { FileReading } from '../../src/core/imports/file-reading.ts';
import { type FileImport, rowsPerStage } from '../../src/core/imports/ports.ts';
import { readDat } from '../../src/dats/read-dat.ts';

const rows = 20_000;
const piecesOf = 50;
/** Number of pieces that are certainly not all read before rows are staged. */
const mostPieces = 250;

/**
 * Returns a DAT of many rows in pieces. `state` counts the pieces read so far and records whether
 * the DAT was closed.
 */
function manyRows(end = ')\n') {
  const state = { pieces: 0, isClosed: false };
  async function* read() {
    try {
      yield Buffer.from('clrmamepro (\n name "System"\n)\n');
      for (let at = 0; at < rows; at += piecesOf) {
        state.pieces += 1;
        const row = (number: number) =>
          `game (\n name "Game ${number}"\n rom ( name "a.bin" size 1 crc 00000000 )\n`;
        // The last row becomes complete only with the last piece.
        const text = Array.from({ length: piecesOf }, (_, each) => row(at + each)).join(')\n');
        yield Buffer.from(at + piecesOf < rows ? `${text})\n` : `${text}${end}`);
      }
    } finally {
      state.isClosed = true;
    }
  }
  return { state, file: { path: 'many.dat', size: 1, read } };
}

/** Returns an import that records the names of staged rows, in `names`. */
function taken(onStage = async () => {}) {
  const added: string[] = [];
  const names: string[] = [];
  const rows: Omit<FileImport, 'run'> = {
    add: ({ name }) => void added.push(name),
    addRefused() {},
    addFacts() {},
    get waiting() {
      return added.length;
    },
  };
  const stage = async () => {
    names.push(...added.splice(0, rowsPerStage));
    await onStage();
  };
  return { names, rows, stage };
}

/**
 * Waits until no further piece is read for many turns of the event loop. No other work of this test
 * is pending.
 */
async function waitUntilIdle(state: { readonly pieces: number }): Promise<void> {
  let before = -1;
  while (before !== state.pieces) {
    before = state.pieces;
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}

const never = new AbortController().signal;

describe('the reader of an import file', () => {
  test('reads ahead up to a limit, and then stages every row in order', async () => {
    const { file, state } = manyRows();
    const { names, rows: added, stage } = taken();
    const reading = new FileReading(file, readDat, added, never);
    await waitUntilIdle(state);
    expect(state.pieces).toBeGreaterThan(10);
    expect(state.pieces).toBeLessThan(mostPieces);
    const seen: number[] = [];
    const dat = await reading.stageAll(stage, (soFar) => seen.push(soFar.rows));
    expect(names).toEqual(Array.from({ length: rows }, (_, number) => `Game ${number}`));
    expect(dat).toMatchObject({ rows, kind: 'dat', fileName: 'many.dat' });
    expect(seen.at(-1)).toBe(rows);
    expect(state.isClosed).toBe(true);
  });

  test('continues to read while rows are staged', async () => {
    const { file, state } = manyRows();
    const seen: number[] = [];
    const { rows: added, stage } = taken(async () => {
      if (seen.length > 0) return;
      seen.push(state.pieces);
      await expect.poll(() => state.pieces).toBeGreaterThan(seen[0] as number);
      seen.push(state.pieces);
    });
    const reading = new FileReading(file, readDat, added, never);
    await reading.stageAll(stage, () => {});
    expect(seen).toHaveLength(2);
  });

  test('continues to read if few of the rows that it read ahead remain', async () => {
    const roms = Array.from({ length: 80 }, (_, i) => ` rom ( name "${i}.bin" size 1 crc 0 )\n`);
    const state = { pieces: 0 };
    const many = 3_000;
    async function* read() {
      yield Buffer.from('clrmamepro (\n name "System"\n)\n');
      for (; state.pieces < many; state.pieces += 1) {
        yield Buffer.from(`game (\n name "Game ${state.pieces}"\n${roms.join('')})\n`);
      }
    }
    const { names, rows: added, stage } = taken();
    const reading = new FileReading({ path: 'large.dat', size: 1, read }, readDat, added, never);
    await waitUntilIdle(state);
    expect(added.waiting).toBeGreaterThan(0);
    expect(added.waiting).toBeLessThan(rowsPerStage); // the limit of bytes was reached
    await reading.stageAll(stage, () => {});
    expect(names).toHaveLength(many);
  });

  test('refuses a truncated file without waiting for its last rows', async () => {
    const { file } = manyRows('');
    const { rows: added, stage } = taken();
    const reading = new FileReading(file, readDat, added, never);
    await expect(reading.stageAll(stage, () => {})).rejects.toThrow('ends');
  });

  test('closes the file if it is stopped while it waits for the staging of rows', async () => {
    const { file, state } = manyRows();
    const reading = new FileReading(file, readDat, taken().rows, never);
    await expect.poll(() => state.pieces).toBeGreaterThan(10);
    await reading.stop();
    expect(state.isClosed).toBe(true);
    expect(state.pieces).toBeLessThan(mostPieces);
  });

  test('closes the file if it is stopped after the staging of rows failed', async () => {
    const { file, state } = manyRows();
    const planted = new Error('planted');
    const { rows: added, stage } = taken(() => Promise.reject(planted));
    const reading = new FileReading(file, readDat, added, never);
    await expect(reading.stageAll(stage, () => {})).rejects.toBe(planted);
    await reading.stop();
    expect(state.isClosed).toBe(true);
  });
});
