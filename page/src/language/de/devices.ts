import type { devices as english } from '../en/devices.ts';

export const devices: typeof english = {
  text: 'Bringe die Spiele einer Auswahl auf ein Gerät. Hier stehen die Geräte, die streamen.',
  connect: 'Gerät verbinden',
  none: 'Noch kein Gerät streamt.',
  set: 'Auswahl',
  noSets: 'Ein Gerät bekommt die Spiele einer Auswahl. Du hast noch keine.',
  newSet: 'Neue Auswahl',
  device: 'Gerät oder Oberfläche',
  step: (step) => `Schritt ${step} von 3`,
  next: 'Weiter',
  back: 'Zurück',
  how: 'Wie kommt es an die Spiele?',
  ways: {
    download: {
      name: 'Download',
      text: 'Listen und Cover als Zip; die Spiele kopierst du selbst.',
    },
    folder: {
      name: 'Ordner oder Karte',
      text: 'Ein Befehl auf dem Server kopiert Spiele, Listen und Cover.',
    },
    webdav: { name: 'WebDAV', text: 'Das Gerät liest oder kopiert die Dateien über das Netz.' },
    stream: {
      name: 'Streaming',
      text: 'PPSSPP oder Kodi spielen vom Server, ohne etwas zu kopieren.',
    },
  },
  name: 'Name des Geräts',
  createAddress: 'Adresse anlegen',
  downloadText: 'Der Export enthält keine Spiele.',
  download: 'Herunterladen',
  folderText:
    'Führe das auf dem Server aus. Ersetze DIR durch den Ordner oder die Karte des Geräts. Mit --dry-run zeigt es nur den Plan. In einem Klon heißt der Befehl npx catalog.',
  command: 'Befehl',
  webdavText:
    'Füge das als WebDAV-Verbindung hinzu. Das Passwort ist ein API-Token aus deinem Konto.',
  account: 'Token anlegen',
  address: 'Adresse',
  username: 'Benutzername',
  shownOnce: 'Kopiere die Adresse jetzt. Sie wird nur einmal angezeigt.',
  secretWarning:
    'Wer die Adresse kennt, kann die Spiele dieser Auswahl lesen, bis sie abläuft oder du sie widerrufst.',
  qrCode: 'QR-Code der Adresse',
  ppsspp: 'In PPSSPP',
  ppssppText:
    'Unter Settings, Tools, Remote disc streaming, Settings: „Manual Mode Client“ einschalten und diese Werte eintragen. Vor PPSSPP 1.17 hänge den Ordner der Spiele an das Unterverzeichnis an, etwa ROMs/psp/.',
  host: 'Remote Server',
  port: 'Remote Port',
  folder: 'Remote Subdirectory',
  plainHttp:
    'PPSSPP braucht eine Adresse mit http://, zum Beispiel die des Servers in deinem Netz.',
  onlyHere:
    'Diese Adresse gilt nur auf dem Server selbst. Öffne diese Seite unter der Adresse des Servers in deinem Netz, und verbinde das Gerät erneut.',
  fetched: (file, when) => `Letzte Datei: ${file}, ${when}`,
  fetchedNothing: 'Noch keine Datei geholt',
  expired: 'Abgelaufen',
  revokeTitle: (name) => `„${name}“ widerrufen?`,
  revokeText: 'Das Gerät verliert sofort den Zugriff. Seine Adresse lässt sich nicht zurückholen.',
  failures: { tooMany: 'Du hast 100 Geräte. Widerrufe zuerst eines.' },
};
