import type { groups as english } from '../en/groups.ts';

export const groups: typeof english = {
  title: 'Versionen dieses Spiels',
  here: 'diese Veröffentlichung',
  disc: (disc) => `Disc ${disc}`,
  byEditor: 'von einem Redakteur zugeordnet',
  split: 'Das ist ein anderes Spiel',
  splitNamed: (name) => `Das ist ein anderes Spiel: ${name}`,
  splitDone: (name) => `${name} ist jetzt ein anderes Spiel.`,
  join: 'Veröffentlichung hinzufügen',
  joinText: (platform) =>
    `Wähle eine Veröffentlichung von ${platform}. Ihre weiteren Discs kommen mit dazu.`,
  joinDone: (name) => `${name} gehört jetzt zu diesem Spiel.`,
  all: (count) => `Alle ${count} Versionen anzeigen`,
};
