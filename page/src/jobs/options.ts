import type { Role } from '../api/model.ts';

/** An option of a job that can be set when it is started. */
export interface JobOption {
  readonly name: string;
  readonly isFlag: boolean;
  /** The API's default. */
  readonly isOn?: boolean;
  readonly isNeeded?: boolean;
  /** The role that may set it; editors if not given. */
  readonly needs?: Role;
}

const system: JobOption = { name: 'system', isFlag: false };

/**
 * The options of each kind of job that can be set here. The other kinds have no options, or have a
 * screen of their own.
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
