import {
  meEndpoints,
  organisationEndpoints,
  type Project,
  projectEndpoints,
  rootGrantEndpoints,
} from '@pult/contract'
import { type GivenPerson, sized, testServer } from '@pult/testkit'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'

/*
 * Random commands of four people, compared with a model after each command: the answers, and the rights of each
 * person. The model follows the words of DEC-14, DEC-15 and DEC-16; the server implements them in SQL.
 */

const server = await testServer()
const { given, db } = server

type Status = 200 | 400 | 403 | 404 | 409

interface ModelGrant {
  id: string
  user: number
  role: string | null
}

interface ModelProject {
  id: string
  label: string
  org: number | null
  owner: number
  products: string[]
  grants: ModelGrant[]
}

interface Model {
  /** By index, as commands name them. */
  orgs: { owner: number; members: Set<number> }[]
  /** In order of creation. */
  projects: ModelProject[]
  /** The default project of each person, including ones that they cannot see now. */
  defaults: (string | null)[]
}

/** The ids of the server's records for the model's numbers. */
interface Real {
  people: GivenPerson[]
  orgIds: string[]
}

/** People are numbers: two owners of organisations, a stranger and root. */
const root = 3
const everyPerson = [0, 1, 2, root]
const roles = {
  'project/viewer': ['project-details'],
  'project/operator': ['project-details', 'project-details:notes', 'project-details:tasks'],
} as const
const unknownRole = 'project/unknown'

function accessOf({ orgs }: Model, { owner, org, grants }: ModelProject, who: number) {
  if (owner === who) return 'owner'
  if (who === root) return 'root'
  if (org !== null && orgs[org]?.owner === who) return 'organisation-owner'
  return grants.some(({ user }) => user === who) ? 'grant' : null
}

function scopeOf({ projects }: Model, who: number): string[] {
  const entries = projects.flatMap(({ id, products, grants }) =>
    grants
      .filter(({ user }) => user === who && products.includes('project'))
      .flatMap(({ role }) => (role === null ? [] : roles[role as keyof typeof roles]))
      .map((role) => `p-${id}/r-${role}`),
  )
  return [...new Set([...(who === root ? ['root'] : []), ...entries])].toSorted()
}

const isPlace = ({ orgs }: Model, org: number, who: number) =>
  who === root || orgs[org]?.members.has(who) === true

/** The expected list of a person, in order. */
function listOf(model: Model, who: number) {
  const seen = model.projects.flatMap((project) => {
    const access = accessOf(model, project, who)
    if (access === null) return []
    const shown = project.grants.filter(({ user }) => access !== 'grant' || user === who)
    return [{ ...project, access, grants: shown, isDefault: model.defaults[who] === project.id }]
  })
  return [...seen.filter(({ isDefault }) => isDefault), ...seen.filter(({ isDefault }) => !isDefault)]
}

async function compare(model: Model, { people, orgIds }: Real): Promise<void> {
  const shownOf = ({ _id, label, org, owner, products, grants, access, isDefault }: Project) => ({
    id: _id,
    label,
    org: org === null ? null : orgIds.indexOf(org),
    owner: people.findIndex(({ personId }) => personId === owner),
    products,
    grants: grants.map((grant) => ({
      id: grant._id,
      user: people.findIndex(({ personId }) => personId === grant.user),
      role: grant.productRole,
    })),
    access,
    isDefault,
  })
  await Promise.all(
    people.map(async (person, who) => {
      const [list, me] = await Promise.all([
        person.call(projectEndpoints.list, { query: { limit: '200' } }),
        person.call(meEndpoints.read),
      ])
      expect(list.body.items.map(shownOf)).toEqual(listOf(model, who))
      expect(list.body.total).toBe(list.body.items.length)
      expect(me.body.scope.toSorted()).toEqual(scopeOf(model, who))
    }),
  )
}

/** The effect of a command on the model, and the expected answer of the server. */
interface Step {
  status: Status
  apply?: (answer: { _id: string }) => void
}

