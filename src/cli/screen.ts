/**
 * Where a command writes: results to standard output; notes, logs and bars to standard error. A bar on the terminal is
 * removed before anything else is written and redrawn below it, so that lines and bars never mix.
 */
export interface Drawn {
  redraw(): void
}

export interface Screen {
  /** Whether standard error is a terminal, where bars may be drawn. */
  readonly isTerminal: boolean
  /** Whole lines for standard output. */
  print(lines: string): void
  /** Whole lines for standard error. */
  write(lines: string): void
  /** Sets the bar on the last line; undefined removes it. */
  stand(bar: Drawn | undefined): void
}

const eraseLine = '\r\u001b[K'

export function createScreen(stdout: NodeJS.WritableStream, stderr: NodeJS.WriteStream): Screen {
  let standing: Drawn | undefined
  const past = (stream: NodeJS.WritableStream, lines: string): void => {
    if (standing) stderr.write(eraseLine)
    stream.write(lines)
    standing?.redraw()
  }
  return {
    isTerminal: stderr.isTTY,
    print: (lines) => past(stdout, lines),
    write: (lines) => past(stderr, lines),
    stand(bar) {
      standing = bar
    },
  }
}
