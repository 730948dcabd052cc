import type { Accounts } from '../../core/accounts/accounts.ts';
import { notAuthenticated } from '../../core/shared/errors.ts';
import type { OpenedFile } from '../../core/shared/files/file-area.ts';

/** How long a credential is not checked again while a file is read, in milliseconds. */
const checkedMs = 1_000;

/**
 * Returns a file whose reads fail once its reader has lost access: when the token was revoked or
 * has expired, or the user was deactivated. `onStart` is called before the first read.
 */
export function guardedFile(
  file: OpenedFile,
  { accounts, token, onStart }: { accounts: Accounts; token: string; onStart: () => void },
): OpenedFile {
  let checkedAt: number | null = null;
  async function check(): Promise<void> {
    const now = performance.now();
    if (checkedAt === null) onStart();
    else if (now - checkedAt < checkedMs) return;
    else if ((await accounts.findCredential(token)) === null) throw notAuthenticated();
    checkedAt = now;
  }
  return {
    ...{ name: file.name, size: file.size, mtimeNs: file.mtimeNs, etag: file.etag },
    head: (length) => file.head(length),
    async read(buffer, position) {
      await check();
      return file.read(buffer, position);
    },
    stream: (range) => file.stream(range),
    close: () => file.close(),
  };
}
