/** Set up before each test file: keeps which functions it calls, and writes them down when it ends. */
import { writeFileSync } from 'node:fs'
import { afterAll } from 'vitest'
import { callsName } from './reached.ts'

const calls = new Set<string>()
Object.assign(globalThis, { [callsName]: calls })
afterAll(() => writeFileSync('.mutate/calls.json', JSON.stringify([...calls])))
