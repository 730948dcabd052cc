import type { Role } from '../api/model.ts';

/** An option that can be set when a job is started. */
export interface JobOption {
  readonly name: string;
  readonly isFlag: boolean;
  /** True if the option is on by default. */
  readonly isOn?: boolean;
  readonly isNeeded?: boolean;
  /** The lowest role that may set the option; `editor` if undefined. */
  readonly needs?: Role;
}

const system: JobOption = { name: 'system', isFlag: false };

/**
 * For each kind of job, the options that the page offers when a job is started. Other kinds of job
 * have no options or are started on a separate screen.
 */
export const jobOptions: Readonly<Record<string, readonly JobOption[]>> = {
  scan: [
    { name: 'hash', isFlag: true, isOn: true },
    { name: 'full', isFlag: true },
    { name: 'forget', isFlag: true, needs: 'admin' },
  ],
  'covers-fetch': [system, { name: 'missing', isFlag: true }, { name: 'removed', isFlag: true }],
  'covers-bundle': [{ name: 'name', isFlag: false, isNeeded: true }, system],
  verify: ['store', 'covers', 'library'].map((name) => ({ name, isFlag: true })),
};
