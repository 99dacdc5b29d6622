/** What people call the registers that feeds, orders and grants speak of. */
export const registerNames = { company: 'Companies', director: 'Directors', gst: 'GST registrations' } as const

const isRegister = (name: string): name is keyof typeof registerNames => Object.hasOwn(registerNames, name)

/** Its own name for one that is not among them. */
export const registerName = (name: string): string => (isRegister(name) ? registerNames[name] : name)
