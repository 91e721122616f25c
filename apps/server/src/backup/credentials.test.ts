import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import {
  type BodyOf,
  edgeEndpoints,
  edgeEnrolmentEndpoints,
  fileEndpoints,
  loginEndpoints,
  meEndpoints,
  passkeyLoginEndpoints,
  sessionEndpoints,
  taskDriverEndpoints,
  taskTokenEndpoints,
  tokenLinkEndpoints,
} from '@pult/contract'
import { createTestDatabase, extensionFolder, testServer } from '@pult/testkit'
import { afterAll, expect, test } from 'vitest'
import { createDiskFiles } from '#platform/files/disk-files.ts'
import { registerPasskey } from '../auth/passkey-login/testing/register-passkey.ts'
import {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '../auth/passkey-login/testing/software-authenticator.ts'
import { connectAgent } from '../edges/testing/virtual-agent.ts'
import { linkCalls } from '../token-links/testing/link-calls.ts'
import { copyInstallation } from './testing/copy-installation.ts'

const extensionsFolder = await extensionFolder({
  forge: {
    manifest: {
      id: 'forge',
      products: [{ sku: 'forge', label: 'Forge', roles: [] }],
      tasks: [{ kind: 'render', label: 'Render' }],
    },
  },
})
const server = await testServer({ extensionsFolder })
const { given, db } = server
const links = linkCalls(server)
const folder = await mkdtemp(join(tmpdir(), 'pult-credentials-'))
const testDatabase = await createTestDatabase()
afterAll(async () => {
  await testDatabase.drop()
  await rm(folder, { recursive: true })
})

/** Another server with the backup of the first one in its own database and folder. */
async function restoredServer() {
  const dataFolder = join(folder, 'restored')
  const driverIn = (path: string) => createDiskFiles(join(path, 'files'))
  await copyInstallation(
    { ...server, connection: server.testDatabase.connection, driver: driverIn(server.dataFolder) },
    { connection: testDatabase.connection, driver: driverIn(dataFolder), dataFolder },
    join(folder, 'backups'),
  )
  return testServer({
    besides: { testDatabase, secret: server.secret, dataFolder },
    config: { publicUrl: server.url },
    extensionsFolder,
  })
}

function callsOf(on: typeof server) {
  async function login(body: BodyOf<typeof loginEndpoints.login>) {
    const answer = await on.call(loginEndpoints.login, { body })
    for (const secret of [answer.body.token, answer.body.voucher])
      if (secret !== undefined) server.watchSecret(secret)
    return answer
  }
  return {
    login,
    enterPassword: ({ email, password }: { email: string; password: string }) =>
      login({ type: 'credentials', data: { username: email, password } }),
    enterCode: (voucher: string, otp: string) => login({ type: 'otp', data: { voucher, otp } }),
    async byPasskey(authenticator: SoftwareAuthenticator, counter: number): Promise<boolean> {
      const { userToken, options } = (await on.call(passkeyLoginEndpoints.options, { body: {} })).body
      const result = authenticator.assert(options, { counter })
      return (await on.call(passkeyLoginEndpoints.verify, { body: { userToken, result } })).body.verified
    },
    readMe: (token: string) => on.call(meEndpoints.read, {}, token),
    redeem: (token: string, body: object) => on.call(tokenLinkEndpoints.redeem, { params: { token }, body }),
    startTask: (projectId: string, token: string) =>
      on.call(
        taskDriverEndpoints.create,
        { params: { projectId }, body: { type: 'forge/render', title: 'Render' } },
        token,
      ),
    async closeCodeOf(token: string): Promise<number | 'welcome'> {
      const agent = await connectAgent(on.url, { token })
      const welcomed = new Promise<'welcome'>((resolve) => agent.ws.once('message', () => resolve('welcome')))
      const answer = await Promise.race([agent.closed, welcomed])
      agent.ws.terminate()
      return answer
    },
  }
}

test('RULE-77 after a restore every session, passkey, code, link and token is as valid or as spent as before', async () => {
  const before = callsOf(server)
  const ada = await given.person({ otp: true })
  const ended = await ada.openSession()
  await server.call(sessionEndpoints.logout, {}, ended)

  const authenticator = createSoftwareAuthenticator({ origin: server.url })
  await registerPasskey(ada, authenticator)
  expect(await before.byPasskey(authenticator, 7)).toBe(true)

  const [first, second] = [await before.enterPassword(ada), await before.enterPassword(ada)]
  const usedCode = ada.otp.code()
  expect(await before.enterCode(first.body.voucher ?? '', usedCode)).toSucceed()

  const locked = await given.person({ otp: true })
  await db
    .insertInto('attempt')
    .values({ key: `second-factor:${locked.personId}`, failures: 100 })
    .execute()

  const bob = await given.person({ otp: true })
  const newPassword = { password: 'a moth in relay 70' }
  const spentLink = await links.issue('user:reset-password', bob)
  expect(await before.redeem(spentLink, newPassword)).toSucceed()
  const spentRecovery = await links.issue('user:otp-recovery', bob)
  const renewed = await before.redeem(spentRecovery, { codes: bob.otp.recoveryCodes[0] })
  expect(renewed).toSucceed()
  for (const secret of [renewed.body.otpAuthUrl, ...(renewed.body.recoveryCodes ?? [])])
    server.watchSecret(secret ?? '')
  const openRecovery = await links.issue('user:otp-recovery', bob)
  const openLink = await links.issue('user:reset-password', locked)

  const { projectId } = await given.project(ada, { products: ['project', 'forge', 'edges'] })
  const newToken = async (label: string) => {
    const body = { label, types: ['forge/*'] }
    const answer = await ada.call(taskTokenEndpoints.create, { params: { projectId }, body })
    server.watchSecret(answer.body.token)
    return answer.body
  }
  const [taskToken, revokedToken] = [await newToken('farm'), await newToken('former farm')]
  const revokedId = { projectId, tokenId: revokedToken._id }
  expect(await ada.call(taskTokenEndpoints.revoke, { params: revokedId, body: {} })).toSucceed()

  const enrol = async () => {
    const { body } = await ada.call(edgeEndpoints.enrol, { params: { projectId }, body: { label: 'Crane' } })
    const redeemed = await server.call(edgeEnrolmentEndpoints.redeem, { body: { code: body.code } })
    for (const secret of [body.code, redeemed.body.token]) server.watchSecret(secret)
    return { params: { projectId, edgeId: body.edge._id }, token: redeemed.body.token }
  }
  const [edge, revokedEdge] = [await enrol(), await enrol()]
  expect(await ada.call(edgeEndpoints.revoke, { params: revokedEdge.params, body: {} })).toSucceed()

  const file = await server.app.files.keep(
    {
      projectId,
      personId: null,
      readers: 'project',
      name: 'plan.txt',
      contentType: 'text/plain',
      lifetime: 3_600_000,
    },
    Readable.from([Buffer.from('the plan')]),
  )
  const signed = (await ada.call(fileEndpoints.link, { params: { fileId: file.id } })).body.url

  const restored = await restoredServer()
  const after = callsOf(restored)
  expect((await after.readMe(ada.token)).body._id).toBe(ada.personId)
  expect(await after.readMe(ended)).toFailWith('UNAUTHENTICATED')

  expect(await after.byPasskey(authenticator, 7)).toBe(false)
  expect(await after.byPasskey(authenticator, 8)).toBe(true)

  expect(await after.enterCode(first.body.voucher ?? '', ada.otp.code(1))).toFailWith('VOUCHER_NOT_VALID')
  expect(await after.enterCode(second.body.voucher ?? '', usedCode)).toFailWith('INVALID_OTP')
  expect(await after.enterCode(second.body.voucher ?? '', ada.otp.code(1))).toSucceed()
  const lockedVoucher = (await after.enterPassword(locked)).body.voucher ?? ''
  expect(await after.enterCode(lockedVoucher, locked.otp.code())).toFailWith('SECOND_FACTOR_LOCKED')

  expect(await after.redeem(spentLink, newPassword)).toFailWith('LINK_NOT_VALID')
  expect(await after.redeem(openRecovery, { codes: bob.otp.recoveryCodes[1] })).toFailWith(
    'RECOVERY_CODE_NOT_VALID',
  )
  expect(await after.redeem(openRecovery, { codes: renewed.body.recoveryCodes?.[0] })).toSucceed()
  expect(await after.redeem(openLink, { password: 'another moth in relay 71' })).toSucceed()

  expect(await after.startTask(projectId, taskToken.token)).toSucceed()
  expect(await after.startTask(projectId, revokedToken.token)).toFailWith('UNAUTHENTICATED')

  expect(await after.closeCodeOf(edge.token)).toBe('welcome')
  expect(await after.closeCodeOf(revokedEdge.token)).toBe(4401)

  const answer = await fetch(new URL(signed, restored.url))
  expect([answer.status, await answer.text()]).toEqual([200, 'the plan'])
  const forged = signed.replace(/until=\d/, 'until=9')
  expect((await fetch(new URL(forged, restored.url))).status).toBe(404)
})
