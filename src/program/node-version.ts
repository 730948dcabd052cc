// This module is loaded first, on any version of Node. Therefore it imports nothing and uses only
// old syntax. The database's driver needs Node-API 10 (Node 22.14 or 23.6). On older versions the
// driver crashes without a message, so the version is checked here.
const version = process.versions.node;
const parts = version.split('.').map(Number);
const major = parts[0] as number;
const minor = parts[1] as number;
const isSupported = major > 23 || (major === 23 && minor >= 6) || (major === 22 && minor >= 14);

if (!isSupported) {
  process.stderr.write(
    'catalog: Node.js 22.14 or later is needed; this is ' +
      `${version} (${process.execPath}). In a clone, "npm start" and "npx catalog" bring their own.\n`,
  );
  process.exit(1);
}

export {};
