import './matchers.ts'

export { type Answer, callEndpoint } from './call.ts'
export { expectPage } from './expect-page.ts'
export { canaryPassword, type GivenOtp, type GivenPerson } from './given.ts'
export { inWaves } from './in-waves.ts'
export { type Mailbox, openMailbox, type ReceivedMail } from './mailbox.ts'
export { type ConsoleOptions, type OpenedConsole, openConsole } from './open-console.ts'
export { type TestServer, type TestServerOptions, testServer } from './test-server.ts'
