import { describe, onTestFinished } from 'vitest';
import { describeEngines } from '../fixtures/engines.ts';
import { coverRecordsContract } from '../suites/cover-records.ts';
import { coverSearchRecordsContract } from '../suites/cover-search-records.ts';
import { fileReservationsContract } from '../suites/file-reservations.ts';
import { storeRecordsContract } from '../suites/store-records.ts';

describeEngines('$name: records of files', (one) => {
  const open = async () => {
    const { engine, close } = await one.open();
    onTestFinished(close);
    return engine;
  };
  describe('the table of file reservations', () => fileReservationsContract(open));
  describe('the records of the store', () => storeRecordsContract(open));
  describe('the table of covers', () => coverRecordsContract(open));
  describe('the data source of the cover search', () => coverSearchRecordsContract(open));
});
