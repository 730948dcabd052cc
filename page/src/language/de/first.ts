import type { first as english } from '../en/first.ts';

export const first: typeof english = {
  title: 'Willkommen bei Catalog',
  open: 'Catalog öffnen',
  text: 'Drei Schritte machen aus einem Ordner voller Disc-Abbilder eine Bibliothek mit Namen und Covern.',
  signIn: 'Melde dich mit dem Admin-Passwort an, das der Server beim ersten Start ausgegeben hat.',
  waits: (name) =>
    `Der Katalog ist noch leer, ${name}. Er erscheint hier, sobald ein Redakteur oder Admin ihn füllt.`,
  dats: 'DATs importieren',
  datsText:
    'Eine DAT führt die Veröffentlichungen einer Plattform auf. Du kannst auch Zips und ganze Ordner mit DATs importieren, zum Beispiel von Redump oder No-Intro.',
  datsDone: (releases) => `${releases} im Katalog. Du kannst später weitere DATs importieren.`,
  scan: 'Dateien scannen',
  scanText:
    'Catalog findet heraus, welche Veröffentlichung jedes Disc-Abbild in diesen Ordnern ist. Prüfsummen zu berechnen dauert länger, verifiziert aber jede Datei.',
  covers: 'Cover laden',
  coversText:
    'Cover werden von thumbnails.libretro.com geladen, sofern kein anderer Server eingestellt ist. Die aller Veröffentlichungen können Stunden dauern.',
  coversOfAll: 'Cover für alle Veröffentlichungen laden',
  coversLater: 'Cover werden für Veröffentlichungen geladen. Importiere zuerst eine DAT.',
};
