import { setTimeout as delay } from 'node:timers/promises'
import type { Thing } from '@pult/contract'
import type { Kysely } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Log } from '#platform/log.ts'
import type { ProductRegistry } from '../extensions/manifests/product-registry.ts'
import { createFindRepository, type PlaceRow, type Search } from './find.repository.ts'

interface FindParts {
  db: Kysely<Database>
  products: ProductRegistry
  log: Log
  /** Time limit of each kind of record in milliseconds. */
  patience?: number
  sources?: readonly FindSource[]
}

type FindRepository = ReturnType<typeof createFindRepository>

/** One kind of record. */
export interface FindSource {
  name: string
  find: (
    repository: FindRepository,
    readable: (who: { app: string; role: string } | 'readers') => Search | null,
  ) => Promise<Thing[]>
}

const wordsMost = 5

const edges = { app: 'edges', role: 'edges' }
const sourcesOfRooms: readonly FindSource[] = [
  {
    name: 'edge',
    find: async (all, of) => ifAny(of(edges), (search) => all.records('edge', search)),
  },
  { name: 'program', find: async (all, of) => ifAny(of(edges), (search) => all.programs(search)) },
  {
    name: 'medium',
    find: async (all, of) =>
      ifAny(of({ app: 'media-library', role: 'media-library' }), (search) => all.records('medium', search)),
  },
  {
    name: 'note',
    find: async (all, of) =>
      ifAny(of({ app: 'project-details', role: 'project-details:notes' }), (search) =>
        all.records('note', search),
      ),
  },
  {
    name: 'task',
    find: async (all, of) => ifAny(of('readers'), (search) => all.records('task', search)),
  },
  {
    name: 'person',
    find: async (all, of) => {
      const search = of({ app: 'project-details', role: 'project-details:people' })
      // Root searches all accounts in the people app.
      return search === null || search.projectIds === 'all' || search.words.length === 0
        ? []
        : all.people(search)
    },
  },
]

const ifAny = (search: Search | null, find: (search: Search) => Promise<Thing[]>) =>
  search === null ? Promise.resolve([]) : find(search)

/**
 * Searches the records of all projects that the caller may see, each kind with its own permission and time limit. The
 * result omits a kind that fails or is late, and is then partial.
 */
export function createFindService({
  db,
  products,
  log,
  patience = 1000,
  sources = sourcesOfRooms,
}: FindParts) {
  const repository = createFindRepository(db)

  return {
    async find(
      caller: Caller,
      { project, q = '' }: { project?: string | undefined; q?: string | undefined },
    ): Promise<{ items: Thing[]; isPartial: boolean }> {
      // The database lowers them: JavaScript would change letters in other ways.
      const words = [...new Set(q.trim().split(/\s+/))].filter((word) => word !== '')
      const places = caller.isRoot ? 'all' : await repository.places(caller.personId)
      const readable = (who: { app: string; role: string } | 'readers'): Search | null => {
        const app = who === 'readers' ? null : products.findApp(who.app)
        if (app === undefined) return null
        const projectIds =
          places === 'all'
            ? places
            : places
                .filter((place) => who === 'readers' || holds(caller, place, who.role))
                .map(({ id }) => id)
        if (projectIds.length === 0) return null
        return {
          words: words.slice(0, wordsMost),
          projectIds,
          sku: app?.productSku ?? null,
          projectId: project ?? null,
        }
      }
      const results = await Promise.all(
        sources.map(async ({ name, find }) => {
          const ended = new AbortController()
          try {
            return await Promise.race([
              find(repository, readable),
              delay(patience, null, { signal: ended.signal }),
            ])
          } catch (error) {
            log.warn({ error, source: name }, 'a search failed')
            return null
          } finally {
            ended.abort()
          }
        }),
      )
      return { items: results.flatMap((found) => found ?? []), isPartial: results.includes(null) }
    },
  }
}
export type FindService = ReturnType<typeof createFindService>

/** DEC-14: the owner holds every role, and an organisation's owner sees its projects without holding any. */
const holds = ({ scope }: Caller, { id, isOwner }: PlaceRow, role: string) =>
  isOwner || scope.includes(`p-${id}/r-${role}`)
