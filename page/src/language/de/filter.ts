import type { filter as english } from '../en/filter.ts';

export const filter: typeof english = {
  library: 'Bestand',
  ofLibrary: { have: 'Vorhanden', missing: 'Fehlend', verified: 'Verifiziert' },
  ofCover: { have: 'Mit Cover', missing: 'Ohne Cover' },
  year: 'Jahr',
  find: (what) => `Suchen: ${what}`,
  saveAsSet: 'Als Auswahl speichern',
  none: 'Nichts gefunden',
  more: (count) => `${count} weitere. Tippe, um sie zu finden.`,
};
