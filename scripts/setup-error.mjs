// Reports failures of setup steps in one line, after the output of a failed program if there is
// one. Needs only Node 18.

/** A failure to report in one line, without a stack. */
export class SetupError extends Error {}

/** Prints the end of a failed program's output. Then throws an error with a one-line message. */
export function failWith({ output }, message) {
  const lines = output.split('\n').filter((line) => line !== '' && !line.startsWith('npm warn'));
  for (const line of lines.slice(-40)) process.stderr.write(`${line}\n`);
  throw new SetupError(message);
}

/** Returns the line of a failed program's output that contains the reason. */
export function reasonOf({ code, output }) {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const reason = lines.find((line) => /^(\w*Error\b.*?:|spawn )/.test(line));
  return reason ?? lines[0] ?? `it ended with ${code}`;
}
