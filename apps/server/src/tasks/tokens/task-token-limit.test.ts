import { taskTokenEndpoints } from '@pult/contract'
import { extensionFolder, inWaves, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'
import { recordLimits } from '#platform/database/record-quota.ts'

const extensionsFolder = await extensionFolder({
  forge: {
    manifest: {
      id: 'forge',
      products: [{ sku: 'forge', label: 'Forge', roles: [] }],
      tasks: [{ kind: 'render', label: 'Render' }],
    },
  },
})
const { given } = await testServer({ extensionsFolder })

test('a project has at most 100 task tokens, exactly under concurrent calls, and a revoked one makes space', async () => {
  const owner = await given.person()
  const { projectId } = await given.project(owner, { products: ['forge'] })
  const params = { projectId }
  const create = () =>
    owner.call(taskTokenEndpoints.create, { params, body: { label: 'render', types: ['forge/*'] } })
  const answers = await inWaves(recordLimits.taskTokensMax + 5, create)
  expect(answers.flatMap(({ code }) => code ?? [])).toEqual(Array.from({ length: 5 }, () => 'PROJECT_FULL'))
  const { items } = (await owner.call(taskTokenEndpoints.list, { params })).body
  expect(items).toHaveLength(recordLimits.taskTokensMax)
  const tokenId = items[0]?._id ?? ''
  expect(await owner.call(taskTokenEndpoints.revoke, { params: { projectId, tokenId } })).toSucceed()
  expect(await create()).toSucceed()
})
