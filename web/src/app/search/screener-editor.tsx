/**
 * The editor of the screener language: completion of fields and values from the API, and each mistake underlined where
 * the API says it stands, with the word that fixes it to click. It lives in a shadow root, where the editor's styles are
 * adopted sheets: a style element would be refused by the policy that the page is served with.
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
  /** @param fix writes what was probably meant in the place of the mistake, where the API knows it. */
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
    // The text that an address brought is checked like one that was typed.
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
    // Enter takes what is marked from the moment that it is shown; while it did not, a fast typist got a line break.
    autocompletion({ override: [(context) => complete(context, type)], interactionDelay: 0 }),
    linter((view) => check(view, type, latest.current.read), { delay: explainAfterMs }),
    Prec.high(keymap.of([{ key: 'Mod-Enter', run }])),
    // The tabulator leaves the field, as in every other one.
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

async function check(view: EditorView, type: Kind, told: EditorProps['read']): Promise<Diagnostic[]> {
  const query = view.state.doc.toString()
  if (query.trim() === '') return []
  const reading = await explain(query, type)
  if (reading.ok) {
    told(reading)
    return []
  }
  const { message, from: at, found, suggestion } = reading.mistake
  const from = Math.min(at, Math.max(0, query.length - 1))
  const end = query.startsWith(found, at) ? at + found.length : at
  const to = end > from ? end : mistakenWord(query, from)
  if (suggestion === undefined) {
    told(reading)
    return [{ from, to, severity: 'error', message }]
  }
  // Where nothing stands that is replaced, the query ends: it is gone on with.
  const apply = (editor: EditorView, first: number, last: number) =>
    editor.dispatch({ changes: { from: end > at ? first : last, to: last, insert: suggestion } })
  // Below the editor, too: the underlined word shows its own only to a pointer that hovers.
  told(reading, () => {
    if (view.state.doc.toString() === query) apply(view, from, to)
    view.focus()
  })
  return [{ from, to, severity: 'error', message, actions: [{ name: `Write ${suggestion.trim()}`, apply }] }]
}

/** While only this is typed on, what was offered is narrowed at once, and not asked for again. */
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

/** The values of a field in quotes, each with the number of records that have it where the API counts them. */
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
  '&': { color: 'var(--text)', backgroundColor: 'var(--ground)', fontSize: '15px' },
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
