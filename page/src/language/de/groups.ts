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
  why: {
    title: 'Warum diese Version',
    inSet: (set) => `In der Auswahl „${set}“:`,
    notInSet: (set) => `Nicht in der Auswahl „${set}“:`,
    only: 'die einzige Version, auf die ihre Regel zutrifft.',
    all: 'Sie enthält alle Versionen, auf die ihre Regel zutrifft.',
    chosen: 'gewählt aus diesen Versionen:',
    notSelected: 'Ihre Regel trifft auf diese Veröffentlichung nicht zu.',
    instead: 'Stattdessen gewählt:',
    mine: 'In deinen Auswahlen',
    none: 'Keine deiner Auswahlen wählt zwischen Versionen dieses Spiels.',
    noneOwned: 'deine Bibliothek hat keine der Versionen, auf die ihre Regel zutrifft.',
    rejected: {
      library: () => 'deine Bibliothek hat davon weniger als von der gewählten',
      avoid: () => 'hat einen Zusatz, den die Auswahl meidet',
      region: (chosen) => (chosen ? `${chosen} geht vor` : 'eine andere Region geht vor'),
      language: (chosen) => (chosen ? `${chosen} geht vor` : 'eine andere Sprache geht vor'),
      revision: () => 'eine andere Revision geht vor',
      labels: () => 'hat mehr Zusätze als die gewählte',
      name: () => 'gleich gut, aber nach dem Namen später',
    },
  },
  all: (count) => `Alle ${count} Versionen anzeigen`,
};
