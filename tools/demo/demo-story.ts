import { type DemoName, demoNames, demoPeople } from './demo-people.ts'
import type { DemoRecords, Place } from './demo-records.ts'
import { addWork } from './demo-work.ts'

/** The names of the two organisations. */
export const demoOrganisations = { nordkai: 'Nordkai Hafenbetriebe', lindner: 'Lindner Bühnentechnik' }

/** Projects that receive records through the running server, and the owners who create these. */
export const livingProjects = {
  shorePower: { label: 'Landstrom Kai 7', owner: 'henrik' },
  terminal: { label: 'Containerterminal 3', owner: 'henrik' },
  festival: { label: 'Festspielhaus Obermaschinerie', owner: 'jakob' },
} as const satisfies Record<string, { label: string; owner: DemoName }>

const allProducts = ['project', 'media-library', 'edges', 'hello']

/** A user's regular sign-ins: first and last day, and the hour of the day (UTC). */
interface Habit {
  from: number
  until?: number
  hour: number
  hasOtp?: boolean
}

/**
 * Adds the last four weeks: two companies join, create projects, grant access to each other's members and some
 * outsiders, and work. All times are in days before today, UTC. Returns the project of the trial run.
 */
export async function addDemoStory(demo: DemoRecords): Promise<{ shorePower: string }> {
  const { at } = demo
  const habits = new Map<DemoName, Habit>()

  /** Records an invitation and its acceptance. */
  async function addUser(
    name: DemoName,
    { by, sent, accepted, place }: { by: DemoName; sent: Date; accepted: Date; place?: Place },
  ): Promise<void> {
    const { email } = demoPeople[name]
    await demo.accept(accepted, name, await demo.invite(sent, by, email, place && { place }))
  }

  async function addRole(
    holder: DemoName,
    projectId: string,
    { by, when, role }: { by: DemoName; when: Date; role: string },
  ) {
    const grantId = await demo.grant(when, 'rosa', projectId, holder)
    const grant = { projectId, grantId, holder }
    await demo.setRole(new Date(when.getTime() + 4 * 60_000), by, grant, role)
    return grant
  }

  // The installation and its first users.
  await demo.accept(
    at(27, '06:52'),
    'rosa',
    await demo.invite(at(27, '06:40'), null, demoPeople.rosa.email, { isRoot: true }),
  )
  await addUser('henrik', { by: 'rosa', sent: at(27, '07:05'), accepted: at(27, '09:31') })
  await addUser('clara', { by: 'rosa', sent: at(27, '07:06'), accepted: at(26, '12:18') })
  habits.set('rosa', { from: 26, hour: 6 })
  habits.set('henrik', { from: 26, hour: 5 })
  habits.set('clara', { from: 25, hour: 8 })

  // A port operator.
  const nordkai = await demo.organisation(at(27, '09:40'), 'henrik', demoOrganisations.nordkai)
  const terminal = await demo.project(at(27, '09:58'), 'henrik', livingProjects.terminal.label, nordkai)
  await demo.changeProject(at(27, '10:03'), 'henrik', terminal, {
    meta: { customer: 'Nordkai Hafenbetriebe', projectId: 'NK-2026-017' },
    config: { consoleColor: '#0b6470' },
    products: allProducts,
  })
  const ofNordkai = { organisationId: nordkai }
  await addUser('maike', { by: 'henrik', sent: at(26, '06:15'), accepted: at(26, '07:02'), place: ofNordkai })
  await addUser('tomasz', {
    by: 'henrik',
    sent: at(26, '06:16'),
    accepted: at(26, '13:47'),
    place: ofNordkai,
  })
  await addUser('juergen', {
    by: 'henrik',
    sent: at(26, '06:18'),
    accepted: at(25, '05:58'),
    place: ofNordkai,
  })
  habits.set('maike', { from: 25, hour: 6, hasOtp: true })
  habits.set('tomasz', { from: 25, hour: 13 })
  habits.set('juergen', { from: 24, until: 12, hour: 7 })
  await demo.enableOtp(at(26, '07:20'), 'maike')

  const lock = await demo.project(at(24, '08:11'), 'maike', 'Schleuse Süd', nordkai)
  await demo.changeProject(at(24, '08:14'), 'maike', lock, {
    meta: { customer: 'Wasserbauamt Unterweser', projectId: 'NK-2026-021' },
    config: { consoleColor: '#1f5fa8' },
  })
  const shorePower = await demo.project(at(20, '10:26'), 'henrik', livingProjects.shorePower.label, nordkai)
  await demo.changeProject(at(20, '10:30'), 'henrik', shorePower, {
    meta: { customer: 'Nordkai Hafenbetriebe', projectId: 'NK-2026-030' },
    config: { consoleColor: '#2f6b2f' },
    products: [...allProducts, 'load-bank'],
  })
  const ingridsPlace = { projectId: shorePower, productRole: 'project/maintainer' }
  await addUser('ingrid', {
    by: 'henrik',
    sent: at(20, '10:41'),
    accepted: at(19, '07:33'),
    place: ingridsPlace,
  })
  await addUser('ingrid', {
    by: 'henrik',
    sent: at(18, '09:02'),
    accepted: at(18, '09:15'),
    place: ofNordkai,
  })
  habits.set('ingrid', { from: 18, hour: 7 })
  await addRole('tomasz', terminal, { by: 'henrik', when: at(25, '14:05'), role: 'project/operator' })
  const tomaszAtLock = await addRole('tomasz', lock, {
    by: 'maike',
    when: at(23, '06:50'),
    role: 'project/viewer',
  })
  await demo.setRole(at(15, '07:41'), 'maike', tomaszAtLock, 'project/operator')
  const juergenAtTerminal = await addRole('juergen', terminal, {
    by: 'henrik',
    when: at(24, '07:12'),
    role: 'project/operator',
  })

  // A company for stage technology.
  const lindner = await demo.organisation(at(26, '12:25'), 'clara', demoOrganisations.lindner)
  const ofLindner = { organisationId: lindner }
  await addUser('jakob', { by: 'clara', sent: at(25, '08:30'), accepted: at(25, '15:09'), place: ofLindner })
  await addUser('sofia', { by: 'clara', sent: at(25, '08:31'), accepted: at(22, '09:44'), place: ofLindner })
  habits.set('jakob', { from: 24, hour: 9 })
  habits.set('sofia', { from: 21, hour: 14 })
  const festival = await demo.project(at(24, '09:20'), 'jakob', livingProjects.festival.label, lindner)
  await demo.changeProject(at(24, '09:28'), 'jakob', festival, {
    meta: { customer: 'Festspiele am See', projectId: 'LB-1184' },
    config: { consoleColor: '#8a1538' },
    products: allProducts,
  })
  const turntable = await demo.project(at(21, '11:02'), 'clara', 'Stadttheater Drehbühne', lindner)
  await demo.changeProject(at(21, '11:05'), 'clara', turntable, {
    meta: { customer: 'Städtische Bühnen Altmark', projectId: 'LB-1190' },
    config: { consoleColor: '#b4500f' },
  })
  const fair = await demo.project(at(17, '12:50'), 'clara', 'Messe Halle 5', lindner)
  await demo.changeProject(at(17, '12:57'), 'clara', fair, {
    meta: { customer: 'Messe Mittelrhein', projectId: 'LB-1203' },
    config: { consoleColor: '#5b3aa6' },
  })
  const trial = await demo.project(at(17, '13:10'), 'clara', 'Probebetrieb Halle 5', lindner)
  await demo.removeProject(at(11, '08:22'), 'clara', trial)
  await addRole('sofia', turntable, { by: 'clara', when: at(20, '08:40'), role: 'project/operator' })

  // Users of no organisation with access to single projects.
  const pietersPlace = { projectId: terminal, productRole: 'project/viewer' }
  await addUser('pieter', {
    by: 'henrik',
    sent: at(16, '06:28'),
    accepted: at(16, '11:51'),
    place: pietersPlace,
  })
  await addRole('pieter', fair, { by: 'clara', when: at(13, '12:30'), role: 'project/viewer' })
  const aylinsPlace = { projectId: festival, productRole: 'project/maintainer' }
  await addUser('aylin', {
    by: 'jakob',
    sent: at(15, '09:36'),
    accepted: at(14, '06:07'),
    place: aylinsPlace,
  })
  const elodiesPlace = { projectId: turntable, productRole: 'project/viewer' }
  await addUser('elodie', {
    by: 'clara',
    sent: at(12, '10:14'),
    accepted: at(12, '16:20'),
    place: elodiesPlace,
  })
  await addRole('elodie', turntable, { by: 'clara', when: at(9, '09:08'), role: 'project/operator' })
  await addUser('lukas', { by: 'rosa', sent: at(6, '07:15'), accepted: at(5, '17:32') })
  habits.set('pieter', { from: 15, hour: 10 })
  habits.set('aylin', { from: 13, hour: 6 })
  habits.set('elodie', { from: 11, hour: 15 })
  const windFarm = await demo.project(at(13, '07:24'), 'aylin', 'Windpark Odermünde', null)
  await demo.changeProject(at(13, '07:30'), 'aylin', windFarm, {
    meta: { customer: 'Stadtwerke Odermünde', projectId: 'PW-77' },
    config: { consoleColor: '#4a5d23' },
  })
  const studio = await demo.project(at(10, '15:47'), 'elodie', 'Atelier Lumière', null)
  await demo.changeProject(at(10, '15:49'), 'elodie', studio, { products: [] })

  const give = (holder: DemoName, projectId: string, by: DemoName, when: Date, role: string) =>
    addRole(holder, projectId, { by, when, role })
  await give('tomasz', terminal, 'henrik', at(14, '06:10'), 'edges/operator')
  await give('pieter', terminal, 'henrik', at(14, '06:18'), 'media-library/viewer')
  await give('ingrid', shorePower, 'henrik', at(13, '08:40'), 'edges/operator')
  await give('ingrid', shorePower, 'henrik', at(13, '08:46'), 'media-library/editor')
  await give('aylin', festival, 'jakob', at(12, '09:02'), 'media-library/editor')

  await writeNotes(demo, { terminal, lock, shorePower, festival, turntable, fair })
  await addInvitations(demo, { nordkai, lindner, terminal, fair })
  await addWork(demo, { terminal, shorePower, festival })
  await changeAccounts(demo)
  await demo.setDefaultProject('henrik', shorePower)
  await signIn(demo, habits)

  // A user leaves the company.
  await demo.removeGrant(at(11, '06:31'), 'rosa', juergenAtTerminal)
  await demo.removeMember(at(11, '06:34'), 'henrik', nordkai, 'juergen')
  await demo.disable(at(11, '06:36'), 'rosa', 'juergen')
  return { shorePower }
}

