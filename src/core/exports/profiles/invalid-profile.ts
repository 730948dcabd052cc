/** A profile that cannot be used. The message names the wrong part and what it must be. */
export class InvalidProfile extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvalidProfile';
  }
}
