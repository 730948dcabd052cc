/** A release of the demo. All its names are invented. */
export interface DemoRelease {
  readonly platform: DemoPlatform;
  readonly name: string;
  readonly region: string;
  /** Text on the cover, in capital letters. A name in another script is transcribed. */
  readonly lettering: string;
  readonly genre: string;
}

export interface DemoPlatform {
  /** The platform's name, as in the header of a DAT. */
  readonly name: string;
  readonly system: 'games' | 'videos';
  /** Size of the platform's covers, in pixels. */
  readonly cover: { readonly width: number; readonly height: number };
  /** Prefix of serials, by region. A release from any other region has no serial. */
  readonly serials: Readonly<Record<string, string>>;
  /** File extension of the platform's images. */
  readonly ending: string;
}

const discs = { USA: 'SLUS', Europe: 'SLES', Germany: 'SLES', France: 'SLES', Japan: 'SLPS' };
const umds = { USA: 'ULUS', Europe: 'ULES', Germany: 'ULES', France: 'ULES', Japan: 'ULJM' };

// biome-ignore format: it reads as a table
const platforms = {
  psp: { name: 'Sony - PlayStation Portable', system: 'games', cover: { width: 400, height: 690 }, serials: umds, ending: 'iso' },
  disc: { name: 'Sony - PlayStation', system: 'games', cover: { width: 600, height: 600 }, serials: discs, ending: 'bin' },
  wide: { name: 'Nintendo - Super Nintendo Entertainment System', system: 'games', cover: { width: 640, height: 456 }, serials: {}, ending: 'sfc' },
  case: { name: 'Sega - Mega Drive - Genesis', system: 'games', cover: { width: 480, height: 660 }, serials: {}, ending: 'md' },
  film: { name: 'Sony - PlayStation Portable (UMD Video)', system: 'videos', cover: { width: 400, height: 690 }, serials: { USA: 'UMDT', Europe: 'UMDT', Japan: 'UMDT' }, ending: 'iso' },
} as const satisfies Record<string, DemoPlatform>;

// biome-ignore format: it reads as a table
const rows: readonly (readonly [keyof typeof platforms, string, string, string, string?])[] = [
  ['psp', 'Amber Tide', 'USA', 'Adventure'],
  ['psp', 'Bellwether', 'Europe', 'Puzzle'],
  ['psp', 'Cobalt Run', 'USA', 'Racing'],
  ['psp', 'Cobalt Run 2', 'Europe', 'Racing'],
  ['psp', 'Dune Courier', 'USA, Europe', 'Racing'],
  ['psp', 'Echo Orchard', 'Japan', 'Role-Playing'],
  ['psp', 'Fathom & Flare', 'Europe', 'Adventure'],
  ['psp', 'Glass Harbour', 'Europe', 'Strategy'],
  ['psp', 'Hollow Signal', 'USA', 'Action'],
  ['psp', 'Kite Season', 'Japan', 'Sports'],
  ['psp', 'Lantern Road', 'USA', 'Role-Playing'],
  ['psp', 'Moss Kingdom', 'Europe', 'Strategy'],
  ['psp', 'Night Ferry', 'Germany', 'Adventure'],
  ['psp', 'Paper Comet', 'USA', 'Platform'],
  ['psp', 'Quiet Machines', 'USA', 'Puzzle'],
  ['psp', 'Saffron Sky', 'Japan', 'Shooter'],
  ['psp', 'Tin Parade', 'France', 'Music'],
  ['psp', '夜の灯台', 'Japan', 'Adventure', 'Yoru no Todai'],
  ['psp', '月とレモン', 'Japan', 'Puzzle', 'Tsuki to Remon'],
  ['psp', 'そらいろ急行', 'Japan', 'Racing', 'Sorairo Kyuko'],
  ['disc', 'Arcadia Lines', 'USA', 'Racing'],
  ['disc', 'Borrowed Moon', 'Europe', 'Role-Playing'],
  ['disc', 'Cinder Ballet', 'Japan', 'Action'],
  ['disc', 'Deep Meadow', 'USA', 'Strategy'],
  ['disc', 'Ember & Oak', 'Europe', 'Role-Playing'],
  ['disc', 'Foxglove Drive', 'USA', 'Racing'],
  ['disc', 'Granite Choir', 'Europe', 'Music'],
  ['disc', 'Iron Petals', 'Japan', 'Fighting'],
  ['disc', 'Juniper Station', 'Europe', 'Adventure'],
  ['disc', 'Low Orbit', 'USA', 'Shooter'],
  ['disc', 'Marble Weather', 'USA', 'Puzzle'],
  ['disc', 'Northbound', 'Germany', 'Racing'],
  ['disc', 'Opaline', 'Japan', 'Puzzle'],
  ['disc', 'Prism Garden', 'USA', 'Puzzle'],
  ['disc', 'Salt & Lantern', 'Europe', 'Adventure'],
  ['disc', '星のかたち', 'Japan', 'Role-Playing', 'Hoshi no Katachi'],
  ['wide', 'Acorn Brigade', 'USA', 'Platform'],
  ['wide', 'Canyon Post', 'USA', 'Action'],
  ['wide', 'Dragonfly League', 'USA', 'Sports'],
  ['wide', 'Lunar Bakery', 'Japan', 'Simulation'],
  ['wide', 'Puddle Kings', 'USA', 'Platform'],
  ['wide', 'Rocket Alley', 'Europe', 'Shooter'],
  ['wide', 'Tower of Rain', 'USA', 'Role-Playing'],
  ['wide', 'Windmill Wars', 'Europe', 'Strategy'],
  ['case', 'Comet Cadets', 'World', 'Shooter'],
  ['case', 'Drift & Thunder', 'USA, Europe', 'Racing'],
  ['case', 'Golden Reef', 'Europe', 'Adventure'],
  ['case', 'Neon Heron', 'USA', 'Platform'],
  ['case', 'Polar Circuit', 'World', 'Racing'],
  ['case', 'Ruby Minute', 'Japan', 'Puzzle'],
  ['case', 'Storm Ledger', 'USA', 'Strategy'],
  ['case', 'Velvet Engine', 'Europe', 'Action'],
  ['film', 'A Train to the Sea', 'Europe', 'Drama'],
  ['film', 'Birds of the High Street', 'USA', 'Documentary'],
  ['film', 'Clockmakers', 'USA', 'Drama'],
  ['film', 'Eleven Bridges', 'Europe', 'Documentary'],
  ['film', 'Midnight Bakery', 'USA', 'Comedy'],
  ['film', 'The Lighthouse Choir', 'USA', 'Music'],
  ['film', 'The Weather House', 'Europe', 'Drama'],
  ['film', '雨あがりの街', 'Japan', 'Drama', 'Ameagari no Machi'],
];

/** The 60 releases of the demo. */
export const demoReleases: readonly DemoRelease[] = rows.map(
  ([platform, title, region, genre, reading]) => ({
    platform: platforms[platform],
    name: `${title} (${region})`,
    region,
    lettering: (reading ?? title).toUpperCase(),
    genre,
  }),
);
