/** The registers, by the identifier of a record. */
import { useState } from 'react'
import { useLocation } from 'wouter'
import { Page } from '../../look/page.tsx'
import { recordAddress } from './record-address.ts'

export default function Records() {
  const [, go] = useLocation()
  const [typed, setTyped] = useState('')
  return (
    <Page
      title="Records"
      lead="What the registers hold of one company, person or registration, where each value came from, and what changed."
    >
      <form
        className="narrow"
        onSubmit={(event) => {
          event.preventDefault()
          if (typed.trim() !== '') go(recordAddress(typed))
        }}
      >
        <div className="field">
          <label htmlFor="identifier">CIN, LLPIN, DIN or GSTIN</label>
          <input
            id="identifier"
            value={typed}
            required
            autoComplete="off"
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        <button type="submit" className="main">
          Look it up
        </button>
      </form>
    </Page>
  )
}
