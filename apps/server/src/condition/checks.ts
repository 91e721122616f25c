import { isIP } from 'node:net'
import type { Condition } from '@pult/contract'
import { faultyReplicas, type ReplicaState } from '#platform/database/replicas.ts'
import { type Language, type Sentence, textIn } from '#platform/language.ts'
import { checkBackups } from '../backup/backup-checks.ts'
import type { FoundBackups } from '../backup/read-backups.ts'
import type { UnknownSetting } from '../unknown-settings.ts'
import type { Failure } from './failures.ts'
import { checkMail } from './mail-checks.ts'
import {
  diskIsLow,
  filesFail,
  type NodeProblem,
  type NodeReport,
  noInodes,
  notReady,
  reportedProblems,
} from './node-problems.ts'
import { checkValues, type ValuesFacts } from './values-checks.ts'

/** Facts that no other part of the condition contains. */
export interface CheckedFacts {
  publicUrl: string
  trustedProxies: readonly string[]
  /** The untrusted proxy that the caller's own request came through. */
  ownProxy?: string | undefined
  /** Milliseconds by which the clock of this node is ahead of the database's. */
  clockOffset: number
  /** Machines, each with the milliseconds by which its clock is ahead of the database's. */
  clocks: readonly { name: string; offset: number }[]
  /** Bytes that files leave free. */
  reserve: number
  /** Free bytes of this node's fullest disk; undefined if unknown. */
  diskFree?: number | undefined
  /** Whether a disk of this node has no free inodes. */
  lacksInodes?: boolean | undefined
  /** The problems that the running nodes have written. */
  reports?: readonly NodeReport[]
  /** The id of this node; null outside a node. */
  ownId?: string | null
  /** Running versions of extensions whose code fails in browsers. */
  failing?: readonly FailingExtension[]
  /** The version of the collation for which the database was made, and the present one; null if they are equal. */
  collation?: { stored: string; present: string } | null
  /** Online edges whose agent is not of this version. */
  outdatedAgents: number
  values: ValuesFacts
  replicas: readonly ReplicaState[]
  /** Null if they could not be read. */
  backups: FoundBackups | null
  /** Why parts could not be read, by name. */
  failures: ReadonlyMap<string, Failure>
  /** Why this node is not ready; null if it is. */
  unready: Failure | null
  /** Why files cannot be read and written; null if they can. */
  fileFailure: Failure | null
  /** Variables that look like misspelt settings. */
  unknownSettings: readonly UnknownSetting[]
}

interface FailingExtension {
  label: string
  version: string
  /** The newest error, and how often the part has failed. */
  message: string
  count: number
}

type Check = Condition['checks'][number]
type Found = Omit<Condition, 'checks'>

type ReplicaTrouble = NonNullable<ReplicaState['trouble']>

const replicaChecks: Record<ReplicaTrouble, (name: string) => { what: Sentence; fix: Sentence }> = {
  away: (name) => ({
    what: {
      de: `The replica ${name} does not answer: the primary serves its reads`,
      'de-DE': `Das Replikat ${name} antwortet nicht: Der Primärserver übernimmt seine Lesezugriffe`,
    },
    fix: {
      de: 'Start it, or remove it from DATABASE_REPLICA_URL. The log names the reason',
      'de-DE':
        'Starten Sie es, oder entfernen Sie es aus DATABASE_REPLICA_URL. Das Serverprotokoll nennt den Grund',
    },
  }),
  late: (name) => ({
    what: {
      de: `The replica ${name} is too far behind: the primary serves its reads`,
      'de-DE': `Das Replikat ${name} hinkt zu weit hinterher: Der Primärserver übernimmt seine Lesezugriffe`,
    },
    fix: {
      de: 'Check its load, and whether its replay is paused',
      'de-DE': 'Prüfen Sie seine Last, und ob die Wiedergabe angehalten ist',
    },
  }),
  primary: (name) => ({
    what: {
      de: `${name} in DATABASE_REPLICA_URL is the primary`,
      'de-DE': `${name} in DATABASE_REPLICA_URL ist der Primärserver`,
    },
    fix: {
      de: 'List its streaming replicas in DATABASE_REPLICA_URL',
      'de-DE': 'Nennen Sie in DATABASE_REPLICA_URL seine Streaming-Replikate',
    },
  }),
  foreign: (name) => ({
    what: {
      de: `${name} in DATABASE_REPLICA_URL does not follow the primary`,
      'de-DE': `${name} in DATABASE_REPLICA_URL folgt nicht dem Primärserver`,
    },
    fix: {
      de: 'Make it follow the server in DATABASE_URL. After a fail-over it may take five minutes to be recognised',
      'de-DE':
        'Lassen Sie es dem Server aus DATABASE_URL folgen. Nach einem Wechsel des Primärservers kann es fünf Minuten dauern, bis es erkannt wird',
    },
  }),
}