async function writeNotes(
  demo: DemoRecords,
  projects: Record<'terminal' | 'lock' | 'shorePower' | 'festival' | 'turntable' | 'fair', string>,
): Promise<void> {
  const { at } = demo
  const { terminal, lock, shorePower, festival, turntable, fair } = projects
  await demo.note(at(26, '05:40'), 'henrik', terminal, {
    label: 'Zufahrt und Anmeldung',
    text: 'Zufahrt über Tor 2, Anmeldung beim Pförtner mit Ausweis.\nWarnweste und Helm sind auf dem ganzen Gelände Pflicht.',
    isPinned: true,
  })
  const bridges = await demo.note(at(22, '13:55'), 'tomasz', terminal, {
    label: 'Containerbrücke 4: Endschalter',
    text: 'Der Endschalter am Ausleger meldet bei Frost verspätet. Ersatz ist bestellt.',
  })
  await demo.editNote(
    at(14, '14:20'),
    'henrik',
    bridges,
    'Der Endschalter am Ausleger meldete bei Frost verspätet. Er wurde am Montag getauscht, seither ohne Befund.',
  )
  await demo.note(at(8, '05:51'), 'tomasz', terminal, {
    label: 'Schichtübergabe',
    text: 'Die Reefer-Reihen 12 bis 14 sind wegen Kabelarbeiten bis Freitag gesperrt.',
  })
  await demo.note(at(23, '06:30'), 'maike', lock, {
    label: 'Ansprechpartner Leitstand',
    text: 'Leitstand Süd: Durchwahl 417, nachts über die Revierzentrale.',
    isPinned: true,
  })
  await demo.note(at(9, '12:04'), 'tomasz', lock, {
    label: 'Obertor: Laufzeit',
    text: 'Das Öffnen dauert 6 s länger als im Abnahmeprotokoll. Weiter beobachten.',
  })
  await demo.note(at(16, '08:12'), 'ingrid', shorePower, {
    label: 'Umschaltung Landstrom',
    text: 'Vor dem Umschalten die Freigabe des Schiffes abwarten. Frequenz 50 Hz, höchstens 3,5 MVA je Übergabe.',
    isPinned: true,
  })
  await demo.note(at(4, '07:45'), 'ingrid', shorePower, {
    label: 'Messung Übergabestation',
    text: 'Die Oberschwingungen liegen unter Volllast innerhalb der Grenzwerte. Das Protokoll liegt bei der Betriebsleitung.',
  })
  const hoists = await demo.note(at(20, '10:10'), 'jakob', festival, {
    label: 'Prospektzüge 11 bis 18',
    text: 'Züge 11 bis 18 nur mit halber Geschwindigkeit fahren, bis die Bremsen geprüft sind.',
    isPinned: true,
  })
  await demo.editNote(
    at(7, '11:32'),
    'aylin',
    hoists,
    'Die Bremsen der Züge 11 bis 16 sind geprüft. 17 und 18 weiterhin nur mit halber Geschwindigkeit fahren.',
  )
  await demo.note(at(6, '06:26'), 'aylin', festival, {
    label: 'Abnahme am 12.',
    text: 'Der Sachverständige kommt um 9 Uhr, Treffpunkt Bühneneingang.',
  })
  await demo.note(at(18, '09:30'), 'clara', turntable, {
    label: 'Drehbühne: Fahrprofil',
    text: 'Anlauf auf 0,4 m/s in 3 s. Schneller nur ohne Personen auf der Scheibe.',
    isPinned: true,
  })
  await demo.note(at(3, '14:38'), 'sofia', turntable, {
    label: 'Generalprobe',
    text: 'Die Stichworte 41 und 42 liegen zu dicht beieinander: Die Scheibe steht noch nicht, wenn der Vorhang aufgeht.',
  })
  await demo.note(at(10, '13:00'), 'clara', fair, {
    label: 'Aufbau Halle 5',
    text: 'Anlieferung nur zwischen 6 und 10 Uhr über Tor Ost.',
  })
}

