/** The content of a track, in sectors of 2352 or 2048 bytes. */
export interface BurntTrack {
  readonly content: Buffer;
  readonly isAudio: boolean;
}

const withSubchannels = (track: Buffer, bytes: number) =>
  Buffer.concat(
    Array.from({ length: track.length / 2352 }, (_, i) => [
      track.subarray(i * 2352, (i + 1) * 2352),
      Buffer.alloc(bytes, 0x5a),
    ]).flat(),
  );

/** Returns the CloneCD control file of an image with consecutive tracks. */
export function makeCcd(tracks: readonly BurntTrack[], { old = false } = {}): string {
  let at = 0;
  const sections = tracks.map(({ content, isAudio }, index) => {
    const start = at;
    at += content.length / 2352;
    const number = index + 1;
    return old
      ? `[Entry ${number + 2}]\r\nSession=1\r\nPoint=0x0${number}\r\nADR=0x01\r\nControl=0x0${isAudio ? 0 : 4}\r\nPLBA=${start}\r\n`
      : `[TRACK ${number}]\r\nMODE=${isAudio ? 0 : 2}\r\nINDEX 1=${start}\r\n`;
  });
  return `[CloneCD]\r\nVersion=3\r\n[Disc]\r\nTocEntries=${tracks.length + 3}\r\n${sections.join('')}`;
}

/**
 * Makes an Alcohol image. The layout follows `MDS_Header`, `MDS_SessionBlock` and `MDS_TrackBlock`
 * in libMirage.
 */
export function makeMds(tracks: readonly BurntTrack[], subchannels: 0 | 96) {
  const mdf = Buffer.concat(tracks.map(({ content }) => withSubchannels(content, subchannels)));
  const header = Buffer.alloc(0x58);
  header.write('MEDIA DESCRIPTOR', 0, 'latin1');
  header[16] = 1;
  header.writeUInt16LE(1, 0x14);
  header.writeUInt32LE(0x58, 0x50);
  const session = Buffer.alloc(24);
  session[10] = tracks.length + 3;
  session.writeUInt16LE(1, 12);
  session.writeUInt16LE(tracks.length, 14);
  session.writeUInt32LE(0x58 + 24, 20);
  const sector = 2352 + subchannels;
  let at = 0;
  const blocks = tracks.map(({ content, isAudio }, index) => {
    const block = Buffer.alloc(80);
    block[0] = isAudio ? 0xa9 : 0xab;
    block[1] = subchannels === 0 ? 0 : 8;
    block[4] = index + 1;
    block.writeUInt16LE(sector, 16);
    block.writeBigUInt64LE(BigInt(at), 40);
    at += (content.length / 2352) * sector;
    return block;
  });
  const leadIn = [0xa0, 0xa1, 0xa2].map((point) => {
    const block = Buffer.alloc(80);
    block[4] = point;
    return block;
  });
  return { mds: Buffer.concat([header, session, ...leadIn, ...blocks]), mdf };
}

/**
 * Makes a Nero image of version 1 or 2. With `apart`, the tracks were written separately and have
 * no pregap. Otherwise they were written at once, and the first track has a pregap of 150 sectors.
 */
export function makeNrg(
  tracks: readonly BurntTrack[],
  {
    version = 2,
    apart = false,
    stride = 2352,
  }: { version?: 1 | 2; apart?: boolean; stride?: 2352 | 2448 } = {},
): Buffer {
  const width = version === 2 ? 8 : 4;
  const number = (value: number) => {
    const bytes = Buffer.alloc(width);
    if (width === 8) bytes.writeBigUInt64BE(BigInt(value));
    else bytes.writeUInt32BE(value);
    return bytes;
  };
  const word = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  };
  const chunk = (name: string, body: Buffer) =>
    Buffer.concat([Buffer.from(name), word(body.length), body]);
  const parts: Buffer[] = [];
  const rows: Buffer[] = [];
  let at = 0;
  for (const [index, { content, isAudio }] of tracks.entries()) {
    const pregap = index === 0 && !apart ? Buffer.alloc(150 * stride) : Buffer.alloc(0);
    const body = withSubchannels(content, stride - 2352);
    parts.push(pregap, body);
    const start = at + pregap.length;
    const end = start + body.length;
    const mode = stride === 2448 ? (isAudio ? 16 : 17) : isAudio ? 7 : 6;
    if (apart) {
      rows.push(
        Buffer.concat([number(start), number(body.length), word(mode), word(0), number(0)]),
      );
    } else {
      const head = Buffer.alloc(18);
      head.writeUInt16BE(stride, 12);
      head[14] = mode;
      rows.push(Buffer.concat([head, number(at), number(start), number(end)]));
    }
    at = end;
  }
  const name = apart ? ['ETNF', 'ETN2'][version - 1] : ['DAOI', 'DAOX'][version - 1];
  const body = Buffer.concat(apart ? rows : [Buffer.alloc(22), ...rows]);
  const end = version === 2 ? [Buffer.from('NER5'), number(at)] : [Buffer.from('NERO'), number(at)];
  return Buffer.concat([
    ...parts,
    chunk('SINF', word(tracks.length)),
    chunk(name ?? '', body),
    chunk('END!', Buffer.alloc(0)),
    ...end,
  ]);
}

