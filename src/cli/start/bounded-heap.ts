/**
 * Unless it is told otherwise, V8 lets what is dead lie until there is several times as much of it as of what lives, and the room for
 * what is new grows up to 64 MiB while the program is loaded, since memory costs it nothing. A server shares its machine: it cleans up
 * when a third as much has come, and 16 MiB are for what is new: a lead takes as much of the processor with them as with 64, and half
 * as much more with 2. Said once, as the process starts.
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

/** Gives back what loading left, the room for what is new down to 1 MiB included; no flag bounds that any more once a process runs. */
async function collectGarbage(): Promise<void> {
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.collectGarbage')
  session.disconnect()
}

/** It grows when much of what is new lives on; a few MiB of small objects are let go as this returns. */
function fillNewSpace(): void {
  const kept: object[] = []
  while (newSpaceBytes() < newSpaceMib * 1024 * 1024 && kept.length < 500_000) {
    for (let n = 0; n < 1_000; n++) kept.push({ n })
  }
}

function newSpaceBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? Infinity
}
