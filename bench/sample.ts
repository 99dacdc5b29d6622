/** Measures the sample generator in a process of its own: rows a second, peak resident memory, and the ratio to merely writing lines, as one JSON document. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { generateSnapshots } from '../sample/generate-snapshots.ts'
import { writeSnapshotFile } from '../sample/snapshot-file.ts'

const { values } = parseArgs({
  options: {
    companies: { type: 'string', default: '1000000' },
    gst: { type: 'string', default: '0' },
    directors: { type: 'string', default: '0' },
  },
})
const outDir = mkdtempSync(join(tmpdir(), 'panji-bench-sample-'))
const round = (value: number) => Math.round(value * 100) / 100
try {
  const secondsOf = new Map<string, number>()
  let before = performance.now()
  const { files } = await generateSnapshots({
    outDir,
    companies: Number(values.companies),
    gst: Number(values.gst),
    directors: Number(values.directors),
    seed: 'bench',
    onProgress({ source }) {
      const now = performance.now()
      secondsOf.set(source, (secondsOf.get(source) ?? 0) + (now - before) / 1000)
      before = now
    },
  })
  const peakRssMib = Math.round(process.resourceUsage().maxRSS / 1024)

  const measured = []
  for (const { source, path, rows } of files) {
    const bytes = statSync(path).size
    const started = performance.now()
    await writeSnapshotFile(`${path}.plain`, '', constantLines(rows, Math.round(bytes / rows)), {
      signal: undefined,
      onBlock: () => {},
    })
    const plainSeconds = (performance.now() - started) / 1000
    const seconds = secondsOf.get(source) ?? Number.NaN
    measured.push({
      source,
      rows,
      bytes,
      seconds: round(seconds),
      rowsPerSecond: Math.round(rows / seconds),
      ratioToConstantLines: round(seconds / plainSeconds),
    })
  }
  console.log(JSON.stringify({ bench: 'sample', files: measured, peakRssMib }, null, 2))
} finally {
  rmSync(outDir, { recursive: true, force: true })
}

/** The cost of the writer alone: as many identical lines of the same average length. */
function* constantLines(rows: number, length: number): Generator<string> {
  const line = `${'x'.repeat(length - 1)}\n`
  for (let row = 0; row < rows; row++) yield line
}
