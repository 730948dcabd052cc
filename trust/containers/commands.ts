import { execFile } from 'node:child_process';

/** What a command printed. Throws with the end of what it said when it failed, or is not there. */
export function output(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { maxBuffer: 64 * 1024 ** 2 }, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout);
      const said = stderr.trimEnd().split('\n').at(-1);
      reject(new Error(`${command}: ${said || error.message}`));
    });
  });
}

/** Whether a command ends with 0. */
export function succeeds(command: string, args: readonly string[]): Promise<boolean> {
  return output(command, args).then(
    () => true,
    () => false,
  );
}
