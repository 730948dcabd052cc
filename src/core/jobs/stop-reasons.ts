import { CatalogError } from '../shared/errors.ts';

/** The abort reason when a user stopped the job, through any program. */
export class StopRequested extends CatalogError {
  constructor() {
    super('refused', 'it was stopped');
  }
}

/** The abort reason when the job's process must end. */
export class Interrupted extends CatalogError {
  /** True if the server stopped the process. False if its server died. */
  readonly wasStoppedByServer: boolean;

  constructor({ wasStoppedByServer }: { wasStoppedByServer: boolean }) {
    super('refused', wasStoppedByServer ? 'its process was told to end' : 'its server died');
    this.wasStoppedByServer = wasStoppedByServer;
  }
}