/** The clocks of nodes may differ by this many milliseconds. */
const clockTolerance = 5000

/** Milliseconds after which a due job is late. */
const jobPatience = 600_000

/** Free bytes below which uploads and exports soon fail. */
const freeAtLeast = 5e9

/** Share of FILE_TOTAL above which uploads soon fail. */
const nearLimit = 0.9

/**
 * Returns the problems of the installation and their fixes, which the Root page and `pult doctor` show. Parts that
 * could not be read are not checked; one line names them.
 */
export function checksOf(found: Found, facts: CheckedFacts, language: Language): Check[] {
  const { database, files, mail, signIn, nodes, jobs, extensions, untrustedProxy } = found
  const checks: Check[] = []
  const add = (id: string, level: Check['level'], what: Sentence, fix: Sentence) =>
    checks.push({ id, level, what: textIn(what, language), fix: textIn(fix, language) })
  const addProblem = ({ id, level, what, fix }: NodeProblem) => add(id, level, what, fix)

  const unread = Object.entries({ database, files, mail, signIn, nodes, jobs, extensions }).flatMap(
    ([name, part]) => (part === null ? [name] : []),
  )
  const { copyOf } = found
  if (copyOf != null)
    add(
      'copy',
      'danger',
      {
        de: `This is a copy of ${copyOf}: it sends no mail, admits no edge, and runs no schedules and no scheduled backups`,
        'de-DE': `Dies ist eine Kopie von ${copyOf}: Sie sendet keine E-Mails, nimmt keine Edges an und führt weder Zeitpläne noch geplante Sicherungen aus`,
      },
      {
        de: 'If it replaces the original, put it into service on the Root page. On a test machine, leave it as it is',
        'de-DE':
          'Ersetzt sie das Original, nehmen Sie sie auf der Seite Root in Betrieb. Auf einer Testmaschine lassen Sie sie, wie sie ist',
      },
    )
  const { unready, fileFailure } = facts
  if (unready !== null) addProblem(notReady(unready))
  if (fileFailure !== null) addProblem(filesFail(fileFailure))
  // Several parts usually have the same cause.
  const byCause = Map.groupBy(
    new Set([...unread, ...facts.failures.keys()]),
    (name) => facts.failures.get(name)?.what.de,
  )
  for (const same of byCause.values()) {
    const names = same.join(', ')
    const failure = facts.failures.get(same[0] ?? '')
    const because = (reason: string | undefined) => (reason === undefined ? '' : ` (${reason})`)
    add(
      'unread',
      'danger',
      {
        de: `Could not be checked: ${names}${because(failure?.what.de)}`,
        'de-DE': `Nicht prüfbar: ${names}${because(failure?.what['de-DE'])}`,
      },
      failure?.fix ?? {
        de: 'The log of the server names the reason',
        'de-DE': 'Das Protokoll des Servers nennt den Grund',
      },
    )
  }
  for (const { name } of (nodes ?? []).filter(({ isAlive }) => !isAlive)) {
    add(
      'nodes',
      'danger',
      { de: `The node ${name} is lost`, 'de-DE': `Der Knoten ${name} ist ausgefallen` },
      {
        de: 'Start it again, or ignore it: the entry disappears after a day',
        'de-DE': 'Starten Sie ihn neu, oder ignorieren Sie ihn: Der Eintrag verschwindet nach einem Tag',
      },
    )
  }
  for (const { label, problem } of extensions?.inTrouble ?? []) {
    add(
      'extensions',
      'danger',
      {
        de: `The extension ${label} does not run: ${problem}`,
        'de-DE': `Die Erweiterung ${label} läuft nicht: ${problem}`,
      },
      {
        de: 'Install another version, or disable it',
        'de-DE': 'Installieren Sie eine andere Version, oder schalten Sie sie aus',
      },
    )
  }
  for (const { label, version, message, count } of facts.failing ?? []) {
    add(
      'extensions.failing',
      'warning',
      {
        de: `The extension ${label} ${version} has failed ${count} times in browsers: ${message}`,
        'de-DE': `Die Erweiterung ${label} ${version} ist in Browsern ${count}-mal gescheitert: ${message}`,
      },
      {
        de: 'Send the failures on the page Extensions to its author, or enable another version',
        'de-DE':
          'Geben Sie die Fehler auf der Seite Erweiterungen an ihren Autor weiter, oder schalten Sie eine andere Version ein',
      },
    )
  }
  if (facts.collation) {
    const { stored, present } = facts.collation
    add(
      'collation',
      'danger',
      {
        de: `The order of texts on the machine of the database has changed (from version ${stored} to ${present}): its indexes may miss rows`,
        'de-DE': `Die Sortierung von Texten auf der Maschine der Datenbank hat sich geändert (von Version ${stored} auf ${present}): Ihre Indexe übersehen vielleicht Zeilen`,
      },
      {
        de: 'Run in the database: REINDEX DATABASE name; ALTER DATABASE name REFRESH COLLATION VERSION',
        'de-DE':
          'Führen Sie in der Datenbank aus: REINDEX DATABASE name; ALTER DATABASE name REFRESH COLLATION VERSION',
      },
    )
  }
  const free = Math.min(files?.free ?? Infinity, facts.diskFree ?? Infinity)
  if (free < facts.reserve || (files?.free ?? Infinity) < freeAtLeast)
    addProblem(diskIsLow(free, free < facts.reserve))
  if (facts.lacksInodes === true) addProblem(noInodes)
  const { reports = [], ownId = null } = facts
  const isShown = ({ id, what }: NodeProblem) =>
    checks.some((check) => check.id === id && check.what === textIn(what, language))
  for (const problem of reportedProblems({ reports, ownId, isShown })) addProblem(problem)
  if (files?.limit != null && files.size > files.limit * nearLimit) {
    const percent = Math.floor((files.size / files.limit) * 100)
    add(
      'limit',
      'warning',
      {
        de: `Files use ${percent} % of the limit of this installation`,
        'de-DE': `Die Dateien belegen ${percent} % der Grenze dieser Installation`,
      },
      {
        de: 'Delete large files, or raise FILE_TOTAL',
        'de-DE': 'Löschen Sie große Dateien, oder erhöhen Sie FILE_TOTAL',
      },
    )
  }
  checkValues(facts.values, add)
  if (mail !== null) checkMail(mail, add)
  if (untrustedProxy !== null && untrustedProxy.address !== facts.ownProxy) {
    const { address } = untrustedProxy
    // Without the line: any program on this network can send such a request and would get itself trusted.
    add(
      'proxy.other',
      'warning',
      {
        de: `Requests come through ${address}, which is not trusted. If this is your proxy, all its users share one limit for sign-ins until you change the setting`,
        'de-DE': `Anfragen kommen über ${address}, das nicht als vertrauenswürdig gilt. Ist das Ihr Proxy, gelten die Anmeldegrenzen für alle Benutzer gemeinsam, bis Sie die Einstellung ändern`,
      },
      {
        de: 'If this is your proxy, open the Root page through it: the page then shows the line for TRUSTED_PROXIES. Otherwise change nothing',
        'de-DE':
          'Ist das Ihr Proxy, öffnen Sie die Seite Root über ihn: Sie zeigt dann die Zeile für TRUSTED_PROXIES. Sonst ändern Sie nichts',
      },
    )
  } else if (untrustedProxy !== null) {
    const { address } = untrustedProxy
    // The line alone, because the Root page copies it. It keeps the proxies that are trusted already.
    const line = `TRUSTED_PROXIES=${[...facts.trustedProxies, address].join(',')}`
    add(
      'proxy',
      'warning',
      {
        de: `Requests come through ${address}, which is not trusted. If this is your proxy, all its users share one limit for sign-ins until you change the setting`,
        'de-DE': `Anfragen kommen über ${address}, das nicht als vertrauenswürdig gilt. Ist das Ihr Proxy, gelten die Anmeldegrenzen für alle Benutzer gemeinsam, bis Sie die Einstellung ändern`,
      },
      { de: line, 'de-DE': line },
    )
  }
  const everyone = facts.trustedProxies.find((range) => range.endsWith('/0'))
  if (everyone !== undefined)
    add(
      'proxy.all',
      'danger',
      {
        de: `TRUSTED_PROXIES contains ${everyone}: each client chooses the address by which its sign-ins are limited and recorded`,
        'de-DE': `TRUSTED_PROXIES enthält ${everyone}: Jeder Client bestimmt selbst die Adresse, mit der seine Anmeldungen begrenzt und protokolliert werden`,
      },
      {
        de: 'Set TRUSTED_PROXIES to the addresses of your proxies only',
        'de-DE': 'Nennen Sie in TRUSTED_PROXIES nur die Adressen Ihrer Proxys',
      },
    )
  const { protocol, hostname } = new URL(facts.publicUrl)
  if (protocol === 'http:' && hostname !== 'localhost') {
    add(
      'https',
      'danger',
      {
        de: `The address ${facts.publicUrl} has no https: browsers do not offer passkeys, and passwords travel unencrypted`,
        'de-DE': `Die Adresse ${facts.publicUrl} hat kein https: Browser bieten dort keine Passkeys an, und Passwörter werden unverschlüsselt übertragen`,
      },
      {
        de: 'Put a reverse proxy with a certificate in front, and set PULT_URL to its https address',
        'de-DE':
          'Stellen Sie einen Reverse-Proxy mit Zertifikat davor, und setzen Sie PULT_URL auf seine https-Adresse',
      },
    )
  }
  // A passkey belongs to a domain. https://www.w3.org/TR/webauthn-3/#rp-id
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) {
    add(
      'address',
      'warning',
      {
        de: `The address ${facts.publicUrl} is an IP address: browsers do not offer passkeys`,
        'de-DE': `Die Adresse ${facts.publicUrl} ist eine IP-Adresse: Browser bieten dort keine Passkeys an`,
      },
      {
        de: 'Give the server a host name, and set PULT_URL to its https address',
        'de-DE': 'Geben Sie dem Server einen Hostnamen, und setzen Sie PULT_URL auf dessen https-Adresse',
      },
    )
  }
  for (const { name, meant } of facts.unknownSettings) {
    add(
      'setting',
      'warning',
      {
        de: `The setting ${name} does not exist and is ignored`,
        'de-DE': `Die Einstellung ${name} gibt es nicht, und sie hat keine Wirkung`,
      },
      {
        de: `Correct its name, or remove it. It may mean ${meant}`,
        'de-DE': `Berichtigen Sie den Namen, oder entfernen Sie sie. Gemeint ist vielleicht ${meant}`,
      },
    )
  }
  for (const { name, offset } of facts.clocks) {
    if (Math.abs(offset) <= clockTolerance) continue
    const seconds = Math.round(Math.abs(offset) / 1000)
    add(
      'clock',
      'warning',
      {
        de: `The clock of ${name} differs from the database's by ${seconds} s`,
        'de-DE': `Die Uhr von ${name} weicht um ${seconds} s von der Uhr der Datenbank ab`,
      },
      {
        de: 'Synchronise the clocks of both machines, for example with chrony',
        'de-DE': 'Gleichen Sie die Uhren beider Maschinen ab, zum Beispiel mit chrony',
      },
    )
  }
  if (jobs?.oldest && Date.now() - facts.clockOffset - Date.parse(jobs.oldest) > jobPatience) {
    add(
      'jobs',
      'danger',
      {
        de: 'A background job has been due for more than ten minutes',
        'de-DE': 'Ein Hintergrundauftrag ist seit mehr als zehn Minuten fällig',
      },
      {
        de: 'Check that a node runs, and look for errors of jobs in its log',
        'de-DE':
          'Prüfen Sie, ob ein Knoten läuft, und suchen Sie in seinem Protokoll nach Fehlern von Aufträgen',
      },
    )
  }
  for (const { name, trouble } of faultyReplicas(facts.replicas)) {
    if (trouble === null) continue
    const { what, fix } = replicaChecks[trouble](name)
    add('replica', 'warning', what, fix)
  }
  if (facts.outdatedAgents > 0) {
    add(
      'agents',
      'warning',
      {
        de: `${facts.outdatedAgents === 1 ? '1 edge runs' : `${facts.outdatedAgents} edges run`} an agent of another version`,
        'de-DE': `${facts.outdatedAgents === 1 ? '1 Edge hat' : `${facts.outdatedAgents} Edges haben`} einen Agenten einer anderen Version`,
      },
      {
        de: 'Replace the agent on these machines: see docs/operations/edge-agent.md',
        'de-DE': 'Ersetzen Sie den Agenten auf diesen Maschinen: siehe docs/operations/edge-agent.md',
      },
    )
  }
  if (signIn && signIn.rootsAtRisk.total > 0) {
    const names = signIn.rootsAtRisk.people.map(({ name }) => name).join(', ')
    add(
      'roots',
      'warning',
      {
        de: `Root accounts without a second factor: ${names}`,
        'de-DE': `Root-Konten ohne zweiten Faktor: ${names}`,
      },
      {
        de: 'Ask each of these users to set up a passkey or one-time codes under Account',
        'de-DE': 'Bitten Sie diese Personen, unter Konto einen Passkey oder Einmalcodes einzurichten',
      },
    )
  }
  if (facts.backups !== null) checkBackups(facts.backups, add)
  return checks.toSorted((a, b) => Number(a.level === 'warning') - Number(b.level === 'warning'))
}
