/**
 * Error code of a lead that waits until a person decides whether a CRM record is its own; retries do not resolve it.
 */
export const undecidedCode = 'MATCH_NEEDS_DECISION'
