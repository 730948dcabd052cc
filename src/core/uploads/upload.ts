import type { UserActor } from '../shared/actor.ts';

/** Where an upload goes: to an area of the store, or to be imported. */
export const uploadSystems = ['games', 'videos', 'dats'] as const;
export type UploadSystem = (typeof uploadSystems)[number];

/** `checking`: all bytes are there; its checksum is made, and an archive gets its name. */
export const uploadStates = ['receiving', 'checking', 'done', 'failed'] as const;
export type UploadState = (typeof uploadStates)[number];

/** Where the bytes of an upload lie. */
export interface UploadPlace {
  readonly system: UploadSystem;
  /** A folder of its own, named at random. */
  readonly folder: string;
  readonly filename: string;
}

/** A file that comes in chunks, over as many connections as it takes. */
export interface Upload extends UploadPlace {
  readonly id: number;
  /** Bytes, as declared. */
  readonly size: number;
  /** Bytes that are safe on disk. */
  readonly offset: number;
  readonly state: UploadState;
  /** Why it failed; else null. */
  readonly detail: string | null;
  /** When it goes by itself; null while it is checked. */
  readonly expiresAt: string | null;
  /** Whether an archive of that name is replaced. */
  readonly replaces: boolean;
  /** As the client sent it: the text of `Upload-Metadata`. */
  readonly metadata: string;
  /** Of the whole, lower-case hexadecimal; null until it is known. */
  readonly sha256: string | null;
  /** Whose it is. */
  readonly actor: UserActor;
}

/** A part of an upload, as it was sent by one request. */
export interface Chunk {
  /** Bytes. */
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** Whose uploads somebody may see. */
export interface UploadViewer {
  readonly userId: number;
  /** Those of everybody, too. */
  readonly seesAll: boolean;
}
