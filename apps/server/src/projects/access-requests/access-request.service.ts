import type { AccessRequest, OwnAccessRequest, Project, Refusal } from '@pult/contract'
import type { Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Db } from '#platform/database/database.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Language } from '#platform/language.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import type { Events } from '#platform/realtime/events.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import type { Attempts, WindowPolicy } from '../../auth/attempts.ts'
import type { ProductRegistry } from '../../extensions/manifests/product-registry.ts'
import type { PeopleService } from '../../people/people.service.ts'
import { announceAccess, announceProject } from '../announcements.ts'
import type { ProjectService } from '../project.service.ts'
import { createAccessRequestRepository } from './access-request.repository.ts'
import { outcomeLetter, requestLetter } from './request-letter.ts'

interface AccessRequestParts {
  db: Db
  events: Events
  audit: AuditService
  attempts: Attempts
  mailer: Mailer
  people: PeopleService
  projects: Pick<ProjectService, 'read' | 'checkOwned' | 'within'>
  products: ProductRegistry
  publicUrl: string
}

interface Outcome {
  projectId: string
  /** The person who asked. */
  personId: string
  productRole: string
  /** The person who answers. */
  by: string
}

/** Limits of requests: one a day per role, and ten an hour per person. */
const onceADay: WindowPolicy = { kind: 'access-request', most: 1, seconds: 86_400 }
const requesterPolicy: WindowPolicy = { kind: 'access-requester', most: 10, seconds: 3600 }

