import type { UserActor } from '../shared/requests/actor.ts';

/**
 * Destinations of uploads. `games` and `videos` are areas of the store; `dats` is for files to
 * import.
 */
export const uploadSystems = ['games', 'videos', 'dats'] as const;
export type UploadSystem = (typeof uploadSystems)[number];

/**
 * The states of an upload. `checking`: all bytes have arrived, and the checksum is being
 * calculated. If the upload is an archive, the archive is then published.
 */
export const uploadStates = ['receiving', 'checking', 'done', 'failed'] as const;
export type UploadState = (typeof uploadStates)[number];

/** Identifies the storage location of an upload's bytes. */
export interface UploadPlace {
  readonly system: UploadSystem;
  /** Random name of the upload's folder. No other upload uses this folder. */
  readonly folder: string;
  readonly filename: string;
}

/** A file that is uploaded in chunks, over any number of connections. */
export interface Upload extends UploadPlace {
  readonly id: number;
  /** Size of the whole file in bytes, as the client declared it. */
  readonly size: number;
  /** Number of bytes that are stored durably. */
  readonly offset: number;
  readonly state: UploadState;
  /** The reason if the upload failed; null otherwise. */
  readonly detail: string | null;
  /** Timestamp of the expiry; null while the upload is being checked. */
  readonly expiresAt: string | null;
  /** True if the file replaces an existing archive of the same name. */
  readonly replaces: boolean;
  /** The value of the header `Upload-Metadata` as the client sent it. */
  readonly metadata: string;
  /** SHA-256 of the whole file, lower-case hexadecimal; null until it is known. */
  readonly sha256: string | null;
  /** The user who uploads the file. */
  readonly actor: UserActor;
}

/** A part of an upload that one request sent. */
export interface Chunk {
  /** Bytes. */
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** A user who requests uploads. Decides which uploads are visible. */
export interface UploadViewer {
  readonly userId: number;
  /** True if the user may also see the uploads of all other users. */
  readonly seesAll: boolean;
}
