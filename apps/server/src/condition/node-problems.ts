import type { ClockStep } from '#platform/clock.ts'
import type { CleanUpFailure } from '#platform/jobs/clean-up-failures.ts'
import type { Sentence } from '#platform/language.ts'
import type { FoundTwins } from '../edges/joining/twins.ts'
import { type Failure, failureOf } from './failures.ts'

/**
 * A problem of one node, as its row contains it. Nodes of other releases read it too, so a later release may only add
 * optional fields.
 */
export interface NodeProblem extends Failure {
  id: string
  level: 'danger' | 'warning'
  /** When a request or a job showed the problem. Of these problems, readers show the newest of all nodes. */
  seenAt?: string
}

/** The problems in the row of a node. */
export interface NodeReport {
  id: string
  name: string
  problems: readonly NodeProblem[]
}

/** The latest results of a node, which its heartbeat must not wait for. */
export interface NodeState {
  /** Why the node is not ready. */
  unready: Failure | null
  /** Why it cannot read and write files. */
  fileFailure: Failure | null
  /** Free bytes of its fullest disk; undefined if unknown. */
  free: number | undefined
  /** Whether a disk has no free inodes. */
  lacksInodes: boolean
  /** Bytes that files leave free. */
  reserve: number
  publicUrl: string
  refusedOrigin: { origin: string; seenAt: string } | null
  unreadableHop: { proxy: string; hop: string; seenAt: string } | null
  clockStep: ClockStep | null
  /** The clean-ups that fail repeatedly. */
  cleanUps: readonly CleanUpFailure[]
  twins: FoundTwins | null
}

/** Milliseconds after which a request is no longer reported. */
const keepSeen = 86_400_000

const mebibytes = (bytes: number) => `${Math.floor(bytes / 1024 ** 2)} MiB`

const isRecent = ({ seenAt }: { seenAt: string }) => Date.now() - Date.parse(seenAt) < keepSeen

/** Without the time zone of a reader, whom a node does not know. */
const minuteOf = (instant: string) => `${instant.slice(0, 16).replace('T', ' ')} UTC`

/** Returns the problems of a node. */
export function problemsOfNode(state: NodeState): NodeProblem[] {
  const {
    unready,
    fileFailure,
    free = Infinity,
    lacksInodes,
    reserve,
    publicUrl,
    refusedOrigin,
    unreadableHop,
    clockStep,
    cleanUps,
    twins,
  } = state
  const problems: (NodeProblem | false | null)[] = [
    unready && notReady(unready),
    fileFailure && filesFail(fileFailure),
    free < reserve && diskIsLow(free, true),
    lacksInodes && noInodes,
    refusedOrigin !== null && isRecent(refusedOrigin) && originRefused(refusedOrigin, publicUrl),
    unreadableHop !== null && isRecent(unreadableHop) && hopUnreadable(unreadableHop),
    clockStep && clockStepped(clockStep),
    ...cleanUps.map(cleanUpFails),
    twins !== null && isRecent(twins) && twinsFound(twins),
  ]
  return problems.filter((problem) => problem !== null && problem !== false)
}

export const notReady = ({ what, fix }: Failure): NodeProblem => ({
  id: 'ready',
  level: 'danger',
  what: {
    de: `Sign-in, writing or background work fails: ${what.de}`,
    'de-DE': `Anmeldung, Schreiben oder Hintergrundarbeit ist gestört: ${what['de-DE']}`,
  },
  fix,
})

export const filesFail = ({ what, fix }: Failure): NodeProblem => ({
  id: 'files',
  level: 'danger',
  what: {
    de: `Files cannot be read and written: ${what.de}`,
    'de-DE': `Dateien lassen sich nicht lesen und schreiben: ${what['de-DE']}`,
  },
  fix,
})

