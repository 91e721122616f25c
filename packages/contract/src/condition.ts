import * as z from 'zod/mini'
import { id, instant } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { build } from './system.ts'

/** The occasion of a mail. */
const mailKind = z.enum([
  'invitation',
  'address-confirmation',
  'password-reset',
  'second-factor-recovery',
  'account-notice',
  'edges-offline',
  'access-request',
  'backup-failed',
  'test',
])
export type MailKind = z.infer<typeof mailKind>

const count = z.number()
const bytes = z.number()

const database = z.object({
  /** Version of PostgreSQL, for example `18.1`. */
  version: z.string(),
  /** True for a database that this server starts, false for the one in DATABASE_URL. */
  isEmbedded: z.boolean(),
  size: bytes,
  connections: count,
  connectionsMax: count,
  /** Duration of an empty statement in milliseconds, including the wait for a connection. */
  answersIn: z.number(),
})

const files = z.object({
  store: z.enum(['folder', 's3']),
  size: bytes,
  /** Free bytes on the disk of the folder; null for a bucket. */
  free: z.nullable(bytes),
  /** The limit of the installation, FILE_TOTAL or its default; null without a limit. */
  limit: z.nullable(bytes),
  /** The five projects with the largest files. */
  byProject: z.array(z.object({ _id: id, label: z.string(), size: bytes })),
})

const mail = z.object({
  /** Host and port of the SMTP server; null when mails are written to a folder of the server. */
  server: z.nullable(z.string()),
  lastSent: z.nullable(z.object({ at: instant, kind: z.nullable(mailKind) })),
  waiting: count,
  /**
   * Why the oldest waiting mail has not been accepted yet: the codes of its last attempt, the command and the reply,
   * at most 400 characters in one line. A mail that the recipient's server defers counts after an hour.
   */
  trouble: z.nullable(z.object({ since: instant, error: z.string() })),
  /** Mails whose delivery was aborted within seven days. */
  failed: count,
  /** The newest of them that no recipient's server rejected, and its last fault. Older servers omit it. */
  expired: z.optional(z.nullable(z.object({ at: instant, error: z.string() }))),
  /** Addresses that a mail server rejected permanently within seven days; the newest five by name. */
  refused: z.object({
    total: count,
    addresses: z.array(
      z.object({
        email: z.string(),
        at: instant,
        /** The codes, the command and the reply, such as `EENVELOPE RCPT TO: 550 5.1.1 No such user`. */
        answer: z.string(),
      }),
    ),
  }),
})

const signIn = z.object({
  /** All accounts, including disabled ones. */
  accounts: count,
  /** Accounts that can sign in, by their strongest method. */
  withPasskey: count,
  withOneTimeCode: count,
  withPasswordAlone: count,
  /** Accounts with an open session, and their open sessions. */
  people: count,
  sessions: count,
  /** Failed sign-ins of the last 24 hours. */
  refused: count,
  invitations: z.object({ open: count, expiringToday: count }),
  /** Root accounts that sign in with a password alone; the first five by name. */
  rootsAtRisk: z.object({ total: count, people: z.array(z.object({ _id: id, name: z.string() })) }),
})

const node = z.object({
  _id: id,
  /** The host name. */
  name: z.string(),
  version: z.string(),
  startedAt: instant,
  seenAt: instant,
  /** Whether its last heartbeat is recent. */
  isAlive: z.boolean(),
  /** Open sockets of consoles, and connected edges. */
  sockets: count,
  edges: count,
  memory: bytes,
})

const jobs = z.object({
  /** Background jobs of the server, such as mails and clean-up. */
  waiting: count,
  running: count,
  /** Failed within 24 hours. */
  failed: count,
  /** Since when the oldest due job has been due. */
  oldest: z.nullable(instant),
  tasks: z.object({ waiting: count, running: count, failed: count }),
})

const extensions = z.object({
  enabled: count,
  disabled: count,
  inTrouble: z.array(z.object({ id: z.string(), label: z.string(), problem: z.string() })),
})

