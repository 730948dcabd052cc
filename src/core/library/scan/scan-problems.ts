import type { ScanProblem } from './scan-report.ts';

/**
 * Collects the problems of a scan: files that are unreadable, damaged or postponed to the next
 * scan. Each file has at most one problem of each kind.
 */
export class ScanProblems {
  readonly #unreadable = new Map<string, string>();
  readonly #damaged = new Map<string, string>();
  readonly #postponed = new Map<string, string>();

  addUnreadable(path: string, reason: string): void {
    if (!this.has(path)) this.#unreadable.set(path, reason);
  }

  addDamaged(path: string, reason: string): void {
    this.#damaged.set(path, reason);
  }

  addPostponed(path: string, reason: string): void {
    this.#postponed.set(path, reason);
  }

  has(path: string): boolean {
    return this.#unreadable.has(path) || this.#damaged.has(path);
  }

  isUnreadable(path: string): boolean {
    return this.#unreadable.has(path);
  }

  report(): { unreadable: ScanProblem[]; damaged: ScanProblem[]; postponed: ScanProblem[] } {
    return {
      unreadable: listed(this.#unreadable),
      damaged: listed(this.#damaged),
      postponed: listed(this.#postponed),
    };
  }
}

function listed(reasons: ReadonlyMap<string, string>): ScanProblem[] {
  return [...reasons].map(([path, reason]) => ({ path, reason }));
}
