import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

// The same page with the scripted core, for a browser and for pictures. The built
// form goes beside dist/ and is never embedded.
export default defineConfig({
  root: 'dev',
  base: './',
  plugins: [svelte({ configFile: '../svelte.config.js' })],
  server: { fs: { allow: ['../..'] } },
  build: { outDir: '../dist-dev', emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0, modulePreload: false, chunkSizeWarningLimit: 2000 },
})
