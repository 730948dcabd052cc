import { describe } from 'vitest';
import { localDisk } from '../../../src/disk/local-disk.ts';
import { diskContract } from '../suites/disk.ts';

describe('the disk reader', () => {
  diskContract(localDisk);
});
