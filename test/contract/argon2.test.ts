import { describe } from 'vitest';
import { argon2Passwords } from '../../src/passwords/argon2.ts';
import { passwordHasherContract } from './suites/password-hasher.ts';

describe('the password hasher', () => {
  passwordHasherContract(argon2Passwords);
});
