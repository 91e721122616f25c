import './matchers.ts'

export { accessibilityFindings, colorRules } from './accessibility.ts'
export { type Answer, callEndpoint } from './call.ts'
export { startCluster } from './cluster/start-cluster.ts'
export { expectPage } from './expect-page.ts'
export { extensionFolder, type GivenExtension, writeExtension } from './extension-folder.ts'
export { formerPostgres } from './former-postgres.ts'
export { freePort } from './free-port.ts'
export { canaryPassword, type GivenOtp, type GivenPerson } from './given.ts'
export { inWaves } from './in-waves.ts'
export { startLoad } from './load/start-load.ts'
export { type Mailbox, openMailbox, type ReceivedMail } from './mailbox.ts'
export { muteEvents } from './mute-events.ts'
export { onFileEnd } from './on-file-end.ts'
export {
  type ConsoleOptions,
  connectBrowser,
  type OpenedConsole,
  openConsole,
} from './open-console.ts'
export { openS3Server } from './s3/open-s3-server.ts'
export { smallDisk } from './small-disk.ts'
export { createTestDatabase } from './test-database.ts'
export { sized, underLoad } from './test-length.ts'
export { type TestServer, type TestServerOptions, testServer } from './test-server.ts'
export { taskEnd, type UploadedFile, upload } from './uploads.ts'
