import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

// The page is one script and one style sheet: the content security policy allows
// the app's own files only, and nothing is loaded later.
export default defineConfig({
  plugins: [svelte()],
  base: './',
  server: { fs: { allow: ['..'] } },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: false,
    chunkSizeWarningLimit: 900,
    rolldownOptions: { output: { codeSplitting: false } },
  },
  resolve: process.env.VITEST ? { conditions: ['browser'] } : {},
  test: {
    environment: 'jsdom',
    globals: true,
    setupFiles: ['src/testing/setup.ts'],
    include: ['src/**/*.test.ts'],
    restoreMocks: true,
    // A bound against hanging only: a slow machine is no failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
