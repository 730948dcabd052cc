import { refused } from '../core/shared/errors.ts';
import { Stopped } from './stopped.ts';

/**
 * Reads a password from the first line of standard input, or with two prompts without echo. A
 * password cannot be an argument, because other users can read the arguments of a process. Throws
 * refused() for an empty password, two different passwords or Ctrl-D, and if there is no terminal
 * for the prompts. Throws `Stopped` for Ctrl-C.
 */
export async function readPassword(fromStdin: boolean): Promise<string> {
  if (fromStdin) return firstLine();
  if (!process.stdin.isTTY) {
    throw refused('cannot ask for a password without a terminal: use --password-stdin');
  }
  const password = await prompt('Password: ');
  if (password === '') throw refused('the password is empty');
  if ((await prompt('Again: ')) !== password) throw refused('the two passwords differ');
  return password;
}

async function firstLine(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk;
  const [line = ''] = text.split(/\r?\n/);
  if (line === '') throw refused('--password-stdin: the first line of standard input is empty');
  return line;
}

function prompt(question: string): Promise<string> {
  const { stdin, stderr } = process;
  stdin.setRawMode(true).setEncoding('utf8').resume();
  stderr.write(question); // after raw mode is on, so that no key is echoed
  return new Promise((resolve, reject) => {
    let typed = '';
    function end(rest: string[], finish: () => void): void {
      stdin.off('data', onData).setRawMode(false).pause();
      stdin.unshift(rest.join(''), 'utf8'); // keys that were typed for the next prompt
      stderr.write('\n');
      finish();
    }
    function onData(text: string): void {
      const keys = [...text];
      for (let key = keys.shift(); key !== undefined; key = keys.shift()) {
        if (key === '\r' || key === '\n') {
          end(keys, () => resolve(typed));
          return;
        }
        if (key === '\x03' || key === '\x04') {
          const reason = 'cancelled';
          end([], () => reject(key === '\x03' ? new Stopped('SIGINT', reason) : refused(reason)));
          return;
        }
        if (key === '\x7f' || key === '\b') typed = [...typed].slice(0, -1).join('');
        else if (key === '\x15') typed = '';
        else typed += key;
      }
    }
    stdin.on('data', onData);
  });
}
