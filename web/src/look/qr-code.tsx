/** A text as a QR code, dark on light in both themes, since not every scanner reads inverted codes. */
import encodeQR from 'qr'

/** The quiet zone in modules, as the standard requires. */
const quiet = 4

export default function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const rows = encodeQR(text, 'raw', { border: quiet })
  return (
    <svg className="qr" role="img" aria-label={label} viewBox={`0 0 ${rows.length} ${rows.length}`}>
      <rect width="100%" height="100%" />
      <path d={rows.flatMap(strokesOf).join('')} />
    </svg>
  )
}

/** Each run of dark modules in a row. */
const strokesOf = (row: readonly boolean[], y: number): string[] =>
  [
    ...row
      .map((isDark) => (isDark ? '1' : '0'))
      .join('')
      .matchAll(/1+/g),
  ].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`)
