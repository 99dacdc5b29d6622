/**
 * By default V8 keeps garbage until there is several times as much of it as of live data, and the young generation
 * grows up to 64 MiB while the program is loaded. A server shares its machine: it collects when a third as much has
 * accumulated, with 16 MiB for the young generation. A lead costs as much CPU with 16 MiB as with 64, and half as much
 * more with 2. Set once, as the process starts.
 */
import { Session } from 'node:inspector/promises'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

const newSpaceMib = 16

export async function boundHeap(): Promise<void> {
  setFlagsFromString('--heap-growing-percent=30')
  await collectGarbage()
  setFlagsFromString(`--semi-space-growth-factor=${newSpaceMib / 2}`)
  fillNewSpace()
  setFlagsFromString('--semi-space-growth-factor=1')
}

/**
 * Releases what loading left behind, including the young generation down to 1 MiB; no flag limits that once a process
 * runs.
 */
async function collectGarbage(): Promise<void> {
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.collectGarbage')
  session.disconnect()
}

/** The young generation grows when many new objects survive; the few MiB allocated here are released on return. */
function fillNewSpace(): void {
  const kept: object[] = []
  while (newSpaceBytes() < newSpaceMib * 1024 * 1024 && kept.length < 500_000) {
    for (let n = 0; n < 1_000; n++) kept.push({ n })
  }
}

function newSpaceBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? Infinity
}
