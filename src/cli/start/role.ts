/** What a process does of all that Panji does. */
export type Role = 'all' | 'api' | 'worker' | 'scheduler'
