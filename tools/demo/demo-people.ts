/** All users of the demo in order of their registration. The start prints `who` next to the address. */
export const demoPeople = {
  rosa: {
    firstname: 'Rosa',
    lastname: 'Brandt',
    email: 'root@example.org',
    who: 'root',
  },
  henrik: {
    firstname: 'Henrik',
    lastname: 'Albers',
    email: 'albers@nordkai.example',
    who: 'owns Nordkai Hafenbetriebe and two of its projects',
  },
  clara: {
    firstname: 'Clara',
    lastname: 'Lindner',
    email: 'clara@lindner.example',
    who: 'owns Lindner Bühnentechnik and two of its projects',
  },
  maike: {
    firstname: 'Maike',
    lastname: 'Janssen',
    email: 'janssen@nordkai.example',
    who: 'member of Nordkai, owns Schleuse Süd',
  },
  tomasz: {
    firstname: 'Tomasz',
    lastname: 'Wieczorek',
    email: 'wieczorek@nordkai.example',
    who: 'member of Nordkai, operator of two projects',
  },
  ingrid: {
    firstname: 'Ingrid',
    lastname: 'Solberg',
    email: 'solberg@nordkai.example',
    who: 'member of Nordkai, maintainer of Landstrom Kai 7',
  },
  jakob: {
    firstname: 'Jakob',
    lastname: 'Wimmer',
    email: 'wimmer@lindner.example',
    who: 'member of Lindner, owns Festspielhaus Obermaschinerie',
  },
  sofia: {
    firstname: 'Sofia',
    lastname: 'Marchetti',
    email: 'marchetti@lindner.example',
    who: 'member of Lindner, operator of one project',
  },
  pieter: {
    firstname: 'Pieter',
    lastname: 'de Vries',
    email: 'devries@kraanwerk.example',
    who: 'no organisation, viewer of two projects',
  },
  aylin: {
    firstname: 'Aylin',
    lastname: 'Demir',
    email: 'demir@planwerk.example',
    who: 'owns a private project, maintainer of another',
  },
  elodie: {
    firstname: 'Élodie',
    lastname: 'Marchand',
    email: 'marchand@lumiere.example',
    who: 'owns a private project without products, has two roles in another',
  },
  lukas: {
    firstname: 'Lukas',
    lastname: 'Vogt',
    email: 'vogt@example.org',
    who: 'has only an account',
  },
  juergen: {
    firstname: 'Jürgen',
    lastname: 'Kessler',
    email: 'kessler@nordkai.example',
    who: 'disabled: cannot sign in',
  },
} as const

export type DemoName = keyof typeof demoPeople
export const demoNames = Object.keys(demoPeople) as DemoName[]

/** The network addresses of users, reserved for documentation (RFC 5737, RFC 3849), and their browsers' user agents. */
export const workplaces: Record<DemoName, { address: string; userAgent: string }> = {
  rosa: { address: '192.0.2.10', userAgent: browser('X11; Linux x86_64', 'Chrome/142.0.0.0 Safari/537.36') },
  henrik: { address: '203.0.113.21', userAgent: edge() },
  clara: { address: '198.51.100.7', userAgent: safari() },
  maike: { address: '203.0.113.24', userAgent: edge() },
  tomasz: {
    address: '203.0.113.30',
    userAgent: browser('Linux; Android 15', 'Chrome/142.0.0.0 Safari/537.36'),
  },
  ingrid: { address: '203.0.113.27', userAgent: edge() },
  jakob: { address: '198.51.100.12', userAgent: safari() },
  sofia: { address: '198.51.100.15', userAgent: safari() },
  pieter: { address: '2001:db8:41::15', userAgent: edge() },
  aylin: { address: '192.0.2.88', userAgent: browser('X11; Linux x86_64', 'Chrome/142.0.0.0 Safari/537.36') },
  elodie: { address: '2001:db8:7a::2', userAgent: safari() },
  lukas: { address: '192.0.2.140', userAgent: edge() },
  juergen: { address: '203.0.113.22', userAgent: edge() },
}

function browser(system: string, product: string): string {
  return `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${product}`
}

function edge(): string {
  return browser('Windows NT 10.0; Win64; x64', 'Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0')
}

function safari(): string {
  return 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15'
}
