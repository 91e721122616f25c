import type { WindowPolicy } from '../attempts.ts'

/** Lifetime of reset and recovery links in seconds. */
export const linkLifetime = 30 * 60

/**
 * Limits of mails to one account. The window equals the lifetime of a link: if a stranger has used up the limit, the
 * mailbox still holds a valid link.
 */
export const resetPolicy: WindowPolicy = { kind: 'reset', most: 5, seconds: linkLifetime }
export const otpRecoveryPolicy: WindowPolicy = { kind: 'otp-recovery', most: 5, seconds: linkLifetime }

/** Calls of one network, or of all known browsers of one account: enough for an office on a Monday morning. */
export const recoveryNetworkPolicy: WindowPolicy = { kind: 'recovery-network', most: 60, seconds: 600 }
