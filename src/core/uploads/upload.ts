import type { UserActor } from '../shared/actor.ts';

/** Destination of an upload: an area of the store, or `dats` for files to import. */
export const uploadSystems = ['games', 'videos', 'dats'] as const;
export type UploadSystem = (typeof uploadSystems)[number];

/** `checking`: all bytes arrived; the checksum is calculated, and an archive is published. */
export const uploadStates = ['receiving', 'checking', 'done', 'failed'] as const;
export type UploadState = (typeof uploadStates)[number];

/** Storage location of an upload's bytes. */
export interface UploadPlace {
  readonly system: UploadSystem;
  /** The upload's own folder, with a random name. */
  readonly folder: string;
  readonly filename: string;
}

/** A file that arrives in chunks, over any number of connections. */
export interface Upload extends UploadPlace {
  readonly id: number;
  /** Declared size in bytes. */
  readonly size: number;
  /** Number of bytes that are safe on disk. */
  readonly offset: number;
  readonly state: UploadState;
  /** Why it failed, else null. */
  readonly detail: string | null;
  /** When it expires; null while it is being checked. */
  readonly expiresAt: string | null;
  /** Whether it replaces an archive of that name. */
  readonly replaces: boolean;
  /** The text of `Upload-Metadata` as the client sent it. */
  readonly metadata: string;
  /** SHA-256 of the whole file, lower-case hexadecimal; null until it is known. */
  readonly sha256: string | null;
  /** The owner of the upload. */
  readonly actor: UserActor;
}

/** A part of an upload, sent by one request. */
export interface Chunk {
  /** Bytes. */
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** Determines which uploads a user may see. */
export interface UploadViewer {
  readonly userId: number;
  /** Also those of all other users. */
  readonly seesAll: boolean;
}
