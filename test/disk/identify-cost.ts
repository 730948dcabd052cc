// Identifies each file in the arguments, and prints as JSON how much is read for it. Runs in a
// separate process, because this program wraps the `read` method of all file handles.
import { open } from 'node:fs/promises';
import { identifyFile } from '../../src/disk/identify.ts';

const handle = await open(process.execPath);
const prototype = Object.getPrototypeOf(handle);
await handle.close();

let reads = 0;
let bytes = 0;
const read = prototype.read;
prototype.read = async function (...args: unknown[]) {
  const result = await read.apply(this, args);
  reads += 1;
  bytes += result.bytesRead;
  return result;
};

const costs = [];
for (const path of process.argv.slice(2)) {
  reads = 0;
  bytes = 0;
  const { serial } = await identifyFile(path);
  costs.push({ serial, reads, bytes });
}
process.stdout.write(JSON.stringify(costs));