type Command = fc.AsyncCommand<Model, Real>

const command = (
  text: string,
  expected: (model: Model) => Step,
  call: (real: Real, model: Model) => Promise<{ status: number; body: unknown }>,
): Command => ({
  check: () => true,
  toString: () => text,
  async run(model, real) {
    const { status, apply } = expected(model)
    const answer = await call(real, model)
    expect(answer.status, text).toBe(status)
    if (status === 200) apply?.(answer.body as { _id: string })
    await compare(model, real)
  },
})

const unknownId = '018f0000-0000-7000-8000-000000000000'
const personOf = ({ people }: Real, who: number) => people[who] as GivenPerson

/** Commands select projects and grants by any number. If the model has none, they use an id that does not exist. */
const pick = <Item>(items: readonly Item[], index: number): Item | undefined =>
  items.length === 0 ? undefined : items[index % items.length]
const projectIdOf = (model: Model, index: number) => pick(model.projects, index)?.id ?? unknownId

/** The result for users who may edit a project, and for all others. */
function edited(model: Model, index: number, who: number, step: (project: ModelProject) => Step): Step {
  const project = pick(model.projects, index)
  const access = project && accessOf(model, project, who)
  if (!project || !access) return { status: 404 }
  return access === 'grant' ? { status: 403 } : step(project)
}

const who = fc.constantFrom(...everyPerson)
const index = fc.nat(5)
const place = fc.constantFrom(null, 0, 1)
const label = fc.constantFrom('Halle 3', 'Messe 2026', 'Łódź <b>', '=1+1')

const create = fc.record({ by: who, name: label, org: place }).map(({ by, name, org }) =>
  command(
    `create(${by}, ${name}, org ${org})`,
    (model) => {
      if (org !== null && !isPlace(model, org, by)) return { status: 404 }
      return {
        status: 200,
        apply: ({ _id }) =>
          model.projects.push({ id: _id, label: name, org, owner: by, products: ['project'], grants: [] }),
      }
    },
    (real) => {
      const body = { label: name, org: org === null ? null : (real.orgIds[org] ?? '') }
      return personOf(real, by).call(projectEndpoints.create, { body })
    },
  ),
)

const rename = fc.record({ by: who, at: index, name: label }).map(({ by, at, name }) =>
  command(
    `rename(${by}, project ${at}, ${name})`,
    (model) =>
      edited(model, at, by, (project) => ({
        status: 200,
        apply: () => {
          project.label = name
        },
      })),
    (real, model) => {
      const params = { projectId: projectIdOf(model, at) }
      return personOf(real, by).call(projectEndpoints.update, { params, body: { label: name } })
    },
  ),
)

const move = fc.record({ by: who, at: index, org: place }).map(({ by, at, org }) =>
  command(
    `move(${by}, project ${at}, org ${org})`,
    (model) =>
      edited(model, at, by, (project) => {
        if (org !== null && org !== project.org && !isPlace(model, org, by)) return { status: 404 }
        return {
          status: 200,
          apply: () => {
            project.org = org
          },
        }
      }),
    (real, model) => {
      const params = { projectId: projectIdOf(model, at) }
      const body = { org: org === null ? null : (real.orgIds[org] ?? '') }
      return personOf(real, by).call(projectEndpoints.update, { params, body })
    },
  ),
)

const useProducts = fc.record({ by: who, at: index, isUsed: fc.boolean() }).map(({ by, at, isUsed }) => {
  const products = isUsed ? ['project'] : []
  return command(
    `useProducts(${by}, project ${at}, [${products.join()}])`,
    (model) =>
      edited(model, at, by, (project) => ({
        status: 200,
        apply: () => {
          project.products = products
        },
      })),
    (real, model) => {
      const params = { projectId: projectIdOf(model, at) }
      return personOf(real, by).call(projectEndpoints.update, { params, body: { products } })
    },
  )
})

