import { describe, onTestFinished } from 'vitest';
import { describeEngines } from '../fixtures/engines.ts';
import { coverRecordsContract } from '../suites/cover-records.ts';
import { coverSearchRecordsContract } from '../suites/cover-search-records.ts';
import { fileReservationsContract } from '../suites/file-reservations.ts';
import { storeRecordsContract } from '../suites/store-records.ts';

describeEngines('$name', (one) => {
  const open = async () => {
    const { engine, close } = await one.open();
    onTestFinished(close);
    return engine;
  };
  describe('reservations of files', () => fileReservationsContract(open));
  describe('records of the store', () => storeRecordsContract(open));
  describe('records of covers', () => coverRecordsContract(open));
  describe('records of the search for covers', () => coverSearchRecordsContract(open));
});
