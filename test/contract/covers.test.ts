import { describe } from 'vitest';
import { readDiscArt } from '../../src/disk/disc-art.ts';
import { HttpCoverSource } from '../../src/remote/cover-source.ts';
import { coverSourceContract } from './suites/cover-source.ts';
import { discArtContract } from './suites/disc-art.ts';

describe('a source of covers', () => coverSourceContract((base) => new HttpCoverSource({ base })));
describe('the reader of disc art', () => discArtContract(readDiscArt));
