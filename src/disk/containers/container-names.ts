import type { ArchiveFormat, PlainContainer } from '../../core/library/containers.ts';

/** The names of the packed images. `containers.ts` has a line for each of them. */
export type PackedContainer =
  | 'ciso'
  | 'cso'
  | 'zso'
  | 'dax'
  | 'chd'
  | 'rvz'
  | 'wia'
  | 'gcz'
  | 'wbfs'
  | 'wdf'
  | 'nkit'
  | 'mdf'
  | 'nrg'
  | 'cdi'
  | 'ecm'
  | 'pbp';

/** The name of a container that this program reads. */
export type KnownContainer = PackedContainer | ArchiveFormat | PlainContainer;
