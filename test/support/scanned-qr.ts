/** Decodes a QR code that a page drew as strokes of dark modules. */
import decodeQR from 'qr/decode.js'

const pixelsPerModule = 4

export function scanned(strokes: string, viewBox: string | null): string {
  const modules = Number(viewBox?.split(' ').at(-1))
  const side = modules * pixelsPerModule
  const data = new Uint8ClampedArray(side * side * 4).fill(255)
  for (const [, x = '', y = '', run = ''] of strokes.matchAll(/M(\d+) (\d+)h(\d+)/g)) {
    for (let row = Number(y) * pixelsPerModule; row < (Number(y) + 1) * pixelsPerModule; row++) {
      const from = row * side + Number(x) * pixelsPerModule
      for (let at = from; at < from + Number(run) * pixelsPerModule; at++) data.set([0, 0, 0], at * 4)
    }
  }
  return decodeQR({ width: side, height: side, data })
}