/** Makes a DiscJuggler image with one session. The first track has a pregap of 150 sectors. */
export function makeCdi(tracks: readonly BurntTrack[], version: 2 | 3 | 3.5 = 3.5): Buffer {
  const word = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return bytes;
  };
  const half = (value: number) => word(value).subarray(0, 2);
  const mark = Buffer.from([0, 0, 1, 0, 0, 0, 255, 255, 255, 255]);
  const name = Buffer.from('image.cdi');
  const parts: Buffer[] = [];
  const rows: Buffer[] = [];
  for (const [index, { content, isAudio }] of tracks.entries()) {
    const pregap = index === 0 ? 150 : 0;
    const sectors = content.length / 2352;
    parts.push(Buffer.alloc(pregap * 2352), content);
    rows.push(
      word(0),
      mark,
      mark,
      Buffer.alloc(4),
      Buffer.from([name.length]),
      name,
      Buffer.alloc(19),
      word(0),
      Buffer.alloc(2),
      word(pregap),
      word(sectors),
      Buffer.alloc(6),
      word(isAudio ? 0 : 2),
      Buffer.alloc(12),
      word(0),
      word(sectors + pregap),
      Buffer.alloc(16),
      word(2),
      Buffer.alloc(29),
      version === 2 ? Buffer.alloc(0) : Buffer.alloc(9),
    );
  }
  const image = Buffer.concat(parts);
  const tail = Buffer.alloc(version === 2 ? 12 : 13);
  const tables = Buffer.concat([half(1), half(tracks.length), ...rows, tail]);
  const code = version === 2 ? 0x80000004 : version === 3 ? 0x80000005 : 0x80000006;
  const at = version === 3.5 ? tables.length + 8 : image.length;
  return Buffer.concat([image, tables, word(code), word(at)]);
}

/** Calculates the EDC bit by bit, as ECMA-130 defines it. */
function edcByBit(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xd8018001 : sum >>> 1;
  }
  return sum >>> 0;
}

/**
 * Returns a raw track with its error detection codes. The sectors of the track must be of mode 1 or
 * mode 2 form 1.
 */
export function withDetection(track: Buffer): Buffer {
  const out = Buffer.from(track);
  for (let at = 0; at < out.length; at += 2352) {
    const sector = out.subarray(at, at + 2352);
    const [from, to] = sector[15] === 2 ? [16, 2072] : [0, 2064];
    sector.writeUInt32LE(edcByBit(sector.subarray(from, to)), to);
  }
  return out;
}

/**
 * Makes an ECM file. Parts of kind 1 and 2 are sectors of mode 1 and mode 2 form 1, which have
 * their codes. Parts of kind 0 are plain bytes.
 */
export function makeEcm(parts: readonly { kind: 0 | 1 | 2; bytes: Buffer }[]): Buffer {
  const out: Buffer[] = [Buffer.from('ECM\0')];
  const block = (kind: number, count: number) => {
    let left = count - 1;
    const bytes = [kind | ((left & 31) << 2)];
    for (left = Math.floor(left / 32); left > 0; left = Math.floor(left / 128)) {
      bytes[bytes.length - 1] = (bytes.at(-1) as number) | 128;
      bytes.push(left & 127);
    }
    out.push(Buffer.from(bytes));
  };
  for (const { kind, bytes } of parts) {
    if (kind === 0) {
      block(0, bytes.length);
      out.push(bytes);
    } else if (kind === 1) {
      block(1, bytes.length / 2352);
      for (let at = 0; at < bytes.length; at += 2352) {
        out.push(bytes.subarray(at + 12, at + 15), bytes.subarray(at + 16, at + 2064));
      }
    } else {
      for (let at = 0; at < bytes.length; at += 2352) {
        block(0, 16);
        out.push(bytes.subarray(at, at + 16));
        block(2, 1);
        out.push(bytes.subarray(at + 20, at + 24 + 2048));
      }
    }
  }
  const end = Buffer.alloc(4);
  end.writeUInt32LE(edcByBit(Buffer.concat(parts.map(({ bytes }) => bytes))));
  return Buffer.concat([...out, Buffer.from([0xfc, 0xff, 0xff, 0xff, 0x3f]), end]);
}
