/**
 * A security event that is mailed to all verified addresses of a user: a change to how or whether the user can sign
 * in, or a sign of an attack.
 */
export type Notice =
  | { kind: 'password-changed' }
  | { kind: 'password-reset' }
  | { kind: 'password-locked' }
  | { kind: 'second-factor-locked' }
  | { kind: 'otp-enabled' }
  | { kind: 'otp-disabled' }
  | { kind: 'otp-reset' }
  | { kind: 'otp-recovered' }
  | { kind: 'recovery-codes-renewed' }
  | { kind: 'passkey-added'; label: string }
  | { kind: 'passkey-removed'; label: string }
  /** A passkey's counter decreased, so the passkey may have been cloned. */
  | { kind: 'passkey-suspicious'; label: string }
  | { kind: 'email-added'; email: string }
  | { kind: 'email-removed'; email: string }
  | { kind: 'default-email-changed'; email: string }
  | { kind: 'root-granted' }
  | { kind: 'root-withdrawn' }
  | { kind: 'account-disabled' }
  | { kind: 'account-enabled' }
  | { kind: 'account-removed' }
  /** Another account has added the address. Only the address itself receives the notice. */
  | { kind: 'email-claimed'; email: string }
