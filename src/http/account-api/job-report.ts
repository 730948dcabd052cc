/**
 * Returns a job's report with its field names as the API writes them: `inSets` becomes `in_sets`,
 * at any depth.
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
