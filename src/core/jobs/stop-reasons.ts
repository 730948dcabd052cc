import { CatalogError } from '../shared/errors.ts';

/** A user asked the job to stop, from any program. */
export class StopAsked extends CatalogError {
  constructor() {
    super('refused', 'it was stopped');
  }
}

/** The job's process must end. */
export class Interrupted extends CatalogError {
  constructor() {
    super('refused', 'its process was told to end');
  }
}
