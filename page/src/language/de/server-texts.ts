import type { server as english } from '../en/server-texts.ts';

export const server: typeof english = {
  job: {
    other: 'Der Auftrag endete mit einem Fehler.',
    stopped: 'Er wurde gestoppt.',
    serverStopped: 'Der Server hielt an, während der Auftrag lief.',
    processDied: 'Der Auftrag brach unerwartet ab.',
    databaseAway: 'Die Datenbank war nicht erreichbar.',
    busy: 'Die Datenbank oder der Speicher war zu lange ausgelastet.',
    storageFull: 'Die Festplatte des Servers ist voll.',
    otherHost: (host) =>
      `Nur der Server ${host} kann diesen Auftrag fortsetzen, und er lief seit einer Stunde nicht.`,
    noCoverSource: 'Keine Quelle für Cover ist eingerichtet. Ein Admin kann --cover-source setzen.',
    coverSourceAway:
      'Die Quelle für Cover antwortet nicht. Bisher geladene Cover bleiben erhalten. Versuche es später noch einmal.',
    noCatalogueSource:
      'Keine Quelle für den Katalog ist eingerichtet. Importiere DATs als Dateien.',
    downloadFailed:
      'Der Download ist fehlgeschlagen. Du kannst DATs an einem anderen Rechner herunterladen und als Dateien importieren.',
    nothingImported: 'Nichts in der heruntergeladenen Datei konnte importiert werden.',
    noBackupFolder:
      'Kein Ordner für Sicherungen ist eingerichtet. Ein Admin kann --backup-to setzen.',
    changedMeanwhile:
      'Ein anderer Import hat den Katalog inzwischen geändert. Starte diesen noch einmal.',
  },
  root: {
    other: 'Dieser Ordner lässt sich nicht lesen.',
    missing: 'Diesen Ordner gibt es nicht. Prüfe, ob sein Datenträger eingehängt ist.',
    forbidden: 'Catalog darf diesen Ordner nicht lesen. Prüfe die Zugriffsrechte.',
    noFolder: 'Das ist kein Ordner. Korrigiere die Einstellung der Ordner.',
    empty:
      'Dieser Ordner ist leer, obwohl er vorher Dateien enthielt. Prüfe, ob sein Datenträger eingehängt ist.',
    otherHost: (host) => `Dieser Ordner gehört zum Server ${host}. Nur dieser scannt ihn.`,
  },
  file: {
    other: 'Diese Datei ist beschädigt oder hat ein Format, das sich nicht lesen lässt.',
    cut: 'Diese Datei ist unvollständig: Ihr Ende fehlt.',
    damaged: 'Diese Datei ist beschädigt.',
    empty: 'Dieses Archiv enthält keine Datei.',
    encrypted: 'Dieses Archiv ist verschlüsselt. Entpacke es zuerst.',
    volumes: 'Dieses Archiv besteht aus mehreren Teilen. Entpacke sie zuerst.',
    tooLarge: 'Dieses Archiv ist zu groß zum Entpacken.',
    changed: 'Diese Datei änderte sich beim Lesen. Scanne noch einmal.',
    forbidden: 'Catalog darf diese Datei nicht lesen. Prüfe die Zugriffsrechte.',
    missing: 'Diese Datei gibt es nicht mehr.',
    disk: 'Der Datenträger meldete beim Lesen dieser Datei einen Fehler.',
  },
  import: {
    other: 'Diese Datei ist keine gültige DAT.',
    notDat: 'Diese Datei ist keine DAT.',
    empty: 'Diese Datei ist leer.',
    cut: 'Diese Datei ist unvollständig: Ihr Ende fehlt.',
    noDat: 'Hier wurde keine DAT gefunden.',
    nested: 'Ein Zip in einem Zip wird nicht gelesen. Entpacke es zuerst.',
    tooMany: 'Dieses Zip enthält zu viele Dateien. Entpacke es, und importiere den Ordner.',
    encoding: 'Diese Datei enthält Zeichen, die kein gültiger Text sind.',
  },
  finding: {
    other: 'Diese Datei weicht von ihrem Eintrag ab.',
    missing: 'Diese Datei fehlt.',
    size: 'Die Größe dieser Datei hat sich geändert.',
    content: 'Der Inhalt dieser Datei hat sich geändert.',
    extra: 'Diese Datei wurde von Hand hinzugefügt.',
    unreadable: 'Diese Datei lässt sich nicht lesen.',
  },
  leftOut: {
    other: 'Das Gerät kann diese Datei nicht öffnen.',
    noExtension: 'Das Gerät öffnet keine Dateien ohne Endung.',
    extension: (extension) => `Das Gerät öffnet keine .${extension}-Dateien.`,
    noFolder: (platform) => `Das Gerät hat keinen Ordner für ${platform}.`,
    nkit: 'Ein NKit enthält nicht die ganze Disc.',
    part: 'Das ist nur ein Teil eines geteilten Abbilds.',
    severalImages: (count) => `Dieses Archiv enthält ${count} Abbilder.`,
    fat32: 'Diese Datei ist zu groß für die Karte: Auf FAT32 hat eine Datei höchstens 4 GiB.',
    missingTrack: (name) => `Der Bibliothek fehlt die Datei ${name}, die hierfür nötig ist.`,
    unsafeTrack: (name) =>
      `Hierfür ist die Datei ${name} nötig, deren Namen die Karte nicht speichern kann.`,
    playlist: 'Der Bibliothek fehlen alle Discs dieser Playlist.',
  },
};
