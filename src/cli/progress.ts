/** Progress of long work on standard error: a bar with rate and remaining time on a terminal, lines elsewhere. */
import { Presets, SingleBar } from 'cli-progress'
import type { Screen } from './screen.ts'

export interface Progress {
  /** `total` 0 means unknown. `unit` overrides the default for a step that is measured differently. */
  update(step: string, done: number, total: number, unit?: string): void
  end(): void
}

export function barProgress(unit: string, stream: NodeJS.WriteStream, screen: Screen): Progress {
  const bar = new SingleBar(
    // Redrawn even if nothing changed, because a written line took the bar off.
    { stream, hideCursor: true, clearOnComplete: false, forceRedraw: true, format: `{step} {bar} {detail}` },
    Presets.shades_classic,
  )
  const pace = new Pace()
  return {
    update(step, done, total, stepUnit = unit) {
      const detail = describe(done, total, stepUnit, pace.ratePerSecond(step, done))
      const whole = Math.max(total, done, 1)
      // A step of unknown length shows an empty bar rather than a full one.
      const shown = total > 0 ? done : 0
      if (!bar.isActive) {
        bar.start(whole, shown, { step: step.padEnd(9), detail })
        screen.stand({ redraw: () => bar.render() })
      }
      bar.setTotal(whole)
      bar.update(shown, { step: step.padEnd(9), detail })
    },
    end: () => {
      screen.stand(undefined)
      bar.stop()
    },
  }
}

/** A line when the step changes, and every five seconds within one. */
export function lineProgress(unit: string, screen: Pick<Screen, 'write'>): Progress {
  const pace = new Pace()
  let lastStep = ''
  let lastAt = 0
  return {
    update(step, done, total, stepUnit = unit) {
      const rate = pace.ratePerSecond(step, done)
      const now = performance.now()
      if (step === lastStep && now - lastAt < 5_000) return
      lastStep = step
      lastAt = now
      screen.write(`${`${step} ${describe(done, total, stepUnit, rate)}`.trimEnd()}\n`)
    },
    end: () => {},
  }
}

/** Rate of a step, measured from its first update. */
class Pace {
  #step = ''
  #startedAt = 0
  #doneBefore = 0

  ratePerSecond(step: string, done: number): number {
    const now = performance.now()
    if (step !== this.#step) {
      this.#step = step
      this.#startedAt = now
      this.#doneBefore = done
    }
    return (done - this.#doneBefore) / Math.max(0.001, (now - this.#startedAt) / 1000)
  }
}

/** `12.4 of 60.1 MB, 8.3 MB/s, 6 s left`; seconds have no rate: `4 s of about 10 s, 6 s left`. */
export function describe(done: number, total: number, unit: string, ratePerSecond: number): string {
  if (unit === 's') {
    const left = total > 0 ? ` of about ${Math.round(total)} s, ${Math.max(0, Math.round(total - done))} s left` : ''
    return `${Math.round(done)} s${left}`
  }
  if (unit === '' || done <= 0) return ''
  const [scale, name] = unit === 'bytes' ? ([1e6, 'MB'] as const) : ([1, unit] as const)
  const show = (value: number) =>
    (value / scale).toLocaleString('en-IN', { maximumFractionDigits: scale === 1 ? 0 : 1 })
  const parts = [total > 0 ? `${show(done)} of ${show(total)} ${name}` : `${show(done)} ${name}`]
  if (ratePerSecond > 0) {
    parts.push(`${show(ratePerSecond)} ${name}/s`)
    if (total > done) parts.push(`${Math.ceil((total - done) / ratePerSecond)} s left`)
  }
  return parts.join(', ')
}
