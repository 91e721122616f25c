/**
 * Limits shared by the server and the console. Lengths of texts are in characters as readers see them (see text.ts),
 * minima and those of passwords in code points, times in milliseconds, sizes in bytes.
 */
export const limits = {
  loginPasswordMin: 3,
  newPasswordMin: 8,
  newPasswordMax: 256,
  /** In UTF-8. The server rejects longer passwords before hashing. */
  passwordMaxBytes: 1024,
  nameMin: 2,
  nameMax: 200,
  /** Days until a task token expires, unless its creator chooses another number. */
  taskTokenDays: 90,
  taskTokenDaysMax: 366,
  /** RFC 5321 4.5.3.1.3: a path is at most 256 octets, angle brackets included. */
  emailMax: 254,
  /** Addresses of one account. */
  emailsMax: 20,
  otpLength: 6,
  recoveryCodes: 10,
  /** Length of pasted recovery codes. */
  recoveryTextMax: 2000,
  passkeyLabelMin: 3,
  passkeyLabelMax: 100,
  /** Passkeys of one account. */
  passkeysMax: 50,
  /** Shortest time between two verification mails to one address. */
  resendLock: 30_000,
  /** Longest age of a sign-in for sensitive actions. */
  recentSignIn: 600_000,
  labelMax: 200,
  /** Length of the message of a request for access. */
  accessMessageMax: 500,
  searchMax: 200,
  /** Long enough for all filters of the audit log, which are sent as one search. */
  auditSearchMax: 500,
  /** Values of one app in a project, and the size of each as JSON. */
  storeKeysMax: 1000,
  storeValueBytes: 32 * 1024,
  /** Length of the text of a note. */
  noteMax: 20_000,
  /** Length of a task's log line, info and error. */
  taskLineMax: 2000,
  /** Newest lines that the log of a task keeps. */
  taskLogLines: 1000,
  /** Lines of the logs of all ended tasks of a project. Beyond that, the logs of the oldest tasks are deleted. */
  projectLogLines: 500_000,
  /** Running tasks of one project. */
  openTasksMax: 1000,
  fileNameMax: 255,
  /** Size of one file. An installation can set a lower limit. */
  fileBytesMax: 16 * 1024 ** 3,
  /** Time from the last received byte of an upload to the expiry of its ticket. */
  uploadTicket: 900_000,
  /** Concurrent uploads of one account. */
  openUploadsMax: 50,
  /** Pixels of one picture. */
  imagePixelsMax: 50_000_000,
  /** Tags of one medium, and characters of a tag. */
  mediaTagsMax: 50,
  mediaTagMax: 50,
  /** Slots for Stream Decks of one account, and decks of one slot. */
  deckSlots: 16,
  decksOfSlot: 16,
  /** Keys of one deck; no model has more. */
  deckKeys: 64,
  deckLabelMax: 40,
  wallpaperTextMax: 200,
  /** Edges of one project, and instances of one edge. */
  edgesMax: 5000,
  edgeInstancesMax: 100,
  /** Tags of one edge, and characters of a tag. */
  edgeTagsMax: 20,
  edgeTagMax: 50,
  /** Groups of edges of one project, and values of one part of their rules. */
  edgeGroupsMax: 50,
  edgeRuleMax: 20,
  /** Enrolment keys of one project, and days until one expires: by default and at most. */
  edgeKeysMax: 50,
  edgeKeyDays: 90,
  edgeKeyDaysMax: 730,
  /** Edges that one call changes. */
  edgesAtOnceMax: 200,
  /** Values that the programs of one edge report at a time, and series of one edge that are kept. */
  edgeValuesMax: 64,
  edgeSeriesMax: 200,
  /** Commands of one edge, parameters of one command, and characters of one value. */
  edgeCommandsMax: 50,
  edgeParametersMax: 20,
  edgeParameterMax: 500,
  /** Longest run of a declared command, in seconds. */
  edgeCommandSecondsMax: 3600,
  /** Unfinished jobs of one project, jobs that it keeps, and edges that one job lists. */
  openEdgeJobsMax: 50,
  edgeJobsKept: 200,
  edgeJobEdgesMax: 1000,
  /** Longest lifetime of a job, in days. */
  edgeJobDaysMax: 90,
  /** Schedules of one project, and runs that each schedule keeps. */
  edgeSchedulesMax: 50,
  edgeRunsKept: 50,
  /** Lifetime of an edge's code. */
  edgeCode: 900_000,
  /** Characters of a deck's picture in base64, so that it fits into a JSON body. */
  deckPictureMax: 60_000,
  /** Pages of a deck at an edge, steps of one key, and characters of a page's label picture in base64. */
  edgeDeckPagesMax: 4,
  edgeDeckStepsMax: 5,
  edgeDeckFaceMax: 36_000,
  /** Lifetime of the result of a download: seven days. */
  downloadLifetime: 604_800_000,
  bootDoneDelay: 100,
  bootLines: 5,
  notificationDuration: 5000,
  /** Duration of a notification with an action. */
  actionNotificationDuration: 12_000,
  jsonBodyBytes: 64 * 1024,
  socketMessageBytes: 16 * 1024,
  socketAuthentication: 5000,
} as const

/** Colour of a project that has not set one. */
export const defaultConsoleColor = '#444'
