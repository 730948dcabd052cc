/** Codes of the languages in the names of releases (ISO 639-1), in lower case. */
const languageCodes: ReadonlySet<string> = new Set(
  `af ar be bg bn bs ca cs cy da de el en eo es et eu fa fi fr ga gd gl he hi hr hu hy id is it ja ka ko la
  lt lv mk ms nl no pa pl pt ro ru sk sl sq sr sv ta te th tl tr uk ur vi yi zh zu`.split(/\s+/),
);

/**
 * The kinds of releases that are not an ordinary edition, each with the labels that mean it. A
 * label may end with a number (`Beta 2`). The database stores the place of a kind in this list
 * (`kindBitsOf`), so a new kind must be added at the end.
 */
const kindLabels = {
  Demo: ['demo', 'trial', 'taikenban', 'tentou', 'taikenban rom', 'auto demo', 'trade demo'],
  Beta: ['beta', 'alpha', 'preview'],
  Proto: ['proto', 'prototype', 'possible proto'],
  Sample: ['sample', 'hibaihin', 'review code'],
  Kiosk: ['kiosk'],
  Unl: ['unl', 'unlicensed'],
  Aftermarket: ['aftermarket', 'homebrew'],
  Pirate: ['pirate', 'bootleg', 'p'],
  Hack: ['hack', 'h'],
  Cheat: ['cheat', 'cheats', 'trainer', 't'],
  Alt: ['alt', 'alternate', 'a'],
  Promo: ['promo'],
  Debug: ['debug'],
  Program: ['program', 'test program'],
  Bad: ['bad dump', 'bad', 'b', 'o', 'overdump'],
  BIOS: ['bios'],
  Translation: ['tr', 'translation'],
} as const satisfies Record<string, readonly string[]>;

/** A kind of release that a name states, such as `Demo`. */
export type KindTag = keyof typeof kindLabels;

/** All kinds of releases that names state. */
export const kindTags = Object.keys(kindLabels) as readonly KindTag[];

const kindOf = new Map<string, KindTag>(
  kindTags.flatMap((kind) => kindLabels[kind].map((label) => [label, kind] as const)),
);

/** Kinds that a longer label also states if it begins or ends with the name of the kind. */
const wordKinds: readonly KindTag[] = ['Demo', 'Beta', 'Proto', 'Kiosk', 'Hack', 'Sample'];

/**
 * Texts in the titles of discs with cheats, in lower case. Such a disc is of the kind `Cheat`,
 * although no label states it.
 */
export const cheatTitles = ['cheat', 'action replay', 'gameshark'] as const;

/**
 * Returns the kind that a label states. `isBracketed` is true for a label in brackets. In brackets,
 * the short codes of TOSEC and GoodTools count too, such as `[b]` and `[h1]`. Returns null if the
 * label states no kind.
 */
export function kindIn(label: string, isBracketed: boolean): KindTag | null {
  const lower = label.toLowerCase().trim();
  const [first = '', ...rest] = lower.split(' ');
  if (isBracketed) {
    const code = kindOf.get(withoutNumber(first));
    if (code !== undefined) return code;
    if (/^t[+-]/.test(first)) return 'Translation';
  }
  const known = kindOf.get(withoutNumber(lower));
  if (known !== undefined && !isCode(withoutNumber(lower))) return known;
  const last = rest.at(-1) ?? '';
  const isWordOf = (kind: KindTag) => [first, last].includes(kind.toLowerCase());
  return wordKinds.find(isWordOf) ?? null;
}

/** Returns true for a label that states its kind only in brackets. */
const isCode = (label: string) => label.length <= 2;

/** Returns a text without the digits, dots and spaces at its end. */
function withoutNumber(text: string): string {
  let end = text.length;
  while (end > 0 && ' .0123456789'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/**
 * Patterns of the labels by which an image is compared with names. Only these exact forms count as
 * evidence about an image.
 */
export const exactLabels = {
  disc: /\(Dis[ck] (\d{1,2})\)/i,
  revision: /\(Rev (\d{1,2})\)/i,
  version: /\(v(\d{1,2}\.\d{2,3})\)/i,
  preview: /\((?:Beta|Proto|Demo|Sample|Taikenban|Tentou)/i,
} as const;

/** Maximum length of a label that may state a number or a version. */
const maxLabelLength = 40;

/**
 * Returns the revision that a label states, as it is written there: `Rev 1`, `Rev A` or `v1.01`.
 * Returns null for other labels.
 */
export function revisionIn(label: string): string | null {
  if (label.length > maxLabelLength) return null;
  return /^(?:rev ?[0-9a-z][0-9a-z.]*|v ?[0-9][0-9a-z.]*|version [0-9][0-9a-z.]*)$/i.test(label)
    ? label
    : null;
}

/** The number and the side of a disc, disk or tape in a set. A missing number is 0. */
export interface Medium {
  readonly number: number;
  /** Letter of the side, in upper case; "" if the label states none. */
  readonly side: string;
}

const medium =
  /^(?:dis[ck]|cd|dvd|gd-rom|tape|cassette|cart) ?([0-9]{1,3}|[a-z])(?: of [0-9]{1,3})?(?: side ([a-z]))?$/i;
const sideAlone = /^side ([a-z0-9])(?: of [a-z0-9])?$/i;

/**
 * Returns the disc that a label states, such as `Disc 2`, `Disk 1 of 3` or `Side A`. Letters count
 * from 1. Returns null for other labels.
 */
export function mediumIn(label: string): Medium | null {
  if (label.length > maxLabelLength) return null;
  const [, place, side = ''] = medium.exec(label) ?? [];
  if (place !== undefined) return { number: placeOf(place), side: side.toUpperCase() };
  const [, alone] = sideAlone.exec(label) ?? [];
  return alone === undefined ? null : { number: 0, side: alone.toUpperCase() };
}

function placeOf(place: string): number {
  const number = Number(place);
  return Number.isNaN(number) ? place.toLowerCase().charCodeAt(0) - 96 : number;
}

/**
 * Returns the languages of a label, as codes such as `En` and `Zh-Hans`: `En,Fr`, `En+De` or
 * TOSEC's `en-fr`. Returns null for other labels.
 */
export function languagesIn(label: string): string[] | null {
  const isTosec = label === label.toLowerCase();
  const codes = label.split(isTosec ? '-' : /[,+]/).map((code) => code.trim());
  const isCode = (code: string) => {
    const [language = '', variant] = code.split('-');
    const isWritten = isTosec || /^[A-Z][a-z]$/.test(language);
    const hasVariant = variant === undefined || /^[A-Za-z]{2,4}$/.test(variant);
    return isWritten && hasVariant && languageCodes.has(language.toLowerCase());
  };
  if (!codes.every(isCode)) return null;
  return codes.map((code) => `${code.charAt(0).toUpperCase()}${code.slice(1)}`);
}
