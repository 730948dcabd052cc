import type { DiscKind } from './identity.ts';

/** Whether a disc can belong to a platform. A disc of unknown kind fits every platform. */
export function fits(disc: DiscKind | null, platformKey: string): boolean {
  return disc === null || platforms[disc].test(platformKey);
}

/**
 * For each kind of disc, a pattern for the platforms that it fits. The patterns are applied to the
 * result of `platformKey`.
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
