/** Domains of free e-mail providers: two addresses that share one have nothing in common. Data only. */
export const freeMailDomains: ReadonlySet<string> = new Set([
  ...[
    'gmail.com',
    'googlemail.com',
    'yahoo.com',
    'yahoo.in',
    'yahoo.co.in',
    'yahoo.co.uk',
    'ymail.com',
    'rocketmail.com',
  ],
  ...['hotmail.com', 'hotmail.co.in', 'hotmail.co.uk', 'outlook.com', 'outlook.in', 'live.com', 'live.in', 'msn.com'],
  ...['rediffmail.com', 'rediff.com', 'indiatimes.com', 'in.com', 'sify.com', 'vsnl.com', 'vsnl.net', 'bsnl.in'],
  ...[
    'dataone.in',
    'airtelmail.in',
    'icloud.com',
    'me.com',
    'mac.com',
    'aol.com',
    'aol.in',
    'proton.me',
    'protonmail.com',
  ],
  ...['zohomail.com', 'zohomail.in', 'mail.com', 'email.com', 'gmx.com', 'gmx.net', 'yandex.com', 'tutanota.com'],
  ...['fastmail.com', 'inbox.com', 'mail.ru', 'qq.com', '163.com'],
])
