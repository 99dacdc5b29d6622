/** A setup file of each test file: records the functions it calls, and writes them when it ends. */
import { writeFileSync } from 'node:fs'
import { afterAll } from 'vitest'
import { callsName } from './reached.ts'

const calls = new Set<string>()
Object.assign(globalThis, { [callsName]: calls })
afterAll(() => writeFileSync('.mutate/calls.json', JSON.stringify([...calls])))