/** "Ask for access": users who see a project ask its owner and root for a role. A request grants nothing. */
export function createAccessRequestService(parts: AccessRequestParts) {
  const { db, events, audit, attempts, mailer, people, projects, products, publicUrl } = parts
  const requests = createAccessRequestRepository(db)

  const labelOf = (productRole: string, language: Language) =>
    products.roleLabels([productRole], language)[0] ?? productRole
  const labelsOf = (productRole: string) => ({
    de: labelOf(productRole, 'de-DE'),
    en: labelOf(productRole, 'en'),
  })

  /** Returns the roles that the caller can ask for, the smallest first. */
  function offered(
    caller: Caller,
    project: Project,
    { app, role }: { app?: string | undefined; role?: string | undefined },
    language: Language,
  ): Refusal['roles'] {
    if (project.access === 'owner' || project.access === 'root') return []
    const held = new Set(
      project.grants.flatMap(({ user, productRole }) => (user === caller.personId ? [productRole] : [])),
    )
    const all = products
      .list(language)
      .filter(({ sku }) => project.products.includes(sku))
      .flatMap(({ roles }) => roles.map(({ id, label }) => ({ id, label })))
    if (app === undefined && role === undefined) return all.filter(({ id }) => !held.has(id))
    const found = app === undefined ? undefined : products.findApp(app)
    const needed = role ?? found?.role
    if (needed === undefined || (found !== undefined && !project.products.includes(found.productSku)))
      return []
    return products.rolesWith(needed, project.products, language).filter(({ id }) => !held.has(id))
  }

  /** Mails the outcome of a request to the person who asked, at a verified address. */
  async function mailOutcome(
    trx: Transaction<Database>,
    outcome: 'granted' | 'declined',
    { projectId, personId, productRole, by }: Outcome,
  ): Promise<void> {
    const within = people.within(trx)
    const [asker, [to], answerer, project] = await Promise.all([
      within.findById(personId),
      within.verifiedEmailsOf(personId),
      within.findById(by),
      trx.selectFrom('project').select('label').where('id', '=', projectId).executeTakeFirst(),
    ])
    if (asker?.disabled_at !== null || to === undefined) return
    if (answerer === undefined || project === undefined) return
    await mailer.enqueue(
      trx,
      outcomeLetter({
        outcome,
        to,
        link: `${publicUrl}/?project=${projectId}`,
        by: `${answerer.firstname} ${answerer.lastname}`,
        project: project.label,
        role: labelsOf(productRole),
      }),
    )
  }

  return {
    /** Returns the pending requests of a project. The caller has checked that the user manages its people. */
    pending: requests.pending,

    async offer(
      caller: Caller,
      projectId: string,
      of: { app?: string | undefined; role?: string | undefined },
      language: Language,
    ): Promise<Refusal & { requests: OwnAccessRequest[] }> {
      const project = await projects.read(caller, projectId)
      const recent = await requests.recentOf(projectId, caller.personId)
      return {
        project: project._id,
        roles: offered(caller, project, of, language),
        owner: { _id: project.owner, name: project.ownerName },
        requests: recent.map(({ productRole, ...request }) => ({
          ...request,
          role: { id: productRole, label: labelOf(productRole, language) },
        })),
      }
    },

    async list(caller: Caller, projectId: string): Promise<AccessRequest[]> {
      await projects.checkOwned(caller, projectId)
      return requests.pending(projectId)
    },

    async create(
      caller: Caller,
      projectId: string,
      { productRole, message = '' }: { productRole: string; message?: string | undefined },
      address: string,
    ): Promise<void> {
      const project = await projects.read(caller, projectId)
      if (!products.hasRole(productRole, project.products)) throw new AppError('UNKNOWN_PRODUCT_ROLE')
      const { personId } = caller
      const holdsAll = project.access === 'owner' || project.access === 'root'
      const holds = project.grants.some(
        (grant) => grant.user === personId && grant.productRole === productRole,
      )
      if (holdsAll || holds) throw new AppError('ALREADY_GRANTED')
      const [owner, [ownersAddress], confirmed] = await Promise.all([
        people.findById(project.owner),
        people.verifiedEmailsOf(project.owner),
        people.verifiedEmailsOf(personId),
      ])
      await events.transaction(async (trx, emit) => {
        // Counted in the transaction, so that a failed request does not count.
        const counted = attempts.within(trx)
        await counted.admitInWindow(requesterPolicy, personId)
        await counted.admitInWindow(onceADay, `${personId} ${projectId} ${productRole}`)
        // Throws NOT_FOUND if the project was deleted concurrently.
        await projects.within(trx).lock(projectId)
        await createAccessRequestRepository(trx).put({ projectId, personId, productRole, message })
        await audit.within(trx).record({
          event: 'access.requested',
          result: 'success',
          actorId: personId,
          target: projectId,
          projectId,
          address,
          detail: { productRole, label: project.label },
        })
        const readers = await projects.within(trx).readerIds(projectId)
        await announceProject(emit, projectId, { before: readers, after: readers })
        if (owner?.disabled_at === null && ownersAddress !== undefined)
          await mailer.enqueue(
            trx,
            requestLetter({
              to: ownersAddress,
              link: `${publicUrl}/app/project-details/people?project=${projectId}`,
              from: {
                name: `${caller.firstname} ${caller.lastname}`,
                email: caller.email,
                isEmailVerified: confirmed.includes(caller.email),
              },
              project: project.label,
              role: labelsOf(productRole),
              message,
            }),
          )
      })
    },

    async decline(
      caller: Caller,
      { projectId, requestId }: { projectId: string; requestId: string },
      address: string,
    ): Promise<void> {
      const { label } = await projects.checkOwned(caller, projectId)
      await events.transaction(async (trx, emit) => {
        const ended = await createAccessRequestRepository(trx).decline(projectId, requestId, caller.personId)
        if (ended === undefined) throw new AppError('NOT_FOUND')
        await audit.within(trx).record({
          event: 'access.declined',
          result: 'success',
          actorId: caller.personId,
          target: ended.personId,
          projectId,
          address,
          detail: { productRole: ended.productRole, label },
        })
        await mailOutcome(trx, 'declined', { ...ended, projectId, by: caller.personId })
        const readers = await projects.within(trx).readerIds(projectId)
        await announceProject(emit, projectId, { before: readers, after: readers })
        await announceAccess(emit, [ended.personId])
      })
    },

    /**
     * Ends the request for a role that the person now holds, and mails the person unless they accepted an invitation.
     */
    async granted(trx: Transaction<Database>, outcome: Outcome): Promise<void> {
      const wasAsked = await createAccessRequestRepository(trx).grant(outcome, outcome.by)
      if (wasAsked && outcome.by !== outcome.personId) await mailOutcome(trx, 'granted', outcome)
    },
  }
}
export type AccessRequestService = ReturnType<typeof createAccessRequestService>