const remove = fc.record({ by: who, at: index }).map(({ by, at }) =>
  command(
    `remove(${by}, project ${at})`,
    (model) =>
      edited(model, at, by, (project) => ({
        status: 200,
        apply: () => {
          model.projects.splice(model.projects.indexOf(project), 1)
          model.defaults = model.defaults.map((id) => (id === project.id ? null : id))
        },
      })),
    (real, model) => {
      const params = { projectId: projectIdOf(model, at) }
      return personOf(real, by).call(projectEndpoints.remove, { params })
    },
  ),
)

const setDefault = fc.record({ by: who, at: index }).map(({ by, at }) =>
  command(
    `setDefault(${by}, project ${at})`,
    (model) => {
      const project = pick(model.projects, at)
      if (!project || accessOf(model, project, by) === null) return { status: 404 }
      return {
        status: 200,
        apply: () => {
          model.defaults[by] = project.id
        },
      }
    },
    (real, model) => {
      const params = { projectId: projectIdOf(model, at) }
      return personOf(real, by).call(projectEndpoints.setDefault, { params })
    },
  ),
)

/** Commands that only root may run: mostly sent by root, sometimes by another user. */
const mostlyRoot = fc.oneof({ weight: 5, arbitrary: fc.constant(root) }, { weight: 1, arbitrary: who })

const addGrant = fc.record({ by: mostlyRoot, at: index, user: who }).map(({ by, at, user }) =>
  command(
    `addGrant(${by}, project ${at}, to ${user})`,
    (model) => {
      if (by !== root) return { status: 403 }
      const project = pick(model.projects, at)
      if (project === undefined) return { status: 404 }
      if (project.grants.some((grant) => grant.user === user && grant.role === null)) return { status: 409 }
      return { status: 200, apply: ({ _id }) => project.grants.push({ id: _id, user, role: null }) }
    },
    (real, model) => {
      const params = { projectId: projectIdOf(model, at) }
      const body = { user: personOf(real, user).personId }
      return personOf(real, by).call(rootGrantEndpoints.add, { params, body })
    },
  ),
)

/** The result of giving a role to a grant, for users who may do so. */
function newRole({ grants, products }: ModelProject, grant: ModelGrant, role: string | null): Step {
  if (role !== null && !(role in roles && products.includes('project'))) return { status: 400 }
  const isDouble = grants.some((each) => each !== grant && each.user === grant.user && each.role === role)
  if (isDouble) return { status: 409 }
  return {
    status: 200,
    apply: () => {
      grant.role = role
    },
  }
}

/** Owners may do this as well. */
const role = fc.constantFrom('project/viewer', 'project/operator', unknownRole)
const changeRole = fc
  .record({ by: who, at: index, grantAt: index, to: role })
  .map(({ by, at, grantAt, to }) =>
    command(
      `changeRole(${by}, project ${at}, grant ${grantAt}, ${to})`,
      (model) =>
        edited(model, at, by, (project) => {
          if (accessOf(model, project, by) === 'organisation-owner') return { status: 403 }
          const grant = pick(project.grants, grantAt)
          return grant === undefined ? { status: 404 } : newRole(project, grant, to)
        }),
      (real, model) => {
        const grantId = pick(pick(model.projects, at)?.grants ?? [], grantAt)?.id ?? unknownId
        const params = { projectId: projectIdOf(model, at), grantId }
        return personOf(real, by).call(projectEndpoints.changeProductRole, {
          params,
          body: { productRole: to },
        })
      },
    ),
  )

const updateGrant = fc
  .record({ by: mostlyRoot, at: index, grantAt: index, to: fc.option(role) })
  .map(({ by, at, grantAt, to }) =>
    command(
      `updateGrant(${by}, project ${at}, grant ${grantAt}, ${to})`,
      (model) => {
        if (by !== root) return { status: 403 }
        const project = pick(model.projects, at)
        const grant = pick(project?.grants ?? [], grantAt)
        return project === undefined || grant === undefined ? { status: 404 } : newRole(project, grant, to)
      },
      (real, model) => {
        const grantId = pick(pick(model.projects, at)?.grants ?? [], grantAt)?.id ?? unknownId
        const params = { projectId: projectIdOf(model, at), grantId }
        return personOf(real, by).call(rootGrantEndpoints.update, { params, body: { productRole: to } })
      },
    ),
  )

