/** The region words of the naming conventions of No-Intro and Redump, in lower case. */
export const regionWords: ReadonlySet<string> = new Set(
  `world, europe, asia, usa, america, north america, latin america, south america, scandinavia, oceania,
  africa, middle east, benelux, export, unknown,
  afghanistan, albania, algeria, argentina, armenia, australia, austria, azerbaijan, bahrain, bangladesh,
  belarus, belgium, bolivia, bosnia and herzegovina, brazil, bulgaria, cambodia, canada, chile, china,
  colombia, costa rica, croatia, cuba, cyprus, czech, czech republic, czechia, denmark, dominican republic,
  ecuador, egypt, estonia, finland, france, georgia, germany, greece, guatemala, hong kong, hungary, iceland,
  india, indonesia, iran, iraq, ireland, israel, italy, jamaica, japan, jordan, kazakhstan, kenya, korea,
  south korea, north korea, kuwait, latvia, lebanon, liechtenstein, lithuania, luxembourg, macau, malaysia,
  malta, mexico, moldova, mongolia, montenegro, morocco, nepal, netherlands, new zealand, nigeria,
  north macedonia, norway, oman, pakistan, panama, paraguay, peru, philippines, poland, portugal,
  puerto rico, qatar, romania, russia, saudi arabia, serbia, singapore, slovakia, slovenia, south africa,
  spain, sri lanka, sweden, switzerland, syria, taiwan, thailand, tunisia, turkey, uk, united kingdom,
  ukraine, united arab emirates, united states, uruguay, ussr, uzbekistan, venezuela, vietnam, yugoslavia`
    .split(',')
    .map((word) => word.trim().replace(/\s+/g, ' ')),
);

/** The country codes of TOSEC's naming convention, and the regions that they stand for. */
export const regionCodes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ AS: 'Asia', AU: 'Australia', BR: 'Brazil', CA: 'Canada', CN: 'China', DE: 'Germany' },
    ...{ ES: 'Spain', EU: 'Europe', FR: 'France', GB: 'United Kingdom', HK: 'Hong Kong' },
    ...{ IT: 'Italy', JP: 'Japan', KR: 'Korea', NL: 'Netherlands', SE: 'Sweden', TW: 'Taiwan' },
    ...{ US: 'USA' },
  }),
);

/** The languages of releases that state none, by their region in lower case. */
export const languageOfRegion: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ world: 'En', usa: 'En', 'united states': 'En', 'north america': 'En', america: 'En' },
    ...{ europe: 'En', uk: 'En', 'united kingdom': 'En', ireland: 'En', australia: 'En' },
    ...{ 'new zealand': 'En', canada: 'En', 'south africa': 'En', asia: 'En', export: 'En' },
    ...{ japan: 'Ja', korea: 'Ko', 'south korea': 'Ko', china: 'Zh', taiwan: 'Zh' },
    ...{ 'hong kong': 'Zh', germany: 'De', austria: 'De', france: 'Fr', spain: 'Es' },
    ...{ mexico: 'Es', argentina: 'Es', 'latin america': 'Es', italy: 'It', portugal: 'Pt' },
    ...{ brazil: 'Pt', netherlands: 'Nl', sweden: 'Sv', norway: 'No', denmark: 'Da' },
    ...{ finland: 'Fi', poland: 'Pl', russia: 'Ru', greece: 'El', turkey: 'Tr', hungary: 'Hu' },
    ...{ czech: 'Cs', 'czech republic': 'Cs', czechia: 'Cs', ukraine: 'Uk', croatia: 'Hr' },
  }),
);

/**
 * Returns the regions of a label such as `USA, Europe`, as they are written there. Returns null if
 * any of its words is not a region.
 */
export function regionsIn(label: string): string[] | null {
  const words = label.split(',').map((word) => word.trim());
  return words.every((word) => regionWords.has(word.toLowerCase())) ? words : null;
}

/** Returns the regions of a label with TOSEC's codes, such as `US-EU`; null for other labels. */
export function regionsOfCodes(label: string): string[] | null {
  const regions = label.split('-').map((code) => regionCodes.get(code));
  return regions.every((region) => region !== undefined) ? regions : null;
}
