import { type BodyOf, limits, type ReplyOf, type TaskToken, type taskTokenEndpoints } from '@pult/contract'
import type { Kysely } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import { createOnce } from '#platform/database/idempotency.ts'
import { hasRecords, lockRecords, recordLimits } from '#platform/database/record-quota.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import { hashToken, newToken } from '#platform/secrets.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import type { ProductRegistry } from '../../extensions/manifests/product-registry.ts'
import type { ProjectService } from '../../projects/project.service.ts'
import { createTaskTokenRepository, type TokenHolder } from './task-token.repository.ts'
import { isOfTypes } from './task-types.ts'

interface TaskTokenServiceParts {
  db: Kysely<Database>
  audit: AuditService
  projects: Pick<ProjectService, 'read'>
  products: Pick<ProductRegistry, 'taskTypesOf'>
}

/** Distinguishes a task token from a session token; it opens no session. */
const prefix = 'pult-task-'

/** Tokens with which services drive tasks of a project. The routes check that the caller may edit it. */
export function createTaskTokenService({ db, audit, projects, products }: TaskTokenServiceParts) {
  const tokens = createTaskTokenRepository(db)

  return {
    /** Lists the tokens, and the task kinds for which tokens can be created. */
    async list(caller: Caller, projectId: string): Promise<{ items: TaskToken[]; types: string[] }> {
      const project = await projects.read(caller, projectId)
      return { items: await tokens.list(projectId), types: products.taskTypesOf(project.products) }
    },

    /** Creates a token for task kinds that the project's extensions currently define. */
    async create(
      { caller, address }: { caller: Caller; address: string },
      projectId: string,
      { label, types, days = limits.taskTokenDays }: BodyOf<typeof taskTokenEndpoints.create>,
      idempotencyKey: string | undefined,
    ): Promise<ReplyOf<typeof taskTokenEndpoints.create>> {
      const project = await projects.read(caller, projectId)
      const known = products.taskTypesOf(project.products)
      if (!types.every((type) => known.some((one) => isOfTypes(one, [type]))))
        throw new AppError('UNKNOWN_TASK_TYPE')
      const token = prefix + newToken()
      const chosen = [...new Set(types)]
      return db.transaction().execute(async (trx) => {
        const within = createTaskTokenRepository(trx)
        await lockRecords(trx, 'task_token', projectId)
        const tokenHash = hashToken(token)
        const { personId: createdBy } = caller
        const path = `/v2/projects/${projectId}/ltt/tokens`
        const key = { personId: createdBy, path, key: idempotencyKey, body: { label, types, days } }
        const { id, isNew } = await createOnce(trx, key, async () => {
          if (await hasRecords(trx, 'task_token', projectId, recordLimits.taskTokensMax))
            throw new AppError('PROJECT_FULL', full)
          const added = await within.add({ projectId, label, types: chosen, tokenHash, createdBy, days })
          if (added === undefined) throw new AppError('NOT_FOUND')
          return added
        })
        // The server stores only the hash of a token, so a repeated call replaces a token that its client never received.
        if (!isNew) await within.setHash(projectId, id, tokenHash)
        const made = (await within.list(projectId)).find(({ _id }) => _id === id)
        if (made === undefined) throw new AppError('NOT_FOUND')
        await audit.within(trx).record({
          event: 'task-token.created',
          result: 'success',
          actorId: caller.personId,
          target: made._id,
          projectId,
          address,
          detail: { label, types: chosen, days },
        })
        return { ...made, token }
      })
    },

    async revoke(caller: Caller, projectId: string, tokenId: string, address: string): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const label = await createTaskTokenRepository(trx).remove(projectId, tokenId)
        if (label === undefined) throw new AppError('NOT_FOUND')
        await audit.within(trx).record({
          event: 'task-token.revoked',
          result: 'success',
          actorId: caller.personId,
          target: tokenId,
          projectId,
          address,
          detail: { label },
        })
      })
    },

    /**
     * Returns the holder of a token; undefined if it is unknown, revoked or expired, or its creator may not edit the
     * project.
     */
    holderOf: async (token: string): Promise<TokenHolder | undefined> =>
      token.startsWith(prefix) ? tokens.use(hashToken(token)) : undefined,
  }
}
export type TaskTokenService = ReturnType<typeof createTaskTokenService>

const full = {
  message: {
    de: `A project can have ${recordLimits.taskTokensMax} task tokens. Revoke tokens first`,
    'de-DE': `Ein Projekt kann ${recordLimits.taskTokensMax} Aufgaben-Tokens haben. Widerrufen Sie zuerst Tokens`,
  },
}
