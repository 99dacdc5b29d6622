/** Names of the registers in feeds, orders and grants. */
export const registerNames = { company: 'Companies', director: 'Directors', gst: 'GST registrations' } as const

const isRegister = (name: string): name is keyof typeof registerNames => Object.hasOwn(registerNames, name)

export const registerName = (name: string): string => (isRegister(name) ? registerNames[name] : name)
