/** Names of the kinds of discs. The names are the same in all languages. */
const names: Readonly<Record<string, string>> = {
  psp: 'PSP',
  'umd-video': 'UMD Video',
  'umd-audio': 'UMD Music',
  psx: 'PlayStation',
  ps2: 'PlayStation 2',
  ps3: 'PlayStation 3',
  xbox: 'Xbox',
  'xbox-360': 'Xbox 360',
  'pc-engine-cd': 'PC Engine CD',
  'neo-geo-cd': 'Neo Geo CD',
  '3do': '3DO',
  'cd-i': 'CD-i',
  'jaguar-cd': 'Jaguar CD',
  gamecube: 'GameCube',
  wii: 'Wii',
  saturn: 'Saturn',
  'mega-cd': 'Mega-CD',
  dreamcast: 'Dreamcast',
};

/** Returns the name of a kind of disc. An unknown kind is returned unchanged. */
export function discName(disc: string): string {
  return names[disc] ?? disc;
}
