import adapter from '@sveltejs/adapter-static';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';

const { CATALOG_PAGE_OUT: out = 'build', CATALOG_PAGE_VERSION: name = 'development' } = process.env;

export default defineConfig({
  plugins: [
    sveltekit({
      // one page for every address; the server sends it for all that is no file
      adapter: adapter({ pages: out, fallback: 'index.html' }),
      // the page lies at the root, whatever address it was opened at
      paths: { relative: false },
      version: { name, pollInterval: 60_000 },
    }),
  ],
  build: { reportCompressedSize: false },
  server: { proxy: { '/api': 'http://127.0.0.1:8000' } },
});
