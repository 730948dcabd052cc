/**
 * Returns the items of `all` with these names. Returns all items if `names` is empty. Ends the
 * process with exit code 2 if a name is unknown.
 */
export function selectByName<T extends { readonly name: string }>(
  program: string,
  noun: string,
  all: readonly T[],
  names: readonly string[],
): T[] {
  const known = all.map(({ name }) => name);
  requireNames(program, noun, known, names);
  return all.filter(({ name }) => names.length === 0 || names.includes(name));
}

/** Ends the process with exit code 2 if a name is unknown. */
export function requireNames(
  program: string,
  noun: string,
  known: readonly string[],
  names: readonly string[],
): void {
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  exitWithUsageError(
    program,
    `no ${noun} is called ${unknown.join(', ')}; there are ${known.join(', ')}`,
  );
}

/** Parses a number above 0. Ends the process with exit code 2 if `text` is not such a number. */
export function parsePositiveNumber(program: string, option: string, text: string): number {
  const number = Number(text);
  if (Number.isFinite(number) && number > 0) return number;
  return exitWithUsageError(program, `--${option} takes a number above 0`);
}

/** Prints the reason to standard error and ends the process with exit code 2. */
export function exitWithUsageError(program: string, reason: string): never {
  process.stderr.write(`${program}: ${reason}\n`);
  process.exit(2);
}
