import type {
  ArchiveFormat,
  Container,
  KnownContainer,
  PackedContainer,
  PlainContainer,
} from '../../core/library/containers.ts';
import { type ImageBytes, piecesInOneBuffer } from '../image-bytes.ts';
import { readAhead } from '../read-ahead.ts';
import { cdiTables, cdiTracks } from './burners/cdi.ts';
import { ecmPieces, openEcmDisc, readEcm } from './burners/ecm.ts';
import { openMdf, readMdf } from './burners/mdf.ts';
import { nrgChunks, nrgTracks } from './burners/nrg.ts';
import { openRaw } from './burners/raw-sectors.ts';
import { withoutSubchannels } from './burners/strided.ts';
import { readTracks, trackImages } from './burners/tracked-image.ts';
import { openChdDisc, openChdImages, readChd } from './chd/chd.ts';
import type {
  ContainerFormat,
  PackedFormat,
  PlainFormat,
  Recognition,
} from './container-format.ts';
import { openCso } from './cso.ts';
import { openDax } from './dax.ts';
import { openGcz } from './nintendo/gcz.ts';
import { isNintendoCiso, openNintendoCiso, readNintendoCiso } from './nintendo/nintendo-ciso.ts';
import { openWbfs, readWbfs, readWbfsAlone } from './nintendo/wbfs.ts';
import { openFirstWbfsPart } from './nintendo/wbfs-part.ts';
import { openWdf } from './nintendo/wdf.ts';
import { readPbp } from './pbp.ts';
import { openPsxDisc, readPbpAndDisc } from './psx-pbp.ts';
import { readMds, readSheetFile } from './sheets/read-sheet.ts';
import { wiaPieces } from './wia/disc-pieces.ts';
import { readWia } from './wia/header.ts';

/** A line for each packed image. A packed image must not have the name of another container. */
type PackedImages = Readonly<Record<PackedContainer, PackedFormat & Recognition>> & {
  readonly [Name in PlainContainer | ArchiveFormat]?: never;
};

/**
 * The packed images. To add one, write its reader, and add a line here and in
 * `src/core/library/containers.ts`. The first line that recognises a file decides, so the order
 * matters: a `ciso` has the magic number of a `cso`.
 */
const packedImages: PackedImages = {
  ciso: {
    version: 2,
    matchesHead: isNintendoCiso,
    packed: true,
    openFirstPart: null,
    access: 'random',
    open: openNintendoCiso,
    read: readNintendoCiso,
    readInner: readNintendoCiso,
  },
  cso: {
    version: 1,
    magics: ['CISO'],
    packed: true,
    openFirstPart: null,
    access: 'sequential',
    open: openCso,
  },
  zso: {
    version: 1,
    magics: ['ZISO'],
    packed: true,
    openFirstPart: null,
    access: 'sequential',
    open: openCso,
  },
  dax: {
    version: 1,
    magics: ['DAX\0'],
    packed: true,
    openFirstPart: null,
    access: 'sequential',
    open: openDax,
  },
  chd: {
    version: 2,
    magics: ['MComprHD'],
    packed: true,
    openFirstPart: null,
    access: 'random',
    open: openChdDisc,
    tracks: openChdImages,
    read: readChd,
  },
  rvz: {
    version: 2,
    magics: ['RVZ\x01'],
    packed: true,
    openFirstPart: null,
    access: 'random',
    open: null,
    pieces: wiaPieces,
    read: readWia,
    readInner: readWia,
  },
  wia: {
    version: 2,
    magics: ['WIA\x01'],
    packed: true,
    openFirstPart: null,
    access: 'random',
    open: null,
    pieces: wiaPieces,
    read: readWia,
    readInner: readWia,
  },
  gcz: {
    version: 1,
    magics: ['\x01\xc0\x0b\xb1'],
    packed: true,
    openFirstPart: null,
    access: 'random',
    open: openGcz,
  },
  wbfs: {
    version: 2,
    magics: ['WBFS'],
    packed: true,
    openFirstPart: openFirstWbfsPart,
    access: 'random',
    open: openWbfs,
    read: readWbfs,
    readInner: readWbfsAlone,
  },
  wdf: {
    version: 1,
    magics: ['WII\x01DISC'],
    packed: true,
    openFirstPart: null,
    access: 'random',
    open: openWdf,
  },
  // An NKit is not hashed, because an NKit omits parts of the disc.
  nkit: {
    version: 1,
    recognisedBy: 'readNintendo',
    packed: true,
    openFirstPart: null,
    access: 'alone',
    open: openRaw,
    pieces: piecesInOneBuffer,
  },
  mdf: {
    version: 1,
    recognisedBy: 'recogniseFile',
    packed: true,
    openFirstPart: null,
    access: 'alone',
    open: openMdf,
    pieces: (file) => piecesInOneBuffer(withoutSubchannels(file)),
    read: readMdf,
  },
  nrg: {
    version: 1,
    matchesEnd: (tail) => nrgChunks(tail) !== null,
    packed: true,
    openFirstPart: null,
    access: 'alone',
    open: null,
    tracks: async (file) => trackImages(file, await nrgTracks(file)),
    read: async (file, draft) => readTracks(file, await nrgTracks(file), draft),
  },
  cdi: {
    version: 1,
    matchesEnd: (tail, size) => cdiTables(tail, size) !== null,
    packed: true,
    openFirstPart: null,
    access: 'alone',
    open: null,
    tracks: async (file) => trackImages(file, await cdiTracks(file)),
    read: async (file, draft) => readTracks(file, await cdiTracks(file), draft),
  },
  ecm: {
    version: 1,
    magics: ['ECM\0'],
    packed: true,
    openFirstPart: null,
    access: 'alone',
    open: openEcmDisc,
    pieces: (file) => ecmPieces(readAhead(file)),
    read: readEcm,
    readInner: readEcm,
  },
  // The image is hashed if the PBP contains one PlayStation disc that can be opened. Otherwise the
  // file itself is hashed, for example if the PBP is a PSP game.
  pbp: {
    version: 2,
    magics: ['\0PBP'],
    packed: true,
    openFirstPart: null,
    access: 'alone',
    open: null,
    pieces: async (file) => piecesInOneBuffer((await openPsxDisc(file)) ?? file),
    read: readPbpAndDisc,
    readInner: readPbp,
  },
};

