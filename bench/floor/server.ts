import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { verify } from '@node-rs/argon2'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import pg from 'pg'
import { addBroadcast } from './broadcast.ts'
import type { FloorOptions } from './options.ts'
import { startPostgres } from './postgres.ts'
import { listProjects } from './projects.ts'
import { addUploads } from './uploads.ts'

/*
 * The bare floor: the cost of only a login and a session check on this machine. It has no validation, limits, headers,
 * log or permissions. A product needs these, so it cannot be this fast. The floor separates the time of the machine
 * from the time of the product.
 */

const options = JSON.parse(process.argv[2] ?? '{}') as FloorOptions
const { usernames, passwordHash } = options

interface Session {
  id: string
  name: string
  email: string
}

const postgres = options.ownPostgres === undefined ? undefined : await startPostgres(options.ownPostgres)
const app = fastify()
serveAssets(app, options.assets)

const known = new Set(usernames)

const connection = options.database ?? postgres?.connection
const pool = connection && new pg.Pool({ ...connection, max: 16 })
await pool?.query('select 1')

app.post<{ Body: { username: string; password: string } }>('/login', async (request, reply) => {
  const { username, password } = request.body
  // Rejects an unknown name immediately, as a naive login does. The bench must detect the difference.
  if (!known.has(username) || !(await verify(passwordHash, password))) return reply.code(401).send({})
  const token = randomBytes(24).toString('base64url')
  await pool?.query({
    name: 'login',
    text: `with opened as (
        insert into session select gen_random_uuid(), id, now() + interval '1 day' from person limit 1 returning id
      ) insert into session_token select $1, id from opened`,
    values: [token],
  })
  return { token }
})

if (options.uploads !== undefined) addUploads(app, options.uploads)

if (pool === undefined) {
  await addBroadcast(app)
} else {
  const sessionOf = async (request: FastifyRequest): Promise<Session | undefined> => {
    const { rows } = await pool.query<Session>({
      name: 'session',
      text: `select p.id, p.name, p.email from session_token t
        join session s on s.id = t.session_id
        join person p on p.id = s.person_id
        where t.token = $1 and s.expires_at > now()`,
      values: [tokenOf(request.headers.authorization)],
    })
    return rows[0]
  }

  app.get('/me/database', async (request, reply) => (await sessionOf(request)) ?? reply.code(401).send({}))
  await addBroadcast(app, { pool, isSignedIn: async (request) => (await sessionOf(request)) !== undefined })

  if (options.projects !== undefined) {
    const projects = new pg.Pool({ ...options.projects, max: 16 })
    app.get<{ Querystring: { person: string } }>('/projects', async (request, reply) => {
      if ((await sessionOf(request)) === undefined) return reply.code(401).send({})
      return listProjects(projects, request.query.person)
    })
  }
}

process.on('SIGTERM', () => {
  void (postgres?.stop() ?? Promise.resolve()).then(() => process.exit(0))
})
await app.listen({ port: options.port, host: 'localhost' })
process.stdout.write('The floor is ready\n')

function tokenOf(header: string | undefined): string {
  return header?.slice('Bearer '.length) ?? ''
}

/** Served from memory, compressed by the build. */
function serveAssets(server: FastifyInstance, folder: string): void {
  const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' }
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.br')) continue
    const content = readFileSync(join(folder, name))
    const path = name.slice(0, -'.br'.length)
    server.get(path === 'index.html' ? '/' : `/${path}`, (_request, reply) =>
      reply
        .type(types[extname(path)] ?? 'application/octet-stream')
        .header('content-encoding', 'br')
        .send(content),
    )
  }
}
