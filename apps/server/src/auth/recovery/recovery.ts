import type { WindowPolicy } from '../attempts.ts'

/** Seconds that the links of a reset and of a recovery live. */
export const linkLifetime = 30 * 60

/**
 * Mails to one account. The window is as long as a link lives: whoever is refused because somebody else has asked too
 * often finds a link in the mail box that still works.
 */
export const resetPolicy: WindowPolicy = { kind: 'reset', most: 5, seconds: linkLifetime }
export const otpRecoveryPolicy: WindowPolicy = { kind: 'otp-recovery', most: 5, seconds: linkLifetime }

/** Calls that one network may make for either: enough for an office on a Monday morning. */
export const recoveryNetworkPolicy: WindowPolicy = { kind: 'recovery-network', most: 60, seconds: 600 }
