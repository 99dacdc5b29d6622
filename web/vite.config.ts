/**
 * How `npm run build:web` makes `web/dist`: two pages, and their scripts and styles under `/assets`, named by what they
 * hold. The pages are served with a policy that allows no inline script and no inline style, so nothing is inlined.
 */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
/** Where `npm run dev:web` finds a Panji to talk to. */
const target = process.env['PANJI_URL'] ?? 'http://127.0.0.1:8080'
const proxied = { '^/(admin|api|docs|readyz|(console|app)/sessions?(/|$))': { target } }

export default defineConfig({
  root: here('.'),
  logLevel: 'warn',
  build: {
    outDir: here('./dist'),
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: { pluginTimings: false },
      // Libraries mark what runs in a browser, which is everything here.
      onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
      input: { console: here('./console.html'), app: here('./app.html') },
      output: {
        entryFileNames: 'assets/[hash].js',
        chunkFileNames: 'assets/[hash].js',
        assetFileNames: 'assets/[hash].[ext]',
      },
    },
  },
  server: { proxy: proxied },
})
