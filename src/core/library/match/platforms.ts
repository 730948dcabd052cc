import type { DiscKind } from '../identity.ts';

/**
 * Returns true if a disc of this kind can belong to a platform. A disc of unknown kind can belong
 * to every platform.
 */
export function fits(disc: DiscKind | null, platformKey: string): boolean {
  return disc === null || platforms[disc].test(platformKey);
}

/**
 * For each kind of disc, a pattern that matches the platforms of such discs. The pattern is applied
 * to the result of `platformKey`.
 */
const platforms: Readonly<Record<DiscKind, RegExp>> = {
  psp: /^sonyplaystationportable(?!umd)/,
  'umd-video': /^sonyplaystationportableumdvideo/,
  'umd-audio': /^sonyplaystationportableumdmusic/,
  psx: /^sonyplaystation(?!\d|portable(?!psx2psp)|vita|mobile)/,
  ps2: /^sonyplaystation2/,
  ps3: /^sonyplaystation3/,
  xbox: /^microsoftxbox(?!360|one|series)/,
  'xbox-360': /^microsoftxbox360/,
  'pc-engine-cd': /^necpcenginecd/,
  'neo-geo-cd': /^snkneogeocd/,
  '3do': /3do/,
  'cd-i': /^philipscdi/,
  'jaguar-cd': /^atarijaguarcd/,
  gamecube: /^nintendogamecube/,
  wii: /^nintendowii(?!u)/,
  saturn: /^segasaturn/,
  'mega-cd': /^segamegacd/,
  dreamcast: /^segadreamcast/,
};
