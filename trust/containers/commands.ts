import { execFile } from 'node:child_process';

/**
 * Runs a command and returns its standard output. If the command fails or does not exist, throws an
 * error with the last line of its standard error.
 */
export function output(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { maxBuffer: 64 * 1024 ** 2 }, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout);
      const lastLine = stderr.trimEnd().split('\n').at(-1);
      reject(new Error(`${command}: ${lastLine || error.message}`));
    });
  });
}

/** Returns true if the command ends with exit code 0. */
export function succeeds(command: string, args: readonly string[]): Promise<boolean> {
  return output(command, args).then(
    () => true,
    () => false,
  );
}
