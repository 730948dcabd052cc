import { mergeGamelist, stripGamelist } from './gamelist/merge-gamelist.ts';
import type { ListMergings } from './list-form.ts';
import { mergePlaylist, stripPlaylist } from './playlist/merge-playlist.ts';

/** How the lists of each form are merged. */
export const listMergings: ListMergings = {
  gamelist: { merge: mergeGamelist, strip: stripGamelist },
  playlist: { merge: mergePlaylist, strip: stripPlaylist },
};
