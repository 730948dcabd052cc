const POLYNOMIAL = 0x1021;

/** CRC-16 of bytes, as CHDs have it: polynomial 0x1021, starting with 0xFFFF, nothing reflected ("CCITT-FALSE"). */
export function crc16(bytes: Uint8Array): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = tables;
  let sum = 0xffff;
  let at = 0;
  for (const end = bytes.length - 7; at < end; at += 8) {
    sum =
      (t7[(bytes[at] as number) ^ (sum >> 8)] as number) ^
      (t6[(bytes[at + 1] as number) ^ (sum & 255)] as number) ^
      (t5[bytes[at + 2] as number] as number) ^
      (t4[bytes[at + 3] as number] as number) ^
      (t3[bytes[at + 4] as number] as number) ^
      (t2[bytes[at + 5] as number] as number) ^
      (t1[bytes[at + 6] as number] as number) ^
      (t0[bytes[at + 7] as number] as number);
  }
  for (; at < bytes.length; at += 1) {
    sum = ((sum << 8) & 0xffff) ^ (t0[(sum >> 8) ^ (bytes[at] as number)] as number);
  }
  return sum;
}

type Tables = readonly [
  Uint16Array,
  Uint16Array,
  Uint16Array,
  Uint16Array,
  Uint16Array,
  Uint16Array,
  Uint16Array,
  Uint16Array,
];

/** Table `k` has what a byte does to the sum `k` bytes later. */
const tables: Tables = (() => {
  const first = Uint16Array.from({ length: 256 }, (_, byte) => {
    let sum = byte << 8;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum << 1) ^ (sum & 0x8000 ? POLYNOMIAL : 0);
    return sum;
  });
  const later = (table: Uint16Array) =>
    table.map((sum) => (sum << 8) ^ (first[sum >> 8] as number));
  const all = [first];
  for (let k = 1; k < 8; k += 1) all.push(later(all[k - 1] as Uint16Array));
  return all as unknown as Tables;
})();
