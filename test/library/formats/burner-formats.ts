import {
  makeCcd,
  makeCdi,
  makeEcm,
  makeMds,
  makeNrg,
  withDetection,
} from '../../support/images/burner-images.ts';
import { withCorrection } from '../../support/images/cd-tracks.ts';
import { makeRaw } from '../../support/images/packed-images.ts';
import { saturn } from '../numbered-discs.ts';
import { type Made, own, packed, plain } from './format.ts';

/**
 * Formats that no installed tool writes. test/support/images/burner-images.ts follows the
 * descriptions of these formats.
 */
export const burners = Object.entries<(track: Buffer) => Made>({
  CloneCD: (track) => {
    const ccd = Buffer.from(makeCcd([{ content: track, isAudio: false }]));
    return { ...plain(track), files: { '.ccd': ccd, '.img': track, '.sub': subchannels(track) } };
  },
  'Alcohol, 2352': (track) => alcohol(track, 0),
  'Alcohol, 2448': (track) => alcohol(track, 96),
  Nero: (track) => packed(track, (content) => makeNrg([{ content, isAudio: false }]), '.dat'),
  DiscJuggler: (track) =>
    packed(track, (content) => makeCdi([{ content, isAudio: false }]), '.dat'),
  ECM: (track) => ({
    ...packed(track, (bytes) => makeEcm([{ kind: 1, bytes }]), '.dat'),
    size: null,
  }),
}).map(([label, make]) =>
  own(
    label,
    'Sega - Saturn',
    (n) => `81${n}`,
    (n) => make(withCorrection(withDetection(makeRaw(saturn(n), 1)))),
  ),
);

function alcohol(content: Buffer, subchannels: 0 | 96): Made {
  const { mds, mdf } = makeMds([{ content, isAudio: false }], subchannels);
  return { files: { '.mds': mds, '.mdf': mdf }, image: content, size: content.length };
}

/** Returns subchannels that depend on the track, so that all files differ. */
function subchannels(track: Buffer): Buffer {
  return Buffer.concat([track.subarray(16, 112), Buffer.alloc(96 * (track.length / 2352 - 1))]);
}
