/**
 * What every verified address of a person is told: a change to how they sign in or whether they may, or a sign that
 * somebody tries to.
 */
export type Notice =
  | { kind: 'password-changed' }
  | { kind: 'password-reset' }
  | { kind: 'password-locked' }
  | { kind: 'otp-enabled' }
  | { kind: 'otp-disabled' }
  | { kind: 'otp-reset' }
  | { kind: 'otp-recovered' }
  | { kind: 'recovery-codes-renewed' }
  | { kind: 'passkey-added'; label: string }
  | { kind: 'passkey-removed'; label: string }
  /** A passkey's counter went back: it may have been copied. */
  | { kind: 'passkey-suspicious'; label: string }
  | { kind: 'email-added'; email: string }
  | { kind: 'email-removed'; email: string }
  | { kind: 'default-email-changed'; email: string }
  | { kind: 'root-granted' }
  | { kind: 'root-withdrawn' }
  | { kind: 'account-disabled' }
  | { kind: 'account-enabled' }
  | { kind: 'account-removed' }
  /** Somebody has added the address to another account; only the address itself is told. */
  | { kind: 'email-claimed'; email: string }
