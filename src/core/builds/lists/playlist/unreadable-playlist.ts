import { parseOldPlaylist } from './old-playlist.ts';

const compressed = 'It is a compressed playlist, so it stays as it is: ';
const old = 'It is a playlist in the old format, so it stays as it is: ';

/**
 * Returns a sentence that states why a playlist cannot be merged, and which setting of RetroArch to
 * turn off.
 */
export function unreadablePlaylist(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString();
  if (text.startsWith('#RZIP')) return compressed + withoutSetting('Compress Playlists');
  if (parseOldPlaylist(text) !== null) {
    return old + withoutSetting('Save Playlists Using Old Format');
  }
  return 'It cannot be read as a list, so it stays as it is';
}

function withoutSetting(name: string): string {
  return `in Settings > Playlists of RetroArch, turn off "${name}", and open the playlist`;
}
