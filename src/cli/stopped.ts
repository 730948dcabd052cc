import { constants } from 'node:os';
import { CatalogError } from '../core/shared/errors.ts';

/**
 * Thrown when a signal stopped the command. The message says what happens to the unfinished work.
 */
export class Stopped extends CatalogError {
  readonly exitCode: number;

  constructor(signal: NodeJS.Signals, message: string) {
    super('refused', message);
    this.exitCode = exitCodeOf(signal);
  }
}

/**
 * Returns the exit code that shells use for a process that a signal ended: 130 for SIGINT, 143 for
 * SIGTERM.
 */
export function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
