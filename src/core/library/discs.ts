/** The name of a kind of disc, and the properties that are used to match files with releases. */
interface DiscProperties {
  /** The name, which is the same in all languages. The page shows it. */
  readonly name: string;
  /**
   * A pattern that matches the platforms of discs of this kind. The pattern is applied to the
   * result of `platformKey`.
   */
  readonly platforms: RegExp;
  /** Suffixes that may be printed after the serial that a disc states. */
  readonly suffixes?: readonly string[];
  /** True if discs for several regions share a printed serial. */
  readonly isSerialShared?: true;
}

// A suffix marks a reissue, an edition for one country, or a disc of a set. Source: all suffixes of
// up to four characters in libretro's Redump DATs of 2026-08.
const sonySuffixes = [
  '01 100 11 2 20 21 3 30 31 4 403 5 6 66 7 8 85 9 A A0 A1 A2 ANZ ANZ0 ANZ1 ANZP AUS B B0 B1 B2 BD',
  'C C0 C1 CE D E ENG EUR F F0 F1 FV G GER GER0 GER1 GH GH0 GH1 GH2 GH3 GHA GHF GHF0 GHF1 GHF2 GHF3 GHP',
  'GHY H L LE LEL LES MINI NFR P P0 P1 P2 P3 P30 P31 P3F PANZ PGER RUS RUS0 RUS1 S SA SCA SEA T TP TR Z',
].flatMap((line) => line.split(' '));
const segaSuffixes = [
  '0 01 03 05 050 051 05A 05A0 05B 05B1 06 060 061 08 09 090 091 09A 09A0 09B 09B1 1 11 13 16 18 180',
  '181 18A 18A0 18B 18B1 2 3 4 45 450 451 452 453 47 5 50 500 501 502 503 50E 50E0 50E1 50F 50F0 50F1',
  '50G 50G0 50G1 51 53 56 58 59 6 60 61 610 611 61A 61A0 61B 61B1 64 7 71 710 711 72 74 75 76 79 80 82',
  '820 821 83 84 87 89 91 92 99 B5 H H50 T',
].flatMap((line) => line.split(' '));
const xboxSuffixes = ['0', '1', '2', '3', '4'];

/** The kinds of discs. `src/disk/disc/read-disc.ts` lists the reader of each kind. */
const discs = {
  psp: { name: 'PSP', platforms: /^sonyplaystationportable(?!umd)/, suffixes: sonySuffixes },
  'umd-video': { name: 'UMD Video', platforms: /^sonyplaystationportableumdvideo/ },
  'umd-audio': { name: 'UMD Music', platforms: /^sonyplaystationportableumdmusic/ },
  psx: {
    name: 'PlayStation',
    platforms: /^sonyplaystation(?!\d|portable(?!psx2psp)|vita|mobile)/,
    suffixes: sonySuffixes,
  },
  ps2: { name: 'PlayStation 2', platforms: /^sonyplaystation2/, suffixes: sonySuffixes },
  ps3: { name: 'PlayStation 3', platforms: /^sonyplaystation3/, suffixes: sonySuffixes },
  xbox: {
    name: 'Xbox',
    platforms: /^microsoftxbox(?!360|one|series)/,
    suffixes: xboxSuffixes,
    isSerialShared: true,
  },
  'xbox-360': {
    name: 'Xbox 360',
    platforms: /^microsoftxbox360/,
    suffixes: xboxSuffixes,
    isSerialShared: true,
  },
  'pc-engine-cd': { name: 'PC Engine CD', platforms: /^necpcenginecd/ },
  'neo-geo-cd': { name: 'Neo Geo CD', platforms: /^snkneogeocd/, suffixes: ['E', 'J', 'U'] },
  '3do': { name: '3DO', platforms: /3do/ },
  'cd-i': { name: 'CD-i', platforms: /^philipscdi/ },
  'jaguar-cd': { name: 'Jaguar CD', platforms: /^atarijaguarcd/ },
  gamecube: { name: 'GameCube', platforms: /^nintendogamecube/ },
  wii: { name: 'Wii', platforms: /^nintendowii(?!u)/ },
  saturn: {
    name: 'Saturn',
    platforms: /^segasaturn/,
    suffixes: segaSuffixes,
    isSerialShared: true,
  },
  'mega-cd': {
    name: 'Mega-CD',
    platforms: /^segamegacd/,
    suffixes: segaSuffixes,
    isSerialShared: true,
  },
  dreamcast: {
    name: 'Dreamcast',
    platforms: /^segadreamcast/,
    suffixes: segaSuffixes,
    isSerialShared: true,
  },
} as const satisfies Readonly<Record<string, DiscProperties>>;

/** The kind of disc in an image, determined from the content of the image. */
export type DiscKind = keyof typeof discs;

export const discKinds = Object.keys(discs) as DiscKind[];

/** Returns the properties of a kind of disc. */
export function discProperties(disc: DiscKind): DiscProperties {
  return discs[disc];
}

/**
 * Returns true if a disc of this kind can belong to a platform. A disc of unknown kind can belong
 * to every platform.
 */
export function fitsPlatform(disc: DiscKind | null, platformKey: string): boolean {
  return disc === null || discs[disc].platforms.test(platformKey);
}
