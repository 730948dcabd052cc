import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { placementText, sendToTexts } from '../src/language/send-to-texts.ts';

const profiles = join(import.meta.dirname, '../../profiles');

describe('the text on where to put an export', () => {
  test('has a German sentence on where to put the export for every profile of the program', () => {
    const ids = readdirSync(profiles).map((name) => name.replace('.json', ''));
    expect(Object.keys(sendToTexts.de.placements).sort()).toEqual(ids.sort());
  });

  test('states where to put the export of an own profile as the profile says', () => {
    const own = { id: 'es-de', own: true, placement: 'Auf die Karte.' };
    expect(placementText(own, 'de')).toBe('Auf die Karte.');
    const shipped = { ...own, own: false, placement: 'Unpack.' };
    expect(placementText(shipped, 'de')).toMatch(/^Entpacke in den Ordner ES-DE/);
    expect(placementText(shipped, 'en')).toBe('Unpack.');
  });
});
