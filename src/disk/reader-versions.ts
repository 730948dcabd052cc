import type { Container, DiscKind, Identity } from '../core/library/identity.ts';

/**
 * Version of the reader of each container. Increase a version by one whenever the reader returns
 * more or other data. The files are then read again. The reader of a new container starts with 1.
 */
const containers: Readonly<Record<Exclude<Container, 'unknown'>, number>> = {
  iso: 4,
  raw: 2,
  cso: 1,
  zso: 1,
  dax: 1,
  chd: 2,
  rvz: 2,
  wia: 2,
  gcz: 1,
  wbfs: 2,
  ciso: 2,
  wdf: 1,
  nkit: 1,
  zip: 4,
  '7z': 3,
  rar: 3,
  tar: 2,
  gz: 1,
  xz: 4,
  zst: 2,
  cue: 3,
  gdi: 2,
  m3u: 1,
  ccd: 1,
  mds: 1,
  mdf: 1,
  nrg: 1,
  cdi: 1,
  ecm: 1,
  part: 1,
  pbp: 2,
  ines: 1,
  fds: 1,
  lnx: 1,
  a78: 1,
  copier: 1,
  smd: 1,
  n64: 1,
  nds: 1,
  gba: 1,
};

/** Version of the reader of each kind of disc, used in the same way as `containers`. */
const discs: Readonly<Record<DiscKind, number>> = {
  psp: 1,
  'umd-video': 1,
  'umd-audio': 1,
  psx: 1,
  ps2: 1,
  ps3: 1,
  xbox: 1,
  'xbox-360': 1,
  'pc-engine-cd': 1,
  'neo-geo-cd': 1,
  '3do': 1,
  'cd-i': 1,
  'jaguar-cd': 1,
  gamecube: 2,
  wii: 2,
  saturn: 1,
  'mega-cd': 1,
  dreamcast: 1,
};

/**
 * Returns the names and versions of the readers of a file with this container and disc: `cso 1, psp
 * 1`.
 */
export function readerOf({ container, disc }: Pick<Identity, 'container' | 'disc'>): string {
  return `${versioned(containers, container)}, ${versioned(discs, disc ?? 'no disc')}`;
}

/**
 * Returns true if `reader`, a result of `readerOf`, is current. Reading the file again would then
 * give the same result.
 */
export function isCurrentReader(reader: string): boolean {
  const [container = '', disc = ''] = reader
    .split(', ')
    .map((part) => part.slice(0, part.lastIndexOf(' ')));
  return reader === `${versioned(containers, container)}, ${versioned(discs, disc)}`;
}

/**
 * Returns a name with the version of its reader. If there is no reader with this name, the version
 * is the sum of all versions. The sum changes with every new or changed reader, because such a
 * reader may recognise the file.
 */
function versioned(readers: Readonly<Record<string, number>>, name: string): string {
  const all = Object.values(readers).reduce((sum, version) => sum + version, 0);
  return `${name} ${readers[name] ?? all}`;
}
