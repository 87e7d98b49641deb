import { defineConfig } from 'vitest/config';

export default defineConfig({
  build: { outDir: 'dist', emptyOutDir: true },
  // `npm run dev` shows the page with hot reload; a gateway on port 8080 answers for it.
  server: { proxy: { '/ws': { target: 'ws://127.0.0.1:8080', ws: true }, '/api': 'http://127.0.0.1:8080' } },
  test: { include: ['tests/**/*.test.ts'] },
});
