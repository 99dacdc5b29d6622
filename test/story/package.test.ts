/**
 * What `npm pack` gives, in a folder that holds no checkout. The packages that it needs are linked from this one, so
 * nothing is fetched; docs/shipping.md tells of a real install.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '../support/database.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const away = mkdtempSync(join(tmpdir(), 'panji-package-'))
const modules = join(away, 'node_modules')
const panji = join(modules, 'panji')

afterAll(() => rmSync(away, { recursive: true, force: true }))
