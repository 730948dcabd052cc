export interface RomText {
  readonly name?: string;
  readonly size?: number;
  readonly crc?: string;
  readonly md5?: string;
  readonly sha1?: string;
  readonly serial?: string;
}

export interface RowText {
  readonly name?: string;
  readonly description?: string;
  readonly serial?: string;
  readonly region?: string;
  readonly cloneof?: string;
  /** Fields of metadata files, for example `{ genre: 'Puzzle' }`. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly roms?: readonly RomText[];
}

export const platform = 'Test - Console';

/** Returns a ROM with hashes derived from `seed`. The same seed yields the same dump. */
export function rom(seed: string, more: RomText = {}): RomText {
  return { name: `${seed}.bin`, size: 1000 + seed.length, ...hashes(seed), ...more };
}

export function hashes(seed: string): { crc: string; md5: string; sha1: string } {
  const hex = Buffer.from(seed).toString('hex');
  return {
    crc: hex.slice(-8).padStart(8, '0'),
    md5: hex.padStart(32, '1'),
    sha1: hex.padStart(40, '2'),
  };
}

/** Returns a row with one ROM whose hashes are derived from `seed`. */
export function game(name: string, seed: string, more: RowText = {}): RowText {
  return { name, roms: [rom(seed)], ...more };
}

export function xml(rows: readonly RowText[], header = platform, version = '1'): string {
  return `<?xml version="1.0"?>
<datafile>
<header><name>${escaped(header)}</name><version>${version}</version></header>
${rows.map(xmlRow).join('\n')}
</datafile>
`;
}

export function clrmamepro(rows: readonly RowText[], header = platform, version = '1'): string {
  const texts = rows.map(({ roms = [], fields = {}, ...row }) => {
    const own = { ...row, ...fields };
    const lines = Object.entries(own).map(([key, value]) => `\t${key} ${quoted(value ?? '')}\n`);
    const files = roms.map((one) => {
      const pairs = Object.entries(one).map(([key, value]) => `${key} ${quoted(String(value))}`);
      return `\trom ( ${pairs.join(' ')} )\n`;
    });
    return `game (\n${lines.join('')}${files.join('')})\n`;
  });
  return `clrmamepro (\n\tname ${quoted(header)}\n\tversion ${quoted(version)}\n)\n\n${texts.join('\n')}`;
}

function xmlRow({ name = '', cloneof, roms = [], fields = {}, ...row }: RowText): string {
  const texts = Object.entries({ ...row, ...fields }).map(
    ([key, value]) => `<${key}>${escaped(value ?? '')}</${key}>`,
  );
  const files = roms.map((one) => {
    const pairs = Object.entries(one).map(([key, value]) => ` ${key}="${escaped(String(value))}"`);
    return `<rom${pairs.join('')}/>`;
  });
  const parent = cloneof === undefined ? '' : ` cloneof="${escaped(cloneof)}"`;
  return `<game name="${escaped(name)}"${parent}>${texts.join('')}${files.join('')}</game>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
