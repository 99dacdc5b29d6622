/** `src/api/error-page.html`, the page behind `doc_url`, from the doc comments of `src/errors.ts`; each code is an anchor. */
import { describeErrorCodes } from './render-error-codes.ts'

export function renderErrorPage(source: string): string {
  const sections = describeErrorCodes(source)
    .sort((a, b) => a.httpStatus - b.httpStatus || (a.code < b.code ? -1 : 1))
    .map(({ code, httpStatus, meaning, remedy }) => {
      const text = [meaning, remedy].filter(Boolean).map(escaped).join(' ')
      return `<section id="${code}"><h2>${code} <small>${httpStatus}</small></h2><p>${text}</p></section>`
    })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Error codes of the Panji API</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark; }
h2 { font-size: 1rem; margin: 1.5rem 0 0; } p { margin: 0.25rem 0; } :target { outline: 2px solid; outline-offset: 0.5rem; }
</style>
</head>
<body>
<h1>Error codes of the Panji API</h1>
<p>Every error has its code in <code>error_code</code>. The number next to a code is its HTTP status. The
<a href="/docs/">reference</a> lists the operations and their errors.</p>
${sections.join('\n')}
</body>
</html>
`
}

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/`([^`]+)`/g, '<code>$1</code>')
