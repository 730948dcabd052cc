import { describe, expect, test } from 'vitest';
import { textOf, valuesOf } from '../src/catalogue/filters/filter-values.ts';
import { matchingSerial, piecesOf, wordsOf } from '../src/catalogue/grid/matches.ts';

/** Returns a text with its matches in brackets. */
function marked(text: string, search: string, context: number | null = null): string {
  return piecesOf(text, wordsOf(search), context)
    .map((piece) => (piece.isMatch ? `[${piece.text}]` : piece.text))
    .join('');
}

describe('the matches of a search in a name', () => {
  test.each([
    ['Final Fantasy VII', 'fantasy fin', '[Fin]al [Fantasy] VII'],
    ['Pokémon Émeraude', 'POKEMON eme', '[Pokémon] [Éme]raude'],
    ['Poke\u0301mon', 'poke', '[Poke\u0301]mon'],
    ['\ufb01nal Ōkami', 'fi oka', '[\ufb01]nal [Ōka]mi'],
    ['\u{1F3AE} Ōkami', '\u{1F3AE}', '[\u{1F3AE}] Ōkami'],
    ['aaaa', 'aa', '[aaaa]'],
    ['Game (USA)', 'me (us', 'Ga[me] [(US]A)'],
    ['Game', 'nothing', 'Game'],
    ['Game', ' ', 'Game'],
  ])('are found (%j, %j: %j)', (text, search, expected) => {
    expect(marked(text, search)).toBe(expected);
    expect(marked(text, search).replace(/[[\]]/g, '')).toBe(text);
  });

  test('stay when the name is shortened', () => {
    const name = 'The Very Long Name of a Game that Goes On (Japan) (Rev 1)';
    expect(marked(name, 'japan', 8)).toBe('…On ([Japan]) (Rev…');
    expect(marked(name, 'japan', 0)).toBe('…[Japan]…');
    expect(marked(name, 'the rev', 6)).toBe('[The] Very…([Rev] 1)');
    expect(marked(name, 'long goes', 0)).toBe('…[Long]…[Goes]…');
    expect(marked(name, 'very long', 0)).toBe('…[Very] [Long]…');
    expect(marked('Long Name Long Name Long End', 'end long', 0)).toBe('[Long]…[End]');
  });
});

describe('the search in serials', () => {
  test('finds the serial that a word is part of', () => {
    expect(matchingSerial('SLES-00042, SCES-12345', ['12345'])).toBe('SCES-12345');
    expect(matchingSerial('SLES-00042', ['sles00042'])).toBe('SLES-00042');
    expect(matchingSerial('SLES-00042', ['sles_000.42'])).toBe('SLES-00042');
    expect(matchingSerial('SLES-00042', [])).toBeNull();
    expect(matchingSerial('', ['1', '-'])).toBeNull();
  });
});

describe('the values of a filter', () => {
  test.each([
    ['', []],
    ['Action', ['Action']],
    ['Action|Racing', ['Action', 'Racing']],
    ['A||B|C', ['A|B', 'C']],
  ])('are read from the text %j: %j', (text, values) => {
    expect(valuesOf('genre', text)).toEqual(values);
    expect(textOf('genre', values)).toBe(text);
  });

  test('are the text itself if the filter has one value', () => {
    expect(valuesOf('system', 'a|b')).toEqual(['a|b']);
    expect([textOf('system', ['a|b']), textOf('system', [])]).toEqual(['a|b', '']);
  });
});
