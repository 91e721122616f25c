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
  /** Of a line that a task logs, of its info and of its error. */
  taskLineMax: 2000,
  /** Lines of a task's log that are kept: the last ones. */
  taskLogLines: 1000,
  /** Tasks of one project that go on at once. */
  openTasksMax: 1000,
  fileNameMax: 255,
  /** Of one file; an installation may allow less. */
  fileBytesMax: 16 * 1024 ** 3,
  /** From the ticket to the last byte. */
  uploadTicket: 900_000,
  /** Files of one person that are on their way at once. */
  openUploadsMax: 50,
  /** Pixels of a picture. */
  imagePixelsMax: 50_000_000,
  mediaTagsMax: 50,
  /** Places for Stream Decks of one person, and how many decks a place has. */
  deckSlots: 16,
  decksOfSlot: 16,
  /** More than any deck has. */
  deckKeys: 64,
  deckLabelMax: 40,
  wallpaperTextMax: 200,
  /** Edges of one project, and instances of one edge. */
  edgesMax: 5000,
  edgeInstancesMax: 100,
  /** From the making of an edge's code to its use. */
  edgeCode: 900_000,
  /** Characters of a deck's picture in base64, below those of a JSON body. */
  deckPictureMax: 60_000,
  /** Results of downloads are there for seven days. */
  downloadLifetime: 604_800_000,
  bootDoneDelay: 100,
  bootLines: 5,
  notificationDuration: 5000,
  jsonBodyBytes: 64 * 1024,
  socketMessageBytes: 16 * 1024,
  socketAuthentication: 5000,
} as const

/** Shown until a project sets its own. */
export const defaultConsoleColor = '#444'
