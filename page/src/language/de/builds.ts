import type { builds as english } from '../en/builds.ts';

export const builds: typeof english = {
  text: 'Kopiert die Spiele einer Auswahl auf ein Gerät, mit Spielelisten, Playlists und Covern. Das lässt sich wiederholen und rückgängig machen. Andere Dateien bleiben, wie sie sind; Spielelisten werden ergänzt.',
  noTargets: 'Noch kein Ziel',
  noTargetsText:
    'Ein Ziel ist ein Ordner, den du befüllen kannst, zum Beispiel auf einer Speicherkarte. Wer den Server betreibt, legt ihn mit --target NAME=ORDNER an.',
  noSets: 'Noch keine Auswahl',
  noSetsText: 'Filtere den Katalog, und speichere das Ergebnis als Auswahl.',
  set: 'Auswahl',
  setGone:
    'Diese Auswahl gibt es nicht mehr, oder sie ist nicht für dich freigegeben. Wähle eine andere.',
  device: 'Gerät oder Oberfläche',
  target: 'Ziel',
  targetGone:
    'Dieses Ziel ist nicht verfügbar: Sein Server läuft nicht, oder er bietet es nicht mehr an. Wähle ein anderes.',
  notConnected: 'Nicht angeschlossen. Schließe das Gerät zuerst an.',
  onHost: (host) => `Am Server ${host}.`,
  notBuilt: 'Noch nicht befüllt.',
  lastBuilt: (set, device, when) =>
    `Zuletzt: ${set === null ? 'eine Auswahl, die du nicht siehst,' : `„${set}“`} für ${device}, ${when}.`,
  files: (files, shown) => (files === 1 ? '1 Datei.' : `${shown} Dateien.`),
  unfinished: 'Nicht vollständig.',
  adopt: 'Auch befüllen, wenn im Ordner andere Dateien liegen. Sie bleiben, wie sie sind.',
  unpack: 'Abbilder aus Archiven holen, die das Gerät nicht lesen kann.',
  preview: 'Plan zeigen',
  build: 'Befüllen',
  undo: 'Rückgängig …',
  undoTitle: (target) => `Befüllen von „${target}“ rückgängig machen?`,
  undoText:
    'Alle Dateien, die Catalog dort abgelegt hat, werden entfernt. Andere und seither geänderte Dateien bleiben.',
  undoNow: 'Rückgängig machen',
  of: (set, device, target) => `„${set}“ für ${device} auf „${target}“`,
  plan: 'Plan',
  result: 'Ergebnis',
  toCopy: (size) => `${size} zu kopieren`,
  copied: (size) => `${size} kopiert`,
  free: (size) => `${size} waren frei`,
  freeNow: (size) => `${size} frei`,
  lacking: (size) => `Dafür müssen noch ${size} mehr frei sein.`,
  missing: (releases, shown) =>
    releases === 1
      ? '1 Veröffentlichung der Auswahl fehlt in deiner Bibliothek.'
      : `${shown} Veröffentlichungen der Auswahl fehlen in deiner Bibliothek.`,
  rows: {
    add: 'Hinzufügen',
    replace: 'Ersetzen',
    rename: 'Umbenennen',
    keep: 'Behalten',
    remove: 'Entfernen',
    conflicts: 'Konflikte',
    unwritten: 'Fehlgeschlagen',
    left_out: 'Ausgelassen',
  },
  more: 'Mehr anzeigen',
};
