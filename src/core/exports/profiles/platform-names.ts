/**
 * Other names of platforms in DATs, by the name in libretro's database. Redump and No-Intro name
 * some platforms differently.
 */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  'Atari - Jaguar CD': ['Atari - Jaguar CD Interactive Multimedia System'],
  'Atari - Lynx': ['Atari - Atari Lynx'],
  'Coleco - ColecoVision': ['Coleco - Colecovision'],
  'NEC - PC Engine - TurboGrafx 16': ['NEC - PC Engine - TurboGrafx-16'],
  'NEC - PC Engine CD - TurboGrafx-CD': ['NEC - PC Engine CD & TurboGrafx CD'],
  'NEC - PC Engine SuperGrafx': ['NEC - PC Engine - SuperGrafx'],
  'NEC - PC-FX': ['NEC - PC-FX & PC-FXGA'],
  'Nintendo - Family Computer Disk System': ['Nintendo - Famicom Disk System'],
  'Philips - CD-i': ['Philips - CDi'],
  'Sega - Mega-CD - Sega CD': ['Sega - Mega CD & Sega CD', 'Sega - Mega-CD & Sega CD'],
  'SNK - Neo Geo CD': ['SNK - NeoGeo CD', 'SNK - Neo-Geo CD'],
  'SNK - Neo Geo Pocket': ['SNK - NeoGeo Pocket'],
  'SNK - Neo Geo Pocket Color': ['SNK - NeoGeo Pocket Color'],
  'Sony - PlayStation Portable': ['Sony - PSP'],
  'The 3DO Company - 3DO': ['Panasonic - 3DO Interactive Multiplayer', '3DO - 3DO'],
};

const known = new Map(
  Object.entries(otherNames).flatMap(([name, others]) =>
    others.map((other) => [keyOf(other), name] as const),
  ),
);

/**
 * Returns the platform of a profile with this name in a DAT. Returns undefined if there is none.
 * Words in parentheses at the end are ignored, because they only name a form of the dumps, such as
 * `(Headered)`. Words about videos and music are not ignored, because they name other discs.
 */
export function findPlatform<T>(platforms: ReadonlyMap<string, T>, name: string): T | undefined {
  const exact = platforms.get(name);
  if (exact !== undefined) return exact;
  const short = withoutForms(name);
  const canonical = known.get(keyOf(short)) ?? short;
  const key = keyOf(canonical);
  for (const [each, platform] of platforms) if (keyOf(each) === key) return platform;
  return undefined;
}

function withoutForms(name: string): string {
  const start = name.indexOf(' (');
  if (start === -1 || /video|music|audio/i.test(name.slice(start))) return name;
  return name.slice(0, start);
}

/** Returns the letters and digits of a name in lower case. */
function keyOf(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
