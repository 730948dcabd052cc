import { describe, onTestFinished } from 'vitest';
import { coverRecordsContract } from './cover-records.ts';
import { coverSearchRecordsContract } from './cover-search-records.ts';
import { describeEngines } from './engines.ts';
import { fileReservationsContract } from './file-reservations.ts';
import { storeRecordsContract } from './store-records.ts';

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
