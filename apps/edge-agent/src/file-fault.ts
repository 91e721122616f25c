import { exitCodes, Failure } from './exit-codes.ts'

/** Causes that only a user can remove. */
const lasting: Record<string, string> = {
  EACCES: 'the user of the agent has no permission',
  EPERM: 'the system does not permit it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  EEXIST: 'something else has its name',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its path is too long',
}

/** Causes that pass by themselves, at least on some machines. */
const passing: Record<string, string> = {
  ENOENT: 'its folder does not exist',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EROFS: 'the disk is read-only',
  EIO: 'the disk has failed',
  EMFILE: 'the agent has too many open files',
}

/**
 * Returns the failure of a file, with the reason in words. A user must act on it, unless its cause may pass without one.
 *
 * @param what The file and the failed step, such as `/etc/x.json cannot be read`.
 */
export function fileFailure(error: unknown, what: string, advice = ''): Failure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = lasting[code] ?? passing[code]
  const message = error instanceof Error ? error.message : String(error)
  const reason = known === undefined ? message : `${known} (${code})`
  // Node's own codes, such as that of an invalid path, contain an underscore.
  const mayPass = /^E[A-Z\d]+$/.test(code) && lasting[code] === undefined
  return new Failure(mayPass ? exitCodes.fault : exitCodes.settings, `${what}: ${reason}${advice}`)
}