/** `isReserved`: only the reserve is left. */
export const diskIsLow = (free: number, isReserved: boolean): NodeProblem => ({
  id: 'disk',
  level: 'danger',
  what: isReserved
    ? {
        de: `Only ${mebibytes(free)} of disk space are free: uploads and exports are refused`,
        'de-DE': `Nur noch ${mebibytes(free)} Speicherplatz sind frei: Uploads und Exporte werden abgelehnt`,
      }
    : {
        de: `Only ${mebibytes(free)} of disk space are free`,
        'de-DE': `Nur noch ${mebibytes(free)} Speicherplatz sind frei`,
      },
  fix: {
    de: 'Enlarge the disk, or delete files',
    'de-DE': 'Vergrößern Sie den Datenträger, oder löschen Sie Dateien',
  },
})

export const noInodes: NodeProblem = {
  id: 'disk.inodes',
  level: 'danger',
  what: {
    de: 'A disk of the server has no free inodes: no further file can be saved',
    'de-DE':
      'Ein Datenträger des Servers hat keine freien Inodes: Weitere Dateien lassen sich nicht speichern',
  },
  fix: {
    de: 'Delete files, or use a file system with more inodes: df -i shows them',
    'de-DE': 'Löschen Sie Dateien, oder verwenden Sie ein Dateisystem mit mehr Inodes: df -i zeigt sie',
  },
}

/** The remedy does not repeat the address: a foreign page chose it, and would get itself trusted. */
const originRefused = (
  { origin, seenAt }: NonNullable<NodeState['refusedOrigin']>,
  publicUrl: string,
): NodeProblem => ({
  id: 'origin',
  level: 'warning',
  what: {
    de: `A page at ${origin} was refused live updates, because PULT_URL is ${publicUrl}. Last seen: ${minuteOf(seenAt)}`,
    'de-DE': `Eine Seite unter ${origin} erhielt keine Live-Aktualisierungen, denn PULT_URL ist ${publicUrl}. Zuletzt gesehen: ${minuteOf(seenAt)}`,
  },
  fix: {
    de: 'If your users open Pult at that address, redirect it to the address in PULT_URL, or set PULT_URL to the address that they type. Otherwise change nothing: any page on the internet can cause such a request',
    'de-DE':
      'Öffnen Ihre Benutzer Pult unter dieser Adresse, leiten Sie sie auf die Adresse aus PULT_URL um, oder setzen Sie PULT_URL auf die Adresse, die Ihre Benutzer eingeben. Sonst ändern Sie nichts: Jede Seite im Internet kann eine solche Anfrage auslösen',
  },
  seenAt,
})

const hopUnreadable = ({ proxy, hop, seenAt }: NonNullable<NodeState['unreadableHop']>): NodeProblem => ({
  id: 'hop',
  level: 'warning',
  what: {
    de: `The trusted proxy ${proxy} sends no readable client address ("${hop}"), so all its users share one limit for sign-ins. Last seen: ${minuteOf(seenAt)}`,
    'de-DE': `Der vertrauenswürdige Proxy ${proxy} sendet keine lesbare Adresse des Clients („${hop}“), daher gelten die Anmeldegrenzen für alle seine Benutzer gemeinsam. Zuletzt gesehen: ${minuteOf(seenAt)}`,
  },
  fix: {
    de: 'Configure this proxy to write the address of its client to X-Forwarded-For: see docs/operations/reverse-proxy.md. Leave TRUSTED_PROXIES as it is',
    'de-DE':
      'Richten Sie diesen Proxy so ein, dass er die Adresse seines Clients in X-Forwarded-For schreibt: siehe docs/operations/reverse-proxy.md. Lassen Sie TRUSTED_PROXIES unverändert',
  },
  seenAt,
})

