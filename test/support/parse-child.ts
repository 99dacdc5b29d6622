/** Parses one file as the worker would, in a process of its own, and prints the outcome and its usage. */
import { existsSync, readFileSync } from 'node:fs'
import { fetchBounds } from '../../config/input-bounds.ts'
import { AppError } from '../../src/errors.ts'
import { locateFile } from '../../src/ingest/input/local-file.ts'
import { openFile } from '../../src/ingest/input/unpack/read-file.ts'

const [path = ''] = process.argv.slice(2)

async function read(): Promise<{ ended: string; message?: string; bytes: number; rejects: number }> {
  let bytes = 0
  let rejects = 0
  try {
    const input = await openFile(await locateFile(path, fetchBounds.fileBytesMax), {}, fetchBounds)
    for await (const chunk of input.bytes) {
      bytes += chunk.length
      rejects += input.findings.takeRejects().length
    }
    rejects += input.findings.takeRejects().length
    return { ended: 'read', bytes, rejects }
  } catch (error) {
    const ended = error instanceof AppError ? error.code : 'other'
    return { ended, message: String(error), bytes, rejects }
  }
}

const result = await read()
const { user, system } = process.cpuUsage()
console.log(JSON.stringify({ ...result, peakBytes: peakBytes(), spentMs: Math.round((user + system) / 1000) }))

/** Linux includes what the parent used at the fork in the child's maxRSS, but not in VmHWM. */
function peakBytes(): number {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : ''
  const peak = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]
  return (peak === undefined ? process.resourceUsage().maxRSS : Number(peak)) * 1024
}
