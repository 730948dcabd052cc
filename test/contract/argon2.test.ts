import { argon2Passwords } from '../../src/passwords/argon2.ts';
import { passwordHasherContract } from './suites/password-hasher.ts';

passwordHasherContract(argon2Passwords);