/** Adds invitations that were not accepted: pending, expired and revoked ones. */
async function addInvitations(
  demo: DemoRecords,
  { nordkai, lindner, terminal, fair }: { nordkai: string; lindner: string; terminal: string; fair: string },
): Promise<void> {
  const { at, invite } = demo
  const ofNordkai = { organisationId: nordkai }
  await invite(at(2, '06:12'), 'henrik', 'disposition@nordkai.example', { place: ofNordkai })
  await invite(at(12, '06:20'), 'henrik', 'hafenmeister@nordkai.example', { place: ofNordkai })
  await invite(at(1, '08:55'), 'clara', 'konstruktion@lindner.example', {
    place: { organisationId: lindner },
  })
  await invite(at(3, '05:33'), 'henrik', 'schichtleitung@nordkai.example', {
    place: { projectId: terminal, productRole: 'project/operator' },
  })
  const place = { projectId: fair, productRole: 'project/viewer' }
  const email = 'standbau@messe-mittelrhein.example'
  const revoked = await invite(at(9, '12:40'), 'clara', email, { place })
  await demo.revokeInvitation(at(8, '09:17'), 'clara', email, place, revoked)
  await invite(at(2, '12:05'), 'clara', 'technik@messe-mittelrhein.example', { place })
  await invite(at(1, '07:10'), 'rosa', 'betrieb@example.org')
}

