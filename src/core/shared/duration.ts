const unitMs: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/**
 * Returns the length of a duration in milliseconds. A duration is a number with a unit: minutes
 * (`90m`), hours (`12h`), days (`1d`) or weeks (`2w`). Returns null for any other text.
 */
export function parseDuration(text: string): number | null {
  const [, number, unit = ''] = /^([0-9]{1,6})([mhdw])$/.exec(text.trim()) ?? [];
  const ms = Number(number) * (unitMs[unit] ?? 0);
  return ms > 0 ? ms : null;
}
