/** Which part of Panji a process runs. */
export type Role = 'all' | 'api' | 'worker' | 'scheduler'
