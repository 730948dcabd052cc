import { CatalogError } from '../shared/errors.ts';

/** Somebody asked the job to stop, from whatever program. */
export class StopAsked extends CatalogError {
  constructor() {
    super('refused', 'it was stopped');
  }
}

/** The job's process has to end. */
export class Interrupted extends CatalogError {
  constructor() {
    super('refused', 'its process was told to end');
  }
}
