/** The code of a lead that waits for somebody to say whether a record of the CRM is its own; no time brings that on. */
export const undecidedCode = 'MATCH_NEEDS_DECISION'
