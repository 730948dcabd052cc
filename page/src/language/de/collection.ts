import type { collection as english } from '../en/collection.ts';

export const collection: typeof english = {
  title: 'Sammlung',
  recent: 'Neu hinzugekommen',
  resume: 'Hier geht es weiter',
  undecided: (count, text) =>
    count === 1 ? `${text} unentschiedene Datei` : `${text} unentschiedene Dateien`,
  damaged: (count, text) =>
    count === 1 ? `${text} beschädigte Datei` : `${text} beschädigte Dateien`,
  failedJob: (name, when) => `${name}: fehlgeschlagen am ${when}`,
  ownedOf: (have, all) => `${have} von ${all} vorhanden`,
  verifiedCount: (count) => `${count} verifiziert`,
  allPlatforms: (count) => `Alle ${count} Plattformen zeigen`,
  owned: 'Alle vorhandenen Veröffentlichungen',
  filterOwned: 'Filtern und sortieren',
  fetchOwned: 'Cover für alles Vorhandene laden',
  coversProgress: (progress) => `Cover werden gesucht: ${progress}`,
  coversStored: (_count, text, of) => `${text} Cover für ${of} geladen.`,
  coversComplete: 'Jede vorhandene Veröffentlichung hat ein Cover.',
  stored: 'Unter Downloads:',
  empty: 'Noch keine Veröffentlichungen vorhanden',
  emptyText: 'Veröffentlichungen erscheinen hier, sobald deine Ordner gescannt sind.',
  ownership: {
    verified: 'Vorhanden, verifiziert',
    manual: 'Vorhanden, von Hand gewählt',
    serial: 'Vorhanden, nach Seriennummer zugeordnet',
    name: 'Vorhanden, nur nach Name zugeordnet',
    stored: 'Unter Downloads',
    missing: 'Fehlend',
  },
  badge: {
    verified: 'In deiner Bibliothek, verifiziert',
    manual: 'In deiner Bibliothek, von Hand gewählt',
    serial: 'In deiner Bibliothek, nach Seriennummer zugeordnet',
    name: 'In deiner Bibliothek, nur nach Name zugeordnet',
    stored: 'Unter Downloads, nicht in deiner Bibliothek',
    missing: 'Nicht in deiner Bibliothek',
  },
  downloadFile: 'Herunterladen',
  downloadsOff:
    'Downloads aus der Bibliothek sind auf diesem Server ausgeschaltet. Ein Admin kann sie einschalten.',
  onOtherHost: (host) => `Diese Datei liegt auf dem Server ${host}. Lade sie von dort herunter.`,
  downloadOrigins: {
    library: 'Bibliothek',
    archive: 'Archiv',
    all: 'Alle Dateien der Bibliothek als Zip',
  },
};
