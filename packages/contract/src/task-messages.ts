import type { TaskMessage } from './tasks.ts'

/*
 * The messages of the tasks that the server itself runs. The server stores a code with values and the default text; the
 * console makes the text in the language of its user. Only the server and the SDK import this module, so that the
 * login page does not load it.
 *
 * Consoles of other releases read these messages. A changed meaning or a further value needs a new code.
 */

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

/** The default text of each code. The value `reason` is the text of another message, see {@link withReason}. */
export const taskTexts = {
  postponed: () => 'The database or the file store did not answer. The task will start again shortly.',
  'upload-gone': () => 'The file no longer exists',

  'files-exported': ({ count }: { count: number }) => `Exported ${count} files`,
  'export-incomplete': ({ missing }: { missing: number }) =>
    `Incomplete: ${counted(missing, 'file is', 'files are')} missing, see the log`,
  'export-file-missing': ({ path }: { path: string }) => `${path} is missing: the file was not found`,

  imported: (values: {
    media: number
    mediaTotal: number
    grants: number
    grantsTotal: number
    failed: number
  }) => {
    const { media, mediaTotal, grants, grantsTotal, failed } = values
    return [
      `Imported ${media} of ${counted(mediaTotal, 'media file', 'media files')}`,
      ` and ${grants} of ${counted(grantsTotal, 'grant', 'grants')}`,
      ...(failed > 0 ? [`, ${counted(failed, 'picture', 'pictures')} could not be read`] : []),
    ].join('')
  },
  'media-skipped': ({ count }: { count: number }) =>
    `${counted(count, 'media file was', 'media files were')} skipped: importing media requires the role that edits media`,
  'medium-exists': ({ label }: { label: string }) => `${label} already exists`,
  'product-not-installed': ({ sku }: { sku: string }) => `The product ${sku} is not installed here`,
  'grants-skipped': ({ count }: { count: number }) =>
    `${counted(count, 'grant was', 'grants were')} skipped: only root can import grants`,
  'no-account': ({ email }: { email: string }) => `${email} has no account here`,
  'grant-without-role': ({ email, role }: { email: string; role: string }) =>
    `${email}: the role ${role} does not exist`,
  'grant-exists': ({ email }: { email: string }) => `${email} already has a grant`,
  'role-exists': ({ email, role }: { email: string; role: string }) =>
    `${email} already has the role ${role}`,
  'picture-not-read': ({ label, reason }: { label: string; reason: string }) => `${label}: ${reason}`,

  'not-an-export': ({ reason }: { reason: string }) => `This is not a project export: ${reason}`,
  'export-newer': () => 'it was created by a newer version',
  'manifest-repeats': () => 'the manifest lists an entry twice',
  'entry-not-listed': ({ path }: { path: string }) => `the manifest does not list “${path}”`,
  'entry-missing-or-changed': ({ path }: { path: string }) => `“${path}” is missing or was changed`,
  'entry-changed': ({ path }: { path: string }) => `“${path}” was changed`,
  'entry-missing': ({ path }: { path: string }) => `“${path}” is missing`,
  'entry-not-media': ({ path }: { path: string }) => `“${path}” is not a picture, video or sound`,
  'entry-not-described': ({ list, path }: { list: string; path: string }) =>
    `“${list}” does not describe “${path}”`,
  'entry-too-large': ({ path }: { path: string }) => `“${path}” is too large`,
  'entry-not-valid': ({ path, fault }: { path: string; fault: string }) => `“${path}” is invalid: ${fault}`,
  'entry-not-json': ({ path }: { path: string }) => `“${path}” is not valid JSON`,
  'entry-not-known': ({ path }: { path: string }) => `“${path}” is not a known entry`,
  'entry-repeated': ({ path }: { path: string }) => `“${path}” occurs twice`,
  'entry-encrypted': ({ path }: { path: string }) => `“${path}” is encrypted`,
  'entry-is-link': ({ path }: { path: string }) => `“${path}” is a link`,
  'entry-compression': ({ path }: { path: string }) => `“${path}” has an unknown compression method`,
  'entries-too-many': ({ most }: { most: number }) => `it has more than ${most} entries`,
  'entries-overlap': () => 'its entries overlap',
  'zip-too-large': () => 'its unpacked size is too large',
  /** `fault` is in English. */
  'zip-damaged': ({ fault }: { fault: string }) => fault,

  'people-invited': ({ invited, present, refused }: { invited: number; present: number; refused: number }) =>
    `${invited} invited, ${present} already ${present === 1 ? 'a member' : 'members'}, ${refused} rejected`,
  'list-line': ({ line, email, reason }: { line: number; email: string; reason: string }) =>
    `Line ${line}: ${email}: ${reason}`,
  'invited-as': ({ role }: { role: string }) => `invited as ${role}`,
  'invited-already': () => 'already invited',
  'role-not-in-project': ({ role }: { role: string }) => `This project has no role “${role}”`,
  'list-empty': () => 'The file contains no people',
  'list-too-long': ({ most }: { most: number }) => `The file has more than ${most} lines`,
  'list-not-csv': () => 'This is not a valid CSV file: its quotation marks do not match',
  'list-columns': () => 'The first line must name the columns email and productRole once each',

  'formats-made': () => 'All formats are there',
  'picture-unconverted': () => 'The picture could not be converted. It is shown as it was uploaded',
  'picture-deleted': () => 'The picture was deleted in the meantime',
  'picture-broken': () => 'The picture is broken. It stays as it was uploaded',
  'picture-too-slow': () => 'The picture takes too long to be read. It stays as it was uploaded',

  'agent-restarts': () => 'The agent is restarting. Waiting until it reconnects.',
  'agent-reconnected': () => 'The agent has reconnected.',
  'agent-restarted': () => 'The agent has restarted.',
  'agent-updated': () => 'The agent is up to date.',
  'agent-not-updated': ({ version }: { version: string }) =>
    `The update failed. The agent still runs version ${version}`,

  /** A refusal that calls share with tasks: the server has its sentence in every language. */
  refusal: ({ de }: { de: string; 'de-DE': string }) => de,
}

export type TaskTexts = typeof taskTexts
type TaskMessageCode = keyof TaskTexts

/** The values of a code; none for a text without values. */
type ValuesOf<Code extends TaskMessageCode> = Parameters<TaskTexts[Code]>

const isTaskMessageCode = (code: string): code is TaskMessageCode => Object.hasOwn(taskTexts, code)

export const taskMessageOf = <Code extends TaskMessageCode>(
  code: Code,
  ...[values]: ValuesOf<Code>
): TaskMessage => ({ code, values: values ?? {} })

/** Returns a message that contains the text of another one. The two have different names of values. */
export const withReason = <Code extends TaskMessageCode>(
  code: Code,
  values: Omit<NonNullable<ValuesOf<Code>[0]>, 'reason'>,
  reason: TaskMessage,
): TaskMessage => ({ code, values: { ...reason.values, ...values, reason: reason.code } })

/**
 * Returns the text of a message in a catalogue. Returns undefined if the catalogue lacks its code or that of its
 * reason, because the message comes from a server of another release.
 */
export function textOfTaskMessage(
  { code, values: { reason, ...values } }: TaskMessage,
  texts: TaskTexts = taskTexts,
): string | undefined {
  if (!isTaskMessageCode(code)) return undefined
  const text = texts[code] as (values: TaskMessage['values']) => string
  if (reason === undefined) return text(values)
  const reasonText = textOfTaskMessage({ code: String(reason), values }, texts)
  return reasonText === undefined ? undefined : text({ ...values, reason: reasonText })
}
