/** The next day of the sample world, imported as an operator does. */
import assert from 'node:assert/strict'
import type { PanjiHome } from './panji-cli.ts'

export async function importNextDay(home: Pick<PanjiHome, 'json'>): Promise<void> {
  const { answer } = await home.json('sample', 'next-day')
  for (const { source, path } of (answer as { files: readonly { source: string; path: string }[] }).files) {
    const { code, stderr } = await home.json('ingest', source, path, '--mode', 'delta')
    assert.equal(code, 0, stderr)
  }
}
