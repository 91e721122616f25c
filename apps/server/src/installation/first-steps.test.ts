import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  edgeEndpoints,
  type FirstSteps,
  organisationEndpoints,
  projectEndpoints,
  rootFirstStepsEndpoints,
  rootPeopleEndpoints,
} from '@pult/contract'
import { openMailbox, testServer } from '@pult/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { makeKey } from '../backup/encryption.ts'
import { createSigner } from '../backup/signer.ts'

test('each first step is derived from a fact, and is undone with it', async () => {
  const server = await testServer()
  const root = await server.given.person({ isRoot: true })
  const read = async () => (await root.call(rootFirstStepsEndpoints.read)).body
  const nothing: FirstSteps = {
    mail: false,
    backups: false,
    secondFactor: null,
    organisation: null,
    project: null,
    edge: null,
    edgeProject: null,
    invited: null,
  }
  expect(await read()).toEqual(nothing)

  const { body: org } = await root.call(organisationEndpoints.create, { body: { label: 'Nordkai' } })
  expect((await read()).organisation).toEqual({ _id: org._id, label: 'Nordkai' })
  expect(await root.call(organisationEndpoints.remove, { params: { orgId: org._id } })).toSucceed()

  // A project with only the default products does not count as the first project.
  await root.call(projectEndpoints.create, { body: { label: 'Bare' } })
  expect((await read()).project).toBeNull()
  const { body: project } = await root.call(projectEndpoints.create, {
    body: { label: 'Hafen', products: ['edges', 'media-library'] },
  })
  expect(await read()).toMatchObject({
    project: { _id: project._id, label: 'Hafen' },
    edgeProject: project._id,
  })

  const params = { projectId: project._id }
  const { body: enrolled } = await root.call(edgeEndpoints.enrol, { params, body: { label: 'Kran 1' } })
  expect((await read()).edge).toBeNull()
  await server.db.updateTable('edge').set({ enrolled_at: new Date() }).execute()
  expect((await read()).edge).toEqual({ _id: enrolled.edge._id, label: 'Kran 1' })
  expect(await root.call(projectEndpoints.remove, { params })).toSucceed()
  expect(await read()).toEqual(nothing)

  const email = 'ines@example.org'
  const { body: sent } = await root.call(rootPeopleEndpoints.invite, { body: { email } })
  server.watchSecret(sent.link?.split('/bift/')[1] ?? '')
  expect((await read()).invited).toBe(email)
  await root.call(rootPeopleEndpoints.revokeInvitation, { params: { invitationId: sent.invitation._id } })
  expect((await read()).invited).toBeNull()
  const { personId } = await server.given.person({ firstname: 'Ines', lastname: 'Ivers' })
  expect((await read()).invited).toBe('Ines Ivers')

  await server.db
    .insertInto('otp')
    .values({ person_id: root.personId, seed: Buffer.from('seed'), enabled_at: new Date() })
    .execute()
  expect((await read()).secondFactor).toBe('otp')
  // Only the caller's own second factor counts.
  await server.db.updateTable('otp').set({ person_id: personId }).execute()
  expect((await read()).secondFactor).toBeNull()
})

test('the first steps include a mail server', async () => {
  const mailbox = await openMailbox()
  const server = await testServer({ settings: { SMTP_URL: mailbox.url } })
  const root = await server.given.person({ isRoot: true })
  expect((await root.call(rootFirstStepsEndpoints.read)).body.mail).toBe(true)
})

test.each([
  ['daily', true],
  ['off', false],
])('the first steps include backups with a place and the schedule %s: %s', async (schedule, isDone) => {
  const folder = await mkdtemp(join(tmpdir(), 'pult-first-steps-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const secret = 'a secret of thirty-two characters'
  const server = await testServer({
    secret,
    settings: {
      BACKUP_FOLDER: folder,
      BACKUP_RECIPIENT: `${(await makeKey()).recipient}.${createSigner(secret).fingerprint}`,
      BACKUP_SCHEDULE: schedule,
      BACKUP_DRILL: 'off',
    },
  })
  const root = await server.given.person({ isRoot: true })
  expect((await root.call(rootFirstStepsEndpoints.read)).body.backups).toBe(isDone)
})

test('ROLE-02 only root may read the first steps', async () => {
  const server = await testServer()
  await server.given.person({ isRoot: true })
  const ada = await server.given.person()
  await server.given.project(ada)
  expect(await ada.call(rootFirstStepsEndpoints.read)).toFailWith('FORBIDDEN')
  expect(await server.call(rootFirstStepsEndpoints.read)).toFailWith('UNAUTHENTICATED')
})
