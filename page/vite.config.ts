import adapter from '@sveltejs/adapter-static';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';

const { CATALOG_PAGE_OUT: out = 'build', CATALOG_PAGE_VERSION: name = 'development' } = process.env;

export default defineConfig({
  plugins: [
    sveltekit({
      // one page for every URL; the server sends it for every path that is not a file
      adapter: adapter({ pages: out, fallback: 'index.html' }),
      // asset URLs start at the root, whatever URL the page was opened at
      paths: { relative: false },
      version: { name, pollInterval: 60_000 },
    }),
  ],
  build: { reportCompressedSize: false },
  server: { proxy: { '/api': 'http://127.0.0.1:8000' } },
});
