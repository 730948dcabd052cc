import { describe, expect, test } from 'vitest';
import { FileReading } from '../../src/core/imports/file-reading.ts';
import type { Staging } from '../../src/core/imports/ports.ts';
import { readDat } from '../../src/dats/read-dat.ts';

const rows = 20_000;
const piecesOf = 50;

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

function taken(onFlush = async () => {}) {
  const names: string[] = [];
  const staging: Staging = {
    add: ({ name }) => void names.push(name),
    addRefused() {},
    addFacts() {},
    flush: onFlush,
  };
  return { names, staging };
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
    const reading = new FileReading(file, readDat, never);
    await waitUntilIdle(state);
    expect(state.pieces).toBeGreaterThan(10);
    expect(state.pieces).toBeLessThan(60);
    const { names, staging } = taken();
    const seen: number[] = [];
    const dat = await reading.stageAll(staging, (soFar) => seen.push(soFar.rows));
    expect(names).toEqual(Array.from({ length: rows }, (_, number) => `Game ${number}`));
    expect(dat).toMatchObject({ rows, kind: 'dat', fileName: 'many.dat' });
    expect(seen.at(-1)).toBe(rows);
    expect(state.isClosed).toBe(true);
  });

  test('continues to read while rows are staged', async () => {
    const { file, state } = manyRows();
    const reading = new FileReading(file, readDat, never);
    const seen: number[] = [];
    const { staging } = taken(async () => {
      if (seen.length > 0) return;
      seen.push(state.pieces);
      await expect.poll(() => state.pieces).toBeGreaterThan(seen[0] as number);
      seen.push(state.pieces);
    });
    await reading.stageAll(staging, () => {});
    expect(seen).toHaveLength(2);
  });

  test('refuses a truncated file without waiting for its last rows', async () => {
    const { file } = manyRows('');
    const reading = new FileReading(file, readDat, never);
    await expect(reading.stageAll(taken().staging, () => {})).rejects.toThrow('ends');
  });

  test('closes the file if it is stopped while it waits for the staging of rows', async () => {
    const { file, state } = manyRows();
    const reading = new FileReading(file, readDat, never);
    await expect.poll(() => state.pieces).toBeGreaterThan(10);
    await reading.stop();
    expect(state.isClosed).toBe(true);
    expect(state.pieces).toBeLessThan(60);
  });

  test('closes the file if it is stopped after the staging of rows failed', async () => {
    const { file, state } = manyRows();
    const reading = new FileReading(file, readDat, never);
    const planted = new Error('planted');
    const { staging } = taken(() => Promise.reject(planted));
    await expect(reading.stageAll(staging, () => {})).rejects.toBe(planted);
    await reading.stop();
    expect(state.isClosed).toBe(true);
  });
});
