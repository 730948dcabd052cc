import type { sendTo as english } from '../en/send-to.ts';

const batocera = 'während EmulationStation nicht läuft.';

export const sendTo: typeof english = {
  open: 'Senden an …',
  title: (set) => `„${set}“ senden an …`,
  text: 'Der Download enthält Spielelisten, Playlists und Cover, aber keine Spiele.',
  device: 'Gerät oder Oberfläche',
  romsPath: 'Ordner der Spiele auf dem Gerät',
  romsHint: (path) => `Leer lassen für ${path}.`,
  checking: 'Prüfe, was das Gerät öffnen kann …',
  games: (games, shown) => (games === 1 ? '1 Spiel' : `${shown} Spiele`),
  missing: (releases, shown) =>
    releases === 1
      ? '1 Veröffentlichung der Auswahl fehlt in deiner Bibliothek.'
      : `${shown} Veröffentlichungen der Auswahl fehlen in deiner Bibliothek.`,
  gone: 'Diese Auswahl gibt es nicht mehr.',
  nothing: 'Keine Datei dieser Auswahl lässt sich auf diesem Gerät verwenden.',
  complete: 'Nichts wird ausgelassen.',
  leftOut: (files, shown) =>
    files === 1 ? '1 Datei wird ausgelassen' : `${shown} Dateien werden ausgelassen`,
  more: 'Mehr anzeigen',
  rest: (shown) => `${shown} weitere stehen in left_out.json im Download.`,
  download: 'Herunterladen',
  build: 'Gerät befüllen',
  placements: {
    'es-de':
      'Entpacke in den Ordner ES-DE des Geräts, und verschiebe ROMs in den Ordner deiner Spiele.',
    batocera: `Entpacke nach /userdata/roms (Netzwerkfreigabe „roms“), ${batocera}`,
    knulli: `Entpacke nach /userdata/roms (Netzwerkfreigabe „roms“), ${batocera}`,
    rocknix: `Entpacke nach /storage/roms (Netzwerkfreigabe „roms“), ${batocera}`,
    arkos: `Entpacke in die Partition EASYROMS (/roms) der Karte, ${batocera}`,
    pegasus:
      'Entpacke in den Ordner deiner Spiele, und füge dessen Ordner in den Einstellungen von Pegasus hinzu.',
    retroarch:
      'Entpacke in den Ordner von RetroArch, der die Ordner playlists und thumbnails enthält, und verschiebe roms in den Ordner deiner Spiele.',
    muos: 'Entpacke in die oberste Ebene der Karte mit deinen Spielen.',
    onion:
      'Entpacke in die oberste Ebene der SD-Karte, und aktualisiere dann die Spielelisten auf dem Gerät.',
    minui: 'Entpacke in die oberste Ebene der SD-Karte.',
    nextui: 'Entpacke in die oberste Ebene der SD-Karte.',
  },
};
