/**
 * The editor of the screener language: completion of fields and values from the API, and each mistake underlined at the
 * position the API reports, with a fix to click. It lives in a shadow root with adopted style sheets, because the
 * page's content security policy would refuse a style element.
 */
import { autocompletion, type CompletionContext, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { type Diagnostic, forceLinting, linter, lintKeymap } from '@codemirror/lint'
import { EditorState, Prec } from '@codemirror/state'
import { drawSelection, EditorView, keymap, placeholder } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { explain, type Kind, mistakenWord, type Reading, readFields, type ScreenerField } from './language.ts'

const explainAfterMs = 350

export interface EditorProps {
  readonly type: Kind
  readonly initial: string
  readonly changed: (query: string) => void
  /** @param fix replaces the mistake with the API's suggestion, if there is one. */
  readonly read: (reading: Reading, fix?: () => void) => void
  readonly run: () => void
}

export default function ScreenerEditor(props: EditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  const { type } = props
  useEffect(() => {
    if (!host.current) return
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' })
    const state = EditorState.create({ doc: latest.current.initial, extensions: extensionsFor(type, latest) })
    const view = new EditorView({ state, root, parent: root })
    // Text from the address is checked like typed text.
    if (latest.current.initial !== '') forceLinting(view)
    return () => view.destroy()
  }, [type])
  return <div ref={host} className="editor" />
}

function extensionsFor(type: Kind, latest: { readonly current: EditorProps }) {
  const run = () => {
    latest.current.run()
    return true
  }
  return [
    history(),
    drawSelection(),
    // Enter accepts the marked completion as soon as it is shown; otherwise a fast typist gets a line break.
    autocompletion({ override: [(context) => complete(context, type)], interactionDelay: 0 }),
    linter((view) => check(view, type, latest.current.read), { delay: explainAfterMs }),
    Prec.high(keymap.of([{ key: 'Mod-Enter', run }])),
    // Tab leaves the field, as in every other input.
    keymap.of([...completionKeymap, ...historyKeymap, ...lintKeymap, ...defaultKeymap]),
    placeholder(type === 'company' ? "State == 'Goa' AND paidUpCapital > 10 lakh" : "Status == 'Active'"),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': 'Query', role: 'textbox', 'aria-multiline': 'true' }),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) latest.current.changed(state.doc.toString())
    }),
    theme,
  ]
}

async function check(view: EditorView, type: Kind, report: EditorProps['read']): Promise<Diagnostic[]> {
  const query = view.state.doc.toString()
  if (query.trim() === '') return []
  const reading = await explain(query, type)
  if (reading.ok) {
    report(reading)
    return []
  }
  const { message, from: at, found, suggestion } = reading.mistake
  const from = Math.min(at, Math.max(0, query.length - 1))
  const end = query.startsWith(found, at) ? at + found.length : at
  const to = end > from ? end : mistakenWord(query, from)
  if (suggestion === undefined) {
    report(reading)
    return [{ from, to, severity: 'error', message }]
  }
  // Where there is nothing to replace, the query ends: the suggestion is appended.
  const apply = (editor: EditorView, first: number, last: number) =>
    editor.dispatch({ changes: { from: end > at ? first : last, to: last, insert: suggestion } })
  // Also shown below the editor: the tooltip of the underlined word needs a hovering pointer.
  report(reading, () => {
    if (view.state.doc.toString() === query) apply(view, from, to)
    view.focus()
  })
  return [{ from, to, severity: 'error', message, actions: [{ name: `Write ${suggestion.trim()}`, apply }] }]
}

/** While only matching characters are typed, the current completions are filtered instead of fetched again. */
const validFor = /^(?:'[^']*|\w*)$/

async function complete(context: CompletionContext, type: Kind) {
  const word = context.matchBefore(/'[^']*|\w*/)
  if (!word || (word.from === word.to && !context.explicit)) return null
  const fields = await readFields(type)
  const fieldCalled = (name: string | undefined) =>
    fields.find((field) => [field.name, ...field.aliases].some((each) => each.toLowerCase() === name?.toLowerCase()))
  const before = context.state.sliceDoc(0, word.from)
  const compared = fieldCalled(/(\w+)\s*(?:[=!]=|(?:NOT\s+)?IN\s*\([^)]*)\s*$/i.exec(before)?.[1])
  if (compared) return { from: word.from, options: valuesOf(compared), validFor }
  const named = fieldCalled(/(\w+)\s+$/.exec(before)?.[1])
  if (named) return { from: word.from, options: named.operators.map((label) => ({ label, type: 'keyword' })), validFor }
  const names = fields.map(({ name, description }) => ({ label: name, type: 'property', info: description }))
  const words = ['AND', 'OR', 'NOT'].map((label) => ({ label, type: 'keyword' }))
  return { from: word.from, options: [...names, ...words], validFor }
}

/** The values of a field in quotes, each with the number of records where the API counts them. */
function valuesOf({ values, counts }: ScreenerField) {
  const records = new Map(counts.map(({ value, records: total }) => [value, total]))
  return values.map((value) => {
    const total = records.get(value)
    return {
      label: `'${value}'`,
      type: 'text',
      ...(total === undefined ? {} : { detail: total.toLocaleString('en-IN') }),
    }
  })
}

const theme = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--ground)', fontSize: '1rem' },
  '.cm-content': { fontFamily: 'ui-monospace, monospace', minHeight: '3.5rem', caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-placeholder': { color: 'var(--faint)' },
  '.cm-tooltip': { color: 'var(--text)', backgroundColor: 'var(--raised)', border: '1px solid var(--line)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--on-main)',
    backgroundColor: 'var(--main)',
  },
  '.cm-diagnosticAction': { color: 'var(--on-main)', backgroundColor: 'var(--main)' },
})