/** Parts that the server could not read are null. */
const condition = z.object({
  /** When the parts that are expensive to measure were measured. */
  checkedAt: instant,
  database: z.nullable(database),
  files: z.nullable(files),
  mail: z.nullable(mail),
  signIn: z.nullable(signIn),
  nodes: z.nullable(z.array(node)),
  jobs: z.nullable(jobs),
  extensions: z.nullable(extensions),
  /**
   * A proxy on this network that forwards requests and is not in TRUSTED_PROXIES, so that all clients behind it share
   * one rate limit. Each node reports the latest such proxy; the newest of these reports is returned.
   */
  untrustedProxy: z.nullable(z.object({ address: z.string(), seenAt: instant })),
  /** The address of the original if this is a restored copy that root has not put into service; otherwise null. */
  copyOf: z.optional(z.nullable(z.string())),
  /**
   * Failed checks, failures before warnings, in the caller's language. `pult doctor` prints the same list. Ids that begin
   * with `node.` are problems that other nodes report.
   */
  checks: z.array(
    z.object({ id: z.string(), level: z.enum(['danger', 'warning']), what: z.string(), fix: z.string() }),
  ),
})
export type Condition = z.infer<typeof condition>

/** Facts for support, without secrets and without names of people, projects and hosts. */
const diagnostics = z.object({
  createdAt: instant,
  /** When the sizes were measured. */
  checkedAt: instant,
  build,
  machine: z.object({
    /** The version of Node.js. */
    node: z.string(),
    platform: z.string(),
    architecture: z.string(),
    processors: count,
    memory: bytes,
  }),
  /** Values of limits and switches by name of the setting; for all other settings only whether they are set. */
  settings: z.record(z.string(), z.nullable(z.union([z.string(), z.number(), z.boolean()]))),
  checks: z.array(z.object({ id: z.string(), level: z.enum(['danger', 'warning']) })),
  database: z.nullable(
    z.object({
      ...database.shape,
      /** The newest applied migration. */
      migration: z.string(),
      /** The largest tables with their estimated number of rows. */
      tables: z.array(z.object({ name: z.string(), rows: count, size: bytes })),
    }),
  ),
  files: z.nullable(
    z.object({
      ...z.omit(files, { byProject: true }).shape,
      /** Bytes of the projects with the largest files. */
      largest: z.array(bytes),
    }),
  ),
  mail: z.nullable(
    z.object({
      isSetUp: z.boolean(),
      ...z.pick(mail, { lastSent: true, waiting: true, failed: true }).shape,
      refused: count,
      isStuck: z.boolean(),
    }),
  ),
  signIn: z.nullable(z.object({ ...signIn.shape, rootsAtRisk: count })),
  nodes: z.nullable(z.array(z.omit(node, { name: true }))),
  jobs: z.nullable(jobs),
  extensions: z.nullable(
    z.object({
      enabled: count,
      disabled: count,
      inTrouble: z.array(z.object({ id: z.string(), problem: z.string() })),
    }),
  ),
})
export type Diagnostics = z.infer<typeof diagnostics>

export const conditionEndpoints = {
  read: endpoint('GET', '/apps/root/condition', {
    summary: 'Returns the condition of the installation, for root.',
    reply: condition,
    errors: ['UNAUTHENTICATED', 'FORBIDDEN'],
  }),
  diagnostics: endpoint('GET', '/apps/root/condition/diagnostics', {
    summary: 'Returns facts for support, without secrets and without names of people, projects and hosts.',
    reply: diagnostics,
    errors: ['UNAUTHENTICATED', 'FORBIDDEN'],
  }),
  putIntoService: endpoint('POST', '/apps/root/condition/put-into-service', {
    summary:
      'Puts a restored copy into service: it sends mails, admits agents, and runs schedules and backups from now on; no effect on an installation in service.',
    reply: z.literal(true),
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'RECENT_SIGN_IN_NEEDED'],
  }),
  testMail: endpoint('POST', '/apps/root/condition/test-mail', {
    summary:
      'Sends a mail to a confirmed address of the caller immediately and returns the reply of the mail server.',
    reply: z.object({
      isSent: z.boolean(),
      to: z.string(),
      /** Reply of the SMTP server, or the error's code; null for a mail that was written to the folder. */
      answer: z.nullable(z.string()),
      /** What to change after a failure, in the language of the caller. Older servers omit it. */
      remedy: z.optional(z.string()),
      /** Milliseconds until the mail server answered, or until the failure. */
      answeredIn: z.number(),
    }),
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'EMAIL_NOT_VERIFIED'],
  }),
}