function clockStepped({ whose, by, seenAt }: ClockStep): NodeProblem {
  const seconds = Math.round(Math.abs(by) / 1000)
  return {
    id: 'clock.step',
    level: 'warning',
    what: {
      de: `The clock of ${whose === 'node' ? 'this node' : 'the database'} moved ${by > 0 ? 'forward' : 'back'} by ${seconds} s. Last seen: ${minuteOf(seenAt)}`,
      'de-DE': `Die Uhr ${whose === 'node' ? 'dieses Knotens' : 'der Datenbank'} wurde um ${seconds} s ${by > 0 ? 'vor' : 'zurück'}gestellt. Zuletzt gesehen: ${minuteOf(seenAt)}`,
    },
    fix: {
      de: 'Check that NTP keeps the clock of this machine, for example with timedatectl. A machine that slept shows the same',
      'de-DE':
        'Prüfen Sie, dass NTP die Uhr dieser Maschine stellt, etwa mit timedatectl. Eine Maschine, die im Ruhezustand war, zeigt dasselbe',
    },
    seenAt,
  }
}

function cleanUpFails({ name, since, seenAt, error }: CleanUpFailure): NodeProblem {
  const { what, fix } = failureOf(error)
  return {
    id: `clean-up.${name}`,
    level: 'warning',
    what: {
      de: `The clean-up ${name} has failed since ${minuteOf(since)}, so expired records remain: ${what.de}`,
      'de-DE': `Das Aufräumen ${name} scheitert seit ${minuteOf(since)}, und abgelaufene Daten bleiben: ${what['de-DE']}`,
    },
    fix,
    seenAt,
  }
}

const twinsFound = ({ label, addresses, seenAt }: FoundTwins): NodeProblem => ({
  id: 'twins',
  level: 'warning',
  what: {
    de: `Two machines with the same hardware ids take turns as the edge ${label}: ${addresses.join(' and ')}`,
    'de-DE': `Zwei Maschinen mit denselben Hardwarekennungen wechseln sich als Edge ${label} ab: ${addresses.join(' und ')}`,
  },
  fix: {
    de: 'Remove the state folder of the agent on the copy, and enrol that machine as another edge',
    'de-DE':
      'Entfernen Sie auf der Kopie den Zustandsordner des Agenten, und nehmen Sie diese Maschine als eigenen Edge auf',
  },
  seenAt,
})

interface ReportedOptions {
  reports: readonly NodeReport[]
  /** The id of the reading node, which knows its own problems better than its row. */
  ownId: string | null
  /** Whether the reader shows this problem as its own. */
  isShown: (problem: NodeProblem) => boolean
}

/**
 * Returns the problems that the rows of the nodes contain, once for all nodes with the same problem, with their names.
 * Problems that requests show concern the installation, so the newest of all nodes represents the others.
 */
export function reportedProblems({ reports, ownId, isShown }: ReportedOptions): NodeProblem[] {
  const all = reports.flatMap(({ id, name, problems }) =>
    problems.map((problem) => ({ problem, name, isOwn: id === ownId })),
  )
  const lasting = all.filter(
    ({ problem, isOwn }) => problem.seenAt === undefined && !isOwn && !isShown(problem),
  )
  const ofNodes = [
    ...Map.groupBy(lasting, ({ problem: { id, what } }) => `${id} ${what.de}`).values(),
  ].flatMap((same) => {
    const names = [...new Set(same.map(({ name }) => name))]
    return same.slice(0, 1).map(({ problem }) => ({
      ...problem,
      // Another id than that of the reader's own problem, which the console may draw from other fields.
      id: `node.${problem.id}`,
      what: named(names, problem.what),
    }))
  })
  const seen = all.flatMap(({ problem }) => (problem.seenAt === undefined ? [] : [problem]))
  const newest = [...Map.groupBy(seen, ({ id }) => id).values()].map((same) =>
    same.reduce((a, b) => ((b.seenAt ?? '') > (a.seenAt ?? '') ? b : a)),
  )
  return [...ofNodes, ...newest]
}

const named = (names: readonly string[], what: Sentence): Sentence => ({
  de: `${names.length === 1 ? 'Node' : 'Nodes'} ${names.join(', ')}: ${what.de}`,
  'de-DE': `Knoten ${names.join(', ')}: ${what['de-DE']}`,
})
