export { type Actor, type AuditEntry, audit } from '../trail/audit.ts'
