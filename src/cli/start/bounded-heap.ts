/**
 * By itself V8 lets what is dead lie until there is several times as much of it as of what lives, and gives what is new up to
 * 64 MiB, since memory costs it nothing. A server shares its machine: it cleans up when a third as much has come, and the room of
 * what is new stays as large as it was when the program was loaded. Said once, as the process starts.
 */
import { setFlagsFromString } from 'node:v8'

export function boundHeap(): void {
  setFlagsFromString('--heap-growing-percent=30')
  setFlagsFromString('--semi-space-growth-factor=1')
}
