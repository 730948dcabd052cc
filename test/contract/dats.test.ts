import { describe } from 'vitest';
import { findDats } from '../../src/dats/files/find-dats.ts';
import { readDat } from '../../src/dats/read-dat.ts';
import { datFinderContract } from './suites/dat-finder.ts';
import { datReaderContract } from './suites/dat-reader.ts';

describe('the reader of DATs', () => datReaderContract(readDat));
describe('the finder of DATs', () => datFinderContract(findDats));