const removeGrant = fc.record({ by: mostlyRoot, at: index, grantAt: index }).map(({ by, at, grantAt }) =>
  command(
    `removeGrant(${by}, project ${at}, grant ${grantAt})`,
    (model) => {
      if (by !== root) return { status: 403 }
      const project = pick(model.projects, at)
      const grant = pick(project?.grants ?? [], grantAt)
      if (project === undefined || grant === undefined) return { status: 404 }
      return { status: 200, apply: () => project.grants.splice(project.grants.indexOf(grant), 1) }
    },
    (real, model) => {
      const grantId = pick(pick(model.projects, at)?.grants ?? [], grantAt)?.id ?? unknownId
      const params = { projectId: projectIdOf(model, at), grantId }
      return personOf(real, by).call(rootGrantEndpoints.remove, { params })
    },
  ),
)

const transfer = fc.record({ by: who, org: fc.constantFrom(0, 1), to: who }).map(({ by, org, to }) =>
  command(
    `transfer(${by}, org ${org}, to ${to})`,
    ({ orgs }) => {
      const organisation = orgs[org]
      if (organisation === undefined || (by !== root && !organisation.members.has(by))) {
        return { status: 404 }
      }
      if (by !== root && organisation.owner !== by) return { status: 403 }
      if (to !== organisation.owner && !organisation.members.has(to)) return { status: 400 }
      return {
        status: 200,
        apply: () => {
          organisation.owner = to
        },
      }
    },
    (real) =>
      personOf(real, by).call(organisationEndpoints.update, {
        params: { orgId: real.orgIds[org] ?? '' },
        body: { owner: personOf(real, to).personId },
      }),
  ),
)

let people: GivenPerson[] = []
beforeAll(async () => {
  people = [
    await given.person({ firstname: 'Olga' }),
    await given.person({ firstname: 'Mia' }),
    await given.person({ firstname: 'Greta' }),
    await given.person({ firstname: 'Ruth', isRoot: true }),
  ]
})

test('DEC-14 DEC-15 DEC-16 ROLE-01 the rights of all users match the model after any sequence of commands', {
  timeout: 180_000,
  tags: ['long'],
}, async () => {
  const commands = fc.commands(
    [
      create,
      create,
      rename,
      move,
      useProducts,
      remove,
      setDefault,
      addGrant,
      addGrant,
      changeRole,
      updateGrant,
      removeGrant,
      transfer,
    ],
    { maxCommands: 25, size: 'max' },
  )
  // A loaded machine completes fewer sequences.
  const end = performance.now() + sized(8000, 40_000)
  let count = 0
  const run = await fc.check(
    fc.asyncProperty(commands, async (sequence) => {
      if (performance.now() > end) return
      count += 1
      await db.deleteFrom('project').execute()
      await db.deleteFrom('organisation').execute()
      const [olga, mia, greta] = people as [GivenPerson, GivenPerson, GivenPerson]
      const orgs = [
        await given.organisation(olga, { members: [mia] }),
        await given.organisation(mia, { members: [olga, greta] }),
      ]
      const model: Model = {
        orgs: [
          { owner: 0, members: new Set([0, 1]) },
          { owner: 1, members: new Set([0, 1, 2]) },
        ],
        projects: [],
        defaults: everyPerson.map(() => null),
      }
      await fc.asyncModelRun(
        () => ({ model, real: { people, orgIds: orgs.map(({ orgId }) => orgId) } }),
        sequence,
      )
    }),
    { numRuns: 30 },
  )
  // The failure message contains the seed and the path of a replay.
  expect(run.failed, await fc.asyncDefaultReportMessage(run)).toBe(false)
  expect(count).toBeGreaterThan(0)
})