/**
 * The archives. `memberListers` in `archives/read-archive.ts` contains the functions that read the
 * directories of archives.
 */
const archives: Readonly<Record<ArchiveFormat, PlainFormat>> = {
  // The second magic number is that of a zip without members.
  zip: { version: 4, magics: ['PK\x03\x04', 'PK\x05\x06'], packed: false },
  '7z': { version: 3, magics: ["7z\xbc\xaf'\x1c"], packed: false },
  rar: {
    version: 3,
    magics: ['Rar!\x1a\x07\x00', 'Rar!\x1a\x07\x01\x00'],
    packed: false,
  },
  tar: { version: 3, packed: false },
  gz: { version: 1, magics: ['\x1f\x8b\x08'], packed: false },
  xz: { version: 4, magics: ['\xfd7zXZ\x00'], packed: false },
  zst: { version: 2, magics: ['\x28\xb5\x2f\xfd'], packed: false },
};

const cartridge: PlainFormat = { version: 1, packed: false };
const openItself = async (file: ImageBytes) => file;

/** The containers whose own bytes are hashed. `recogniseFile` recognises most of them. */
const plain: Readonly<Record<PlainContainer, PlainFormat>> = {
  iso: { version: 4, packed: false, open: openItself },
  raw: { version: 2, packed: false, open: openRaw },
  part: { version: 1, packed: false },
  unknown: { version: null, packed: false, open: openItself },
  cue: { version: 3, packed: false, read: readSheetFile },
  gdi: { version: 2, packed: false, read: readSheetFile },
  ccd: { version: 1, packed: false, read: readSheetFile },
  mds: {
    version: 1,
    magics: ['MEDIA DESCRIPTOR'],
    packed: false,
    read: readMds,
  },
  m3u: { version: 1, packed: false, read: readSheetFile },
  ines: cartridge,
  fds: cartridge,
  lnx: cartridge,
  a78: cartridge,
  copier: cartridge,
  smd: cartridge,
  n64: cartridge,
  nds: cartridge,
  gba: cartridge,
};

/** The table of all containers, by name. */
export const containers: Readonly<Record<KnownContainer, ContainerFormat>> = {
  ...packedImages,
  ...archives,
  ...plain,
};

/** Returns the line of a container. Throws if the name is unknown, which is a bug. */
export function formatOf(container: Container): ContainerFormat {
  if (!Object.hasOwn(containers, container)) throw new Error(`no container is named ${container}`);
  return containers[container as KnownContainer];
}

/**
 * The packed images that may be split into several files. Only the first of these files has a magic
 * number.
 */
export const splitContainers = Object.entries(packedImages).flatMap(([name, format]) => {
  const { openFirstPart, readInner } = format;
  const isSplit = openFirstPart !== null && readInner !== undefined;
  return isSplit ? [{ container: name as PackedContainer, openFirstPart, readInner }] : [];
});

/**
 * Opens the disc in a file as an image. Returns null if the container has no `open` function, or if
 * that function returns null.
 */
export async function openDisc(file: ImageBytes, container: Container): Promise<ImageBytes | null> {
  return (await formatOf(container).open?.(file)) ?? null;
}
