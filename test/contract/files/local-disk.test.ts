import { localDisk } from '../../../src/disk/local-disk.ts';
import { diskContract } from '../suites/disk.ts';

diskContract(localDisk);
