import { mergeGamelist, stripGamelist } from './gamelist/merge-gamelist.ts';
import type { ListMergings } from './list-form.ts';
import { mergePlaylist, stripPlaylist } from './playlist/merge-playlist.ts';
import { stripOldPlaylist } from './playlist/old-playlist.ts';
import { maxPlaylistBytes } from './playlist/parse-playlist.ts';
import { unreadablePlaylist } from './playlist/unreadable-playlist.ts';

/** The functions that merge the lists of each form. */
export const listMergings: ListMergings = {
  gamelist: {
    maxBytes: 64 * 2 ** 20,
    unreadable: () => 'It cannot be read as a list, so it stays as it is',
    merge: mergeGamelist,
    strip: (present, names, { isOwn }) => stripGamelist(present, names, isOwn),
  },
  playlist: {
    maxBytes: maxPlaylistBytes,
    unreadable: unreadablePlaylist,
    merge: mergePlaylist,
    strip: (...list) => stripPlaylist(...list) ?? stripOldPlaylist(...list),
  },
};
