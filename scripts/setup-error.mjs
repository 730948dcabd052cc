// Failures of setup steps: one line, preceded by the output of a failed program if needed.
// Built-ins only, Node 18 or later.

/** A failure that is reported in one line, without a stack. */
export class SetupError extends Error {}

/** Prints the end of a failed program's output, then throws a one-line error. */
export function failWith({ output }, message) {
  const lines = output.split('\n').filter((line) => line !== '' && !line.startsWith('npm warn'));
  for (const line of lines.slice(-40)) process.stderr.write(`${line}\n`);
  throw new SetupError(message);
}

/** Returns the line of a failed program's output that gives the reason. */
export function reasonOf({ code, output }) {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const reason = lines.find((line) => /^(\w*Error\b.*?:|spawn )/.test(line));
  return reason ?? lines[0] ?? `it ended with ${code}`;
}
