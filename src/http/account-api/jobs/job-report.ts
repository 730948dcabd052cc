/**
 * Returns a job's report with field names in the style of the API, at any depth: `inSets` becomes
 * `in_sets`.
 */
export function reportOnWire(report: unknown): unknown {
  if (Array.isArray(report)) return report.map(reportOnWire);
  if (typeof report !== 'object' || report === null) return report;
  return Object.fromEntries(
    Object.entries(report).map(([name, value]) => [snakeCase(name), reportOnWire(value)]),
  );
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
