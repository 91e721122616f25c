/** Constants that the server and the console must agree on. Lengths count code points, times are milliseconds. */
export const limits = {
  loginPasswordMin: 3,
  newPasswordMin: 8,
  newPasswordMax: 256,
  /** Longer than that in UTF-8 is refused before anything is hashed. */
  passwordMaxBytes: 1024,
  nameMin: 2,
  nameMax: 200,
  /** RFC 5321 4.5.3.1.3: a path is at most 256 octets, angle brackets included. */
  emailMax: 254,
  /** Addresses of one person. */
  emailsMax: 20,
  otpLength: 6,
  recoveryCodes: 10,
  /** What somebody may paste where recovery codes are asked for. */
  recoveryTextMax: 2000,
  passkeyLabelMin: 3,
  passkeyLabelMax: 100,
  /** Passkeys of one person. */
  passkeysMax: 50,
  /** From a verification mail to the next one to the same address. */
  resendLock: 30_000,
  /** How old a sign-in may be for changes to how one signs in. */
  recentSignIn: 600_000,
  labelMax: 200,
  searchMax: 200,
  /** Values that an app may keep in a project, and how large each may be as JSON. */
  storeKeysMax: 1000,
  storeValueBytes: 32 * 1024,
  /** Of a note's text. */
  noteMax: 20_000,
  bootDoneDelay: 100,
  bootLines: 5,
  notificationDuration: 5000,
  jsonBodyBytes: 64 * 1024,
  socketMessageBytes: 16 * 1024,
  socketAuthentication: 5000,
} as const

/** Shown until a project sets its own. */
export const defaultConsoleColor = '#444'
