/** The alert rules and the dashboard ask for series that `/metrics` serves, with labels that they have. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { conditions } from '../../../config/conditions.ts'
import { renderAlerts } from '../../../scripts/render-alerts.ts'
import { errorCodes } from '../../../src/errors.ts'
import { hasTool, runTool } from '../../support/machine-tool.ts'

const root = new URL('../../../', import.meta.url)
const text = (path: string) => readFileSync(new URL(path, root), 'utf8')
const pathOf = (path: string) => fileURLToPath(new URL(path, root))

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly description?: string
  readonly targets?: readonly { readonly expr: string }[]
}

const dashboard = JSON.parse(text('ops/grafana/dashboard.json')) as { readonly panels: readonly Panel[] }
const rules = text('ops/prometheus/alerts.yaml')
const alerts = rules.split(/^ +- alert: /m).slice(1)

/** Names and labels as their declarations give them; the rules of one instance name nothing else. */
const served = await servedSeries()

async function servedSeries(): Promise<Set<string>> {
  const declared = ['src/api/metrics/', 'src/health/readings/'].flatMap((folder) =>
    readdirSync(new URL(folder, root)).map((file) => `${folder}${file}`),
  )
  const own = [...declared, 'src/telemetry/measured.ts'].flatMap((path) => [...text(path).matchAll(/'(panji_\w+)'/g)])
  const ofProcess = new Registry()
  collectDefaultMetrics({ register: ofProcess })
  const names = [...own.map(([, name = '']) => name), ...(await ofProcess.getMetricsAsJSON()).map(({ name }) => name)]
  return new Set([...names, 'up'])
}

/** A histogram is asked for by its parts. */
const seriesIn = (expression: string) =>
  [...expression.matchAll(/\b(?:panji|process|nodejs)_\w+|\bup\b/g)].map(([name]) =>
    served.has(name) ? name : name.replace(/_(bucket|count|sum)$/, ''),
  )

test('docs/operations.md explains each of them', () => {
  const page = text('docs/operations.md')
  const own = [...served].filter((name) => name.startsWith('panji_'))
  expect(own.length).toBeGreaterThan(30)
  expect(own.filter((name) => !new RegExp(`\\b${name}\\b`).test(page))).toEqual([])
})

describe('the alert rules', () => {
  test.each(alerts.map((rule) => [rule.split('\n')[0] ?? '', rule] as const))(
    '%s asks for what is served',
    (_, rule) => {
      const [, expression = ''] = /expr: (\|\n(?: {10,}.*\n)+|.*\n)/.exec(rule) ?? []
      const asked = seriesIn(expression)
      expect(asked.length).toBeGreaterThan(0)
      expect(asked.filter((name) => !served.has(name))).toEqual([])
      expect(rule).toMatch(/severity: (page|ticket)/)
      expect(rule).toMatch(/summary: ["'].+["']\n +remedy: ".+"/)
    },
  )

  test('those that are conditions are what config/conditions.ts declares (else: npm run docs)', () => {
    expect(renderAlerts(rules)).toBe(rules)
    expect(new Set(conditions.map(({ type }) => type)).size).toBe(conditions.length)
  })

  test('each of them is tested: silent on a healthy instance, and firing otherwise', () => {
    const tests = text('ops/prometheus/alerts.test.yaml')
    for (const [name = ''] of alerts.map((rule) => rule.split('\n'))) {
      const steps = tests.split('eval_time: ').filter((step) => new RegExp(`alertname: ${name}\\b`).test(step))
      expect([name, steps.some((step) => step.includes('exp_alerts:\n'))]).toEqual([name, true])
    }
  })

  test('the codes that they name are among those that are answered', () => {
    const codes = [...rules.matchAll(/code=~"([A-Z_|]+)"/g)].flatMap(([, list = '']) => list.split('|'))
    expect(codes.length).toBeGreaterThan(0)
    expect(codes.filter((code) => !(code in errorCodes))).toEqual([])
  })

  test.skipIf(!hasTool('promtool', 'prometheus'))(
    'are taken by promtool, and fire when they must',
    () => {
      expect(runTool('promtool', ['check', 'rules', pathOf('ops/prometheus/alerts.yaml')])).toMatchObject({ code: 0 })
      expect(runTool('promtool', ['test', 'rules', pathOf('ops/prometheus/alerts.test.yaml')])).toMatchObject({
        code: 0,
      })
    },
    300_000,
  )
})

describe('the dashboard', () => {
  const panels = dashboard.panels.filter(({ type }) => type !== 'row')

  test.each(panels.map((panel) => [panel.title, panel] as const))('"%s" asks for what is served', (_, panel) => {
    const asked = (panel.targets ?? []).flatMap(({ expr }) => seriesIn(expr))
    expect(asked.length).toBeGreaterThan(0)
    expect(asked.filter((name) => !served.has(name))).toEqual([])
    expect(panel.description).toMatch(/\.$/)
  })

  test('shows every series of Panji', () => {
    const shown = new Set(panels.flatMap(({ targets }) => (targets ?? []).flatMap(({ expr }) => seriesIn(expr))))
    expect([...served].filter((name) => name.startsWith('panji_') && !shown.has(name))).toEqual([])
  })

  test('has an id of its own for every panel', () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
  })
})
