/** Constants that the server and the console must agree on. Lengths count code points, times are milliseconds. */
export const limits = {
  loginPasswordMin: 3,
  newPasswordMin: 8,
  newPasswordMax: 256,
  /** Maximum in UTF-8. The server rejects longer passwords before it hashes them. */
  passwordMaxBytes: 1024,
  nameMin: 2,
  nameMax: 200,
  /** Days until a task token expires, unless its creator chooses another number. */
  taskTokenDays: 90,
  taskTokenDaysMax: 366,
  /** RFC 5321 4.5.3.1.3: a path is at most 256 octets, angle brackets included. */
  emailMax: 254,
  /** Addresses of one person. */
  emailsMax: 20,
  otpLength: 6,
  recoveryCodes: 10,
  /** Maximum length of pasted recovery codes. */
  recoveryTextMax: 2000,
  passkeyLabelMin: 3,
  passkeyLabelMax: 100,
  /** Passkeys of one person. */
  passkeysMax: 50,
  /** From a verification mail to the next one to the same address. */
  resendLock: 30_000,
  /** Maximum age of a sign-in for changes to sign-in methods. */
  recentSignIn: 600_000,
  labelMax: 200,
  /** Length of the message of a request for access. */
  accessMessageMax: 500,
  searchMax: 200,
  /** The audit log's filters are sent as one search, and all of them fit. */
  auditSearchMax: 500,
  /** Number of values of an app in a project, and the size of each as JSON. */
  storeKeysMax: 1000,
  storeValueBytes: 32 * 1024,
  /** Length of a note's text. */
  noteMax: 20_000,
  /** Length of a line in a task's log, of its info and of its error. */
  taskLineMax: 2000,
  /** Number of lines that a task's log keeps: the newest ones. */
  taskLogLines: 1000,
  /** Number of running tasks of one project. */
  openTasksMax: 1000,
  fileNameMax: 255,
  /** Size of one file; an installation may allow less. */
  fileBytesMax: 16 * 1024 ** 3,
  /** From the ticket to the last byte. */
  uploadTicket: 900_000,
  /** Concurrent uploads of one person. */
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
  /** Tags of one edge, and characters of a tag. */
  edgeTagsMax: 20,
  edgeTagMax: 50,
  /** Groups of edges of one project, and values of one part of their rules. */
  edgeGroupsMax: 50,
  edgeRuleMax: 20,
  /** Enrolment keys of one project, and days until the latest expiry. */
  edgeKeysMax: 50,
  edgeKeyDaysMax: 730,
  /** Edges that one call changes. */
  edgesAtOnceMax: 200,
  /** Values that programs of one edge report at the same time, and all of its values that are ever kept. */
  edgeValuesMax: 64,
  edgeSeriesMax: 200,
  /** Commands that one edge declares, their parameters, and characters of a value. */
  edgeCommandsMax: 50,
  edgeParametersMax: 20,
  edgeParameterMax: 500,
  /** Seconds that a declared command may run. */
  edgeCommandSecondsMax: 3600,
  /** Unfinished jobs of one project, jobs that it keeps, and edges that a job names one by one. */
  openEdgeJobsMax: 50,
  edgeJobsKept: 200,
  edgeJobEdgesMax: 1000,
  /** Days that a job waits for absent edges. */
  edgeJobDaysMax: 90,
  /** Schedules of one project, and runs that each keeps. */
  edgeSchedulesMax: 50,
  edgeRunsKept: 50,
  /** From the making of an edge's code to its use. */
  edgeCode: 900_000,
  /** Characters of a deck's picture in base64, below those of a JSON body. */
  deckPictureMax: 60_000,
  /** Pages of a deck at an edge, steps of one of its keys, and characters of the labels of a page in base64. */
  edgeDeckPagesMax: 4,
  edgeDeckStepsMax: 5,
  edgeDeckFaceMax: 36_000,
  /** Results of downloads are there for seven days. */
  downloadLifetime: 604_800_000,
  bootDoneDelay: 100,
  bootLines: 5,
  notificationDuration: 5000,
  /** A notification with an action. */
  actionNotificationDuration: 12_000,
  jsonBodyBytes: 64 * 1024,
  socketMessageBytes: 16 * 1024,
  socketAuthentication: 5000,
} as const

/** Shown until a project sets its own. */
export const defaultConsoleColor = '#444'
