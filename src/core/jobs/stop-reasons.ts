import { CatalogError } from '../shared/errors.ts';

/** The reason of a stop that a user requested, through any program. */
export class StopAsked extends CatalogError {
  constructor() {
    super('refused', 'it was stopped');
  }
}

/** The reason of a stop because the job's process must end. */
export class Interrupted extends CatalogError {
  constructor() {
    super('refused', 'its process was told to end');
  }
}
