import type { Identity } from '../identity.ts';

/**
 * Completes the new identity of an unchanged file. Copies values that only unpacking can reveal
 * from the identity of an earlier scan.
 */
export function withKnownInside(read: Identity, before: Identity): Identity {
  const tracks = before.tracks.length > 0 ? before.tracks : read.tracks;
  const { forms } = before;
  const wasUnpacked = before.members.some((member) => member.hashes);
  if (!wasUnpacked) return { ...read, tracks, forms };
  const { members, imageSize, disc, serial, edition, title, evidence, problem } = before;
  const { statedImage } = before;
  if (read.disc !== null) return { ...read, tracks, forms, members };
  return {
    ...read,
    tracks,
    forms,
    members,
    imageSize,
    disc,
    serial,
    edition,
    title,
    ...(statedImage && { statedImage }),
    evidence,
    problem,
  };
}