async function changeAccounts(demo: DemoRecords): Promise<void> {
  const { at, idOf, record } = demo
  await demo.addEmail(at(19, '06:02'), 'henrik', 'henrik.albers@example.org', at(19, '06:05'))
  await demo.addEmail(at(2, '05:20'), 'henrik', 'leitstand@nordkai.example')
  const own = (name: DemoName) => ({ target: idOf(name) })
  record(at(18, '08:33'), 'clara', { event: 'password.changed', ...own('clara') })
  record(at(12, '14:18'), 'sofia', {
    event: 'profile.changed',
    ...own('sofia'),
    detail: { fields: ['lastname'] },
  })
  record(at(5, '06:47'), 'maike', { event: 'otp.codes-renewed', ...own('maike') })
  for (const time of ['21:14', '21:15', '21:15']) demo.failedLogin(at(8, time), '198.51.100.201', 'rosa')
  demo.failedLogin(at(8, '21:16'), '198.51.100.201')
  demo.failedLogin(at(11, '09:20'), '203.0.113.22', 'juergen')
  demo.failedLogin(at(7, '10:02'), '2001:db8:41::15', 'pieter')
}

/** Adds sign-ins on working days at varying minutes, except on some days. */
async function signIn(demo: DemoRecords, habits: Map<DemoName, Habit>): Promise<void> {
  for (const [index, name] of demoNames.entries()) {
    const { from = 0, until = 1, hour = 0, hasOtp = false } = habits.get(name) ?? {}
    for (let day = from; day >= until; day -= 1) {
      const minute = (day * 17 + index * 23) % 60
      const begin = demo.at(day, `${hour}:${minute}`)
      const isAway = [0, 6].includes(begin.getUTCDay()) || (day * 3 + index) % 4 === 0
      if (!isAway) await demo.login(begin, name, 60 + ((day * 41 + index * 29) % 300), { hasOtp })
    }
  }
}
