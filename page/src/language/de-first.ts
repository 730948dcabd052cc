import type { first as english } from './en-first.ts';

export const first: typeof english = {
  title: 'Willkommen bei Catalog',
  text: 'Drei Schritte machen aus einem Ordner voller Disc-Abbilder eine Bibliothek mit Namen und Covern.',
  signIn: 'Als der Admin anmelden, dessen Passwort der erste Start ausgegeben hat.',
  waits: (name) =>
    `Hier ist noch nichts, ${name}. Wer die Rolle Editor oder Admin hat, füllt den Katalog; diese Seite zeigt ihn, sobald es so weit ist.`,
  dats: 'DATs importieren',
  datsText:
    'Eine DAT führt die Releases einer Plattform auf. Es gibt sie bei Redump und No-Intro oder als Kopie der libretro-Datenbank; Zips und ganze Ordner gehen auch.',
  datsDone: (releases) => `${releases} im Katalog. Weitere DATs können jederzeit folgen.`,
  scan: 'Dateien scannen',
  scanText:
    'Catalog sieht in jedes Disc-Abbild dieser Ordner und findet heraus, welches Release es ist. Ohne Prüfsummen dauert das einen Moment; mit ihnen ist es bewiesen.',
  covers: 'Cover holen',
  coversText: 'Die Cover der Releases kommen aus der Cover-Quelle. Das kann eine Weile dauern.',
  coversLater: 'Cover gibt es für Releases; also zuerst eine DAT importieren.',
};
