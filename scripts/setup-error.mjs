// How a step of the setup fails: with one line, and what its program printed where that is needed. Built-ins
// only, Node 18 or later.

/** A failure that is told in one line, without a stack. */
export class SetupError extends Error {}

/** Shows the end of what a failed program printed, then fails with one line. */
export function failWith({ output }, message) {
  const lines = output.split('\n').filter((line) => line !== '' && !line.startsWith('npm warn'));
  for (const line of lines.slice(-40)) process.stderr.write(`${line}\n`);
  throw new SetupError(message);
}

/** The one line of a failed program's output that says why. */
export function reasonOf({ code, output }) {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const reason = lines.find((line) => /^(\w*Error\b.*?:|spawn )/.test(line));
  return reason ?? lines[0] ?? `it ended with ${code}`;
}
