import { localDisk } from '../../src/disk/local-disk.ts';
import { diskContract } from './disk.ts';

diskContract(localDisk);
