import { userInfo } from 'node:os';
import type { Actor } from '../core/shared/requests/actor.ts';

/** Returns the actor for changes made on the command line: the operating system's account. */
export function cliActor(): Actor {
  return { kind: 'cli', username: systemUser() };
}

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return 'cli'; // a container may run under a user id without a name
  }
}
