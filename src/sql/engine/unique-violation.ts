/** Thrown when a row is rejected because its primary key or unique value already exists. */
export class UniqueViolation extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'UniqueViolation';
  }
}
